// Package accounting reads what jobs used from the accounting records of PBS and Torque.
//
//   - ended.go: jobs that have ended
//   - execvnode.go: amounts and processors in exec_vnode
//   - processors.go: how many processors a job had
package accounting
