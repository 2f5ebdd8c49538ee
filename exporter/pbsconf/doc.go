// Package pbsconf writes the configuration of a PBS cluster as an administrator installs it: what qmgr
// reads, in the form in which it prints, the files of the scheduler, and hooks.
//
// Its files:
//   - files.go: A File is a file to be installed
//   - qmgr.go: qmgrScript writes everything that qmgr sets
//   - qsub.go: Submission are the files for users: a table of what they say now, and a program that says it
//     for them
//   - submit.go: SubmitHook is the hook that does what a submission needs
package pbsconf
