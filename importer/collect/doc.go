// Package collect makes a bundle of a cluster. It runs the cluster's own commands and keeps what they print, in the
// files that scripts/capture-ge.sh and scripts/capture-pbs.sh make too.
//
// It is gentle with the master. A routine capture asks at most 30 questions, whatever the size of the cluster.
// Configuration that seldom changes is captured again when its names or other configuration changed, when it is old, or
// when all is wanted; else MANIFEST says how old it is. Such calls are paced. A master that is slow to answer a small
// question is asked nothing else.
//
// Its files:
//   - collect.go: Bundle has the steps
//   - site.go, clock.go: which cluster it is; its clock
//   - gridengine.go, objects.go: a Grid Engine cluster; objects of which qconf lists the names
//   - pbs.go: a PBS or Torque cluster
//   - record.go, filter.go, ending.go: a command's output in a file; what is left out of it; the end of a long file
//   - pace.go: rests, and masters that are too slow
//   - state.go: what one capture leaves to the next
package collect
