// Command month continues a recorded cluster for a month, for make demo-page. It stores a snapshot every four
// hours.
//
//	month STORE
//
// The recording is of a real 8.1.9 master with the policy of a use case in Grid Engine's documents: four
// projects with shares, licenses, memory as a consumable, seven jobs. Here the cluster has eight times as
// many slots and licenses. Jobs come and run as often and as long as on a real site (hpc2n.txt has counts, no
// jobs). Each has the requests of one of the seven recorded jobs. No master printed these bundles: qprism's
// engine computes starts, places, usage and all numbers.
//
// Its files:
//   - main.go: the loop over a month
//   - pattern.go: a pattern says how people use the cluster
//   - coming.go: the jobs of a month, as a lab
//   - play.go: the cluster from one moment to the next
//   - bundle.go: the bundle of a moment
package main
