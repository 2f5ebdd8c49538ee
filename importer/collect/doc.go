// Package collect captures a bundle of a cluster. It runs the cluster's own commands and stores their output,
// in the same files as scripts/capture-ge.sh and scripts/capture-pbs.sh.
//
// It is gentle with the master. A routine capture asks at most 30 questions, for any size of cluster.
// Configuration is captured again only if its list of names or other configuration changed, if it is old, or
// if the user wants all. Else MANIFEST has its age. Such commands are paced. If the master is slow to answer
// a small question, collect asks nothing else.
//
// Its files:
//   - collect.go: Bundle has the steps
//   - site.go, clock.go: the identity of the cluster; its clock
//   - gridengine.go, objects.go: a Grid Engine cluster; objects that qconf lists by name
//   - pbs.go: a PBS or Torque cluster
//   - record.go, filter.go, ending.go: stores the output of a command; removes parts of it; the end of a long file
//   - pace.go: rests, and masters that are too slow
//   - state.go: what one capture keeps for the next
package collect
