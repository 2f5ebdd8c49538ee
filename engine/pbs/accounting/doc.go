// Package accounting computes the usage of jobs from the accounting records of PBS and Torque.
//
// Its files:
//   - ended.go: ended jobs, and their number of processors
//   - execvnode.go: amounts and processors in exec_vnode
package accounting
