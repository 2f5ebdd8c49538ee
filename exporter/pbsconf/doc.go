// Package pbsconf writes the configuration of a PBS cluster as an administrator installs it: what qmgr reads, in the form in
// which it prints, the files of the scheduler, and hooks.
//
// Its files:
//   - files.go: A File is a file to be installed
//   - qmgr.go: qmgrScript writes everything that qmgr sets
//   - submit.go: SubmitHook is the hook that does what a submission needs
package pbsconf
