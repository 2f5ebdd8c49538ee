// Package pbsconf writes the files that configure a PBS cluster: input for qmgr(8B), files of the
// scheduler, and hooks.
//
// Its files:
//   - files.go: Files makes all files
//   - qmgr.go: the script for qmgr, in the format that qmgr itself prints
//   - qsub.go: files for users: a table of requests, and a program that translates them
//   - submit.go: the hook that changes submitted jobs
package pbsconf
