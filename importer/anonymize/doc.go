// Package anonymize makes a bundle that a site can give to strangers. The package replaces names and paths
// with pseudonyms. This applies to the names of users, projects, hosts, jobs, queues and resources. The same
// name always gets the same pseudonym. Numbers do not change. The package leaves out content that it does not
// recognize, because such content may contain names.
//
// Its files:
//   - anonymize.go: Run writes the files, reads them again, and compares both
//   - dictionary.go, words.go: pseudonyms; which words of a text do not change, by the lists in the folder
//     words
//   - config.go: configuration of Grid Engine, by the tables of importer/gridengine/qconf
//   - xml.go, records.go: listings of Grid Engine, and files that its programs write
//   - pbs.go, pbs_files.go, pbs_words.go: objects and files of PBS, and their words
//   - manifest.go: MANIFEST
//   - check.go: omits files that still have a name from the cluster; checks that the result has the same
//     content
//   - pattern.go: finds patterns that match other names after the names became pseudonyms
package anonymize
