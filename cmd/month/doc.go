// Command month simulates a busy cluster for one month, and writes its snapshots into a new store. "make
// demo-page" shows this store on the page.
//
//	month STORE
//
// Its steps:
//
//  1. It reads the recording of a real Grid Engine 8.1.9 master. The recording has four projects with
//     shares, licenses, memory as a consumable, and seven jobs. The policy comes from a use case in a Grid
//     Engine document.
//  2. It multiplies the slots and the licenses of the cluster by eight.
//  3. It chooses the jobs of the month at random, by the statistics in hpc2n.txt: how often users of a real
//     site submit jobs, and how long these jobs run. Each new job has the requests of one of the seven
//     recorded jobs.
//  4. qprism's engine plans the scheduler runs, and computes usage and priorities.
//  5. It stores a bundle for every four hours of the month. The command itself makes these bundles, not a
//     real master.
//
// Its files:
//   - main.go: the loop over a month
//   - pattern.go: a pattern says how often users submit jobs, and which
//   - jobs.go: the jobs of a month, as a lab
//   - play.go: simulates the cluster from one moment to the next
//   - bundle.go: the bundle of a moment
package main
