// Package collect makes a bundle of a cluster: it runs the cluster's own commands and keeps what they print, in the files that
// scripts/capture-ge.sh and scripts/capture-pbs.sh make too.
//
// It is gentle with the master. A routine capture asks it at most 30 questions, whatever the size of the cluster; who the cluster is stands
// in files. Configuration that seldom changes, and of which some takes a call for each host, is asked for when the names of its objects
// changed, when something else in the configuration did, when it has become old, or when all is wanted; else the bundle holds what was
// captured before, and MANIFEST says when that was. Such calls are paced. A master that is slow to answer a small question is asked nothing
// else.
//
// Its files:
//   - collect.go: A Runner runs one command where the cluster's clients are, and waits for its end
//   - clock.go: readClock reads the clock of the host where the commands run, with its distance from UTC
//   - ending.go: ending captures the end of a file of the master, which MANIFEST calls by a name of its own
//   - filter.go: mostLine is how long a line may be that a filter holds
//   - gridengine.go: gridEngine captures a Grid Engine cluster
//   - objects.go: A kind is a kind of objects of which qconf lists the names and shows those that are asked for
//   - pace.go: A SlowError says that a master is too slow to be asked for much
//   - pbs.go: pbs captures a PBS or Torque cluster
//   - record.go: A recording is a file of a bundle that a command prints
//   - site.go: A Site is a cluster that was asked who it is, before anything else is asked of it or sent to it
//   - state.go: A state is what one capture leaves to the next
package collect
