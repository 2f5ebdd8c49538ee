// Package keep holds the commands that make bundles and look after the store: capture, import, snapshots, db, anonymize,
// examples and lab.
//
// Its files:
//   - anonymize.go: An anonymized bundle is what was made, and what was left out of it
//   - capture.go: see there
//   - db.go: JSONPruned is what prune did
//   - db_check.go: jsonCheck is what check found and did
//   - db_forget.go: jsonForgotten is what forget did
//   - db_share.go: groupNumber is the number of a group, by its name or as it is
//   - db_swf.go: endedTasks are tasks that ended, each once
//   - documents.go: Documents are what the commands of this group print in JSON
//   - examples.go: An example is a worked case
//   - group.go: Group are the commands of this folder
//   - import.go: KeepBundle stores a bundle with its analysis
//   - import_read.go: warnOfRead says what of a bundle was not read, or not as it stands
//   - lab.go: A labRow is a lab of the list
//   - snapshots.go: jsonSnapshot is a stored snapshot as JSON
package keep
