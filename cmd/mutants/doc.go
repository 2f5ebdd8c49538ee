// Command mutants plants faults in the engine, one at a time, and counts what notices them: how many of the
// wrong numbers the audit calls unexplained, in how many bundles, and which tests fail. A fault replaces one
// source file (go build -overlay); the source tree does not change.
//
//	mutants [-match TEXT] RECORDING...      measures all faults, and prints the table
//	mutants -measure KIND [-base FILE] RECORDING...     measures this program's own engine, as JSON; used by the above
//
// Its files:
//   - main.go: the command line
//   - table.go: a mutant is one small fault in one file of the engine
//   - plant.go: measures every fault, and prints the table
//   - measure.go, cycles.go: results of this program's engine for recordings of Grid Engine, and of PBS in fixtures/pbs
//   - predict.go: numbers of a run from the bundle before it
//   - print.go: the verdicts as Markdown, with sums
package main
