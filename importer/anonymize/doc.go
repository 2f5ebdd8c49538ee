// Package anonymize makes a bundle that can be given to strangers: names of users, projects, hosts, jobs, queues and resources, and paths,
// are replaced, the same name by the same pseudonym everywhere, and every number stays. What it does not know it leaves out.
//
// Its files:
//   - anonymize.go: A File is a file of the bundle that can be given away
//   - check.go: formatWords are the words that the files have by their form
//   - config.go: config writes a configuration file, without its comments
//   - dictionary.go: A Dictionary gives each word a pseudonym, and always the same one
//   - manifest.go: A manifestLine is a line of the original's MANIFEST
//   - pattern.go: patterns are the patterns of jobs and quotas that select other names under pseudonyms
//   - records.go: eachLine writes a file line by line
//   - words.go: A word is a run of letters and digits
//   - xml.go: xml writes a document. Elements that it does not know keep their numbers
package anonymize
