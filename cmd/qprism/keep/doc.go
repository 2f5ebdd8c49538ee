// Package keep implements the commands that make bundles and manage the store. A bundle is the output of a
// cluster's commands, as files. The store is the database of snapshots. A snapshot is a bundle in the store.
//
// Its files, and the commands in them:
//   - capture.go: capture
//   - import.go, import_read.go: import; warnings about parts that were not read
//   - snapshots.go: snapshots
//   - db.go, db_check.go, db_forget.go, db_share.go, db_swf.go: db prune, check, forget, share and swf
//   - anonymize.go: anonymize
//   - examples.go: examples
//   - lab.go: lab
//   - group.go: the list of commands; their JSON types
package keep
