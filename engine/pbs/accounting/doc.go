// Package accounting reads what jobs used from the accounting records of PBS and Torque.
//
//   - ended.go: jobs that have ended, and how many processors they had
//   - execvnode.go: amounts and processors in exec_vnode
package accounting
