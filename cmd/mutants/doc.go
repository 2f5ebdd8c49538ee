// Command mutants plants faults in the engine, one at a time, and tells what notices them: how many of the numbers that become wrong the
// audit calls unexplained, in how many of the bundles with wrong numbers it says so at all, and which tests fail. A fault is laid over one
// file of the source (go build -overlay); the tree is not touched.
//
//	mutants [-match TEXT] RECORDING...      measures all faults, and prints the table
//	mutants -measure KIND [-base FILE] RECORDING...     what this program's own engine says, as JSON; used by the above
//
// Its files:
//   - cycles.go: measureCycles audits the recordings of PBS in fixtures/pbs
//   - main.go: see there
//   - measure.go: A measure is what the engine that this program was built with says of recordings
//   - plant.go: plantAll measures every fault and prints the table
//   - predict.go: predicted computes the numbers of a run from the bundle before it
//   - print.go: printTable prints the verdicts as Markdown, and the sums of each kind
//   - table.go: A mutant is one small fault, planted in one file of the engine
package main
