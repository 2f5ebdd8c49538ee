// Package anonymize makes a bundle that can be given to strangers. Names of users, projects, hosts, jobs, queues and
// resources, and paths, are replaced: the same name by the same pseudonym everywhere. Every number stays. What it does
// not know it leaves out.
//
// Its files:
//   - anonymize.go: Run writes the files, reads them again, and compares
//   - dictionary.go, words.go: pseudonyms; which words of a text stay. The folder words has the lists
//   - config.go: configuration of Grid Engine, by the tables of importer/gridengine/qconf
//   - xml.go, records.go: its listings, and what its programs write
//   - pbs.go, pbs_files.go, pbs_words.go: objects and files of PBS, and their words
//   - manifest.go: MANIFEST
//   - check.go: names that are left in a file; whether what was made says the same
//   - pattern.go: patterns that select other names under pseudonyms
package anonymize
