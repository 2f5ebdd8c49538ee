// Package anonymize makes a bundle that can be given to strangers. Pseudonyms replace names of users,
// projects, hosts, jobs, queues and resources, and paths: always the same pseudonym for the same name.
// Numbers stay. Unknown content is left out.
//
// Its files:
//   - anonymize.go: Run writes the files, reads them again, and compares
//   - dictionary.go, words.go: pseudonyms; words of a text that stay (lists in the folder words)
//   - config.go: configuration of Grid Engine, by the tables of importer/gridengine
//   - xml.go, records.go: listings and records of Grid Engine
//   - pbs.go, pbs_files.go, pbs_words.go: objects, files and words of PBS
//   - manifest.go: MANIFEST
//   - check.go: names left in a file; whether the result has the same content
//   - pattern.go: patterns that select other names under pseudonyms
package anonymize
