// Package collect captures a bundle of a cluster. The package runs the cluster's own commands and stores
// their output. The scripts capture-ge.sh and capture-pbs.sh make the same files.
//
// The package protects the master from load. A regular capture, every few minutes, runs at most 30 commands,
// for any size of cluster. Usually, a regular capture copies the configuration of hosts, users and other
// objects from an earlier capture. The file MANIFEST then says when the earlier capture was made. If an
// object was added or deleted, the package captures all objects of its kind again, such as all users. After a
// change of sched_conf(5), sge_conf(5), complex(5), queues or resource quotas, the package captures the
// objects of all kinds again. It also captures objects again if the earlier capture is old, or if the user
// asks for all objects. After each command that shows the configuration of hosts, users or other objects, the
// package pauses. One of the first commands is a test: it causes little load, so a slow answer shows a slow
// master. If the answer is slow, the package tries the command two more times. If all three answers are slow,
// the capture ends.
//
// Its files:
//   - collect.go: Bundle has the steps
//   - site.go, clock.go: the identity of the cluster; its clock
//   - gridengine.go, objects.go: a Grid Engine cluster; objects that qconf lists by name
//   - pbs.go: a PBS or Torque cluster
//   - record.go: stores the output of a command
//   - filter.go, ending.go: removes parts of the output of a command; takes only the end of a long file
//   - pace.go: pauses between commands; ends the capture if the master is too slow
//   - state.go: the data that one capture keeps for the next capture
package collect
