// Package resource reads and adds up amounts of resources as the PBS scheduler does, pbs_resources(7B).
//
// A Table numbers the resources of a cluster. Everything else names a resource by its number, and keeps
// amounts as numbers in the scheduler's own units.
//
//   - resource.go: the table, the kinds of resources, how amounts are printed
//   - request.go: select and place specifications
//   - portion.go: what a job has of each vnode, the attribute exec_vnode
//   - stock.go: what a vnode, queue or server has of each resource, and how much of that is assigned
//   - hashorder.go: the order in which the C++ library lists the vnodes of a job (quirk P32)
package resource
