// Package collect captures a bundle of a cluster. It runs the cluster's own commands and stores their
// output. The files are the same as those of scripts/capture-ge.sh and scripts/capture-pbs.sh.
//
// It protects the master from load. A routine capture runs at most 30 commands, for any size of cluster. It
// captures configuration again in four cases: its list of names changed, other configuration changed, the
// stored one is old, or the user wants all. Otherwise MANIFEST has its age. It rests between such commands.
// If the master answers a small command slowly, collect runs no others.
//
// Its files:
//   - collect.go: Bundle has the steps
//   - site.go, clock.go: the identity of the cluster; its clock
//   - gridengine.go, objects.go: a Grid Engine cluster; objects that qconf lists by name
//   - pbs.go: a PBS or Torque cluster
//   - record.go: stores the output of a command
//   - filter.go, ending.go: removes parts of an output; takes only the end of a long file
//   - pace.go: rests, and stops if the master is too slow
//   - state.go: what one capture keeps for the next
package collect
