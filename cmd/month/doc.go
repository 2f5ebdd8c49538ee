// Command month simulates a busy cluster for one month, and writes its snapshots into a new store. "make
// demo-page" shows this store on the web page of qprism.
//
//	month STORE
//
// Its steps:
//
//  1. The command reads the recording of a real Grid Engine 8.1.9 master. The recording has four projects
//     with shares, and seven jobs. Some jobs request licenses, or memory as a consumable. The policy of the
//     recording comes from a use case in a Grid Engine document.
//  2. The command multiplies the slots and the licenses of the cluster by eight.
//  3. The command invents the jobs of the month at random. The statistics in hpc2n.txt say how often users of
//     a real site submitted jobs, and how long these jobs ran. Each new job has the requests of one of the
//     seven recorded jobs.
//  4. The command plans every run of the scheduler with qprism's engine. The engine also computes usage and
//     priorities.
//  5. For each four hours of simulated time, the command makes a bundle and stores it. A bundle has the
//     output that the commands of a cluster would print. No real master takes part in the simulation.
//
// Its files:
//   - main.go: makes a bundle for every four hours
//   - pattern.go: a pattern says how often users submit jobs, how large these jobs are, and how long they
//     run
//   - jobs.go: the jobs of a month, as lines of a lab (package importer/lab)
//   - play.go: simulates the cluster from one moment to the next
//   - bundle.go: the bundle of one moment in the month
package main
