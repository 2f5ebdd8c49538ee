// Package resource reads and adds amounts of resources as the PBS scheduler does, pbs_resources(7B). A
// Table gives each resource of a cluster an index. All other types use these indexes instead of names.
// Amounts have the scheduler's own units.
//
// Its files:
//   - resource.go: the table, the kinds of resources, how amounts are printed
//   - request.go: select and place specifications
//   - portion.go: a job's part of each vnode, the attribute exec_vnode
//   - stock.go: the resources of a vnode, queue or server, and how much is assigned
//   - hashorder.go: the order in which the C++ library lists the vnodes of a job (quirk P32)
package resource
