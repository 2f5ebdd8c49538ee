// Package cluster reads a bundle of any system that the project knows.
//
// Its files:
//   - change.go: SetPolicy changes an option of the scheduler, by its name
//   - read.go: Read reads a bundle into a snapshot, as one of PBS or of Grid Engine
//   - recognise.go: recognise gives the files of a bundle the names that they have in one, where their own are others
package cluster
