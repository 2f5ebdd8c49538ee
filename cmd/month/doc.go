// Command month plays a recorded cluster on for a month, for make demo-page: moments that lie four hours apart go into a store.
//
//	month STORE
//
// The recording is that of a real 8.1.9 master with the policy of a use case of Grid Engine's documents: four projects with shares,
// licences, memory that is used up, seven jobs. The cluster has eight times as many slots and licences here. Jobs come, and run, as often
// and as long as those of a real site did (hpc2n.txt has counts of them, no job); each asks for what one of the seven recorded jobs asks
// for. What starts when and where, usage and all numbers that a bundle shows are those that the rules of qprism's engine give: no master
// printed them.
//
// Its files:
//   - main.go: see there
//   - pattern.go: A pattern says how people use a cluster
//   - coming.go: jobs that come within a month, as a lab
//   - play.go: A play is the cluster from one moment to the next
//   - bundle.go: bundle is what a master would print of the moment
package main
