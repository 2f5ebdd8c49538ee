// Package anonymize makes a bundle that can be given to strangers. Pseudonyms replace names of users,
// projects, hosts, jobs, queues and resources, and paths: always the same pseudonym for the same name.
// Numbers stay. Unknown content is left out.
//
// Its files:
//   - anonymize.go: Run writes the files, reads them again, and compares
//   - dictionary.go, words.go: pseudonyms; which words of a text stay. The folder words has the lists
//   - config.go: configuration of Grid Engine, by the tables of importer/gridengine/qconf
//   - xml.go, records.go: its listings, and what its programs write
//   - pbs.go, pbs_files.go, pbs_words.go: objects and files of PBS, and their words
//   - manifest.go: MANIFEST
//   - check.go: names left in a file; whether the result has the same content
//   - pattern.go: patterns that select other names under pseudonyms
package anonymize
