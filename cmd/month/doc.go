// Command month simulates a busy cluster for one month, and writes its snapshots into a new store. "make
// demo-page" shows that store.
//
//	month STORE
//
// Its steps:
//
//  1. It reads the recording of a real 8.1.9 master: four projects with shares, licenses, memory as a
//     consumable, and seven jobs. The policy is a use case from a Grid Engine document.
//  2. It gives the cluster eight times as many slots and licenses.
//  3. It draws the jobs of the month from hpc2n.txt: how often users of a real site submit jobs, and how
//     long these run. Each new job has the requests of one of the seven recorded jobs.
//  4. qprism's engine plans the scheduler runs, and computes usage and priorities.
//  5. It stores a bundle every four hours. No master printed these bundles.
//
// Its files:
//   - main.go: the loop over a month
//   - pattern.go: a pattern says how often users submit jobs, and which
//   - coming.go: the jobs of a month, as a lab
//   - play.go: simulates the cluster from one moment to the next
//   - bundle.go: the bundle of a moment
package main
