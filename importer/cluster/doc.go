// Package cluster reads a bundle of Grid Engine, PBS or Torque. The package recognizes the batch system and
// the files, then calls package importer/pbs or importer/gridengine.
//
// Its files:
//   - read.go: Read reads a bundle into a snapshot
//   - recognise.go: recognizes files with unusual names by their content
//   - change.go: changes one option of the scheduler, or the tree
package cluster
