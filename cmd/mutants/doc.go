// Command mutants measures how well the audit and the tests find faults in the engine. The audit compares the
// engine's numbers with the numbers that a master printed. A fault is a deliberate error in one source file
// of the engine. The command tests one fault at a time. For each fault, it counts the wrong numbers that the
// audit reports as unexplained. It also counts the bundles with an unexplained number. The command also says
// which kinds of tests fail because of the fault.
//
// The command replaces the source file at compile time (go build -overlay). The source tree does not
// change.
//
//	mutants [-match TEXT] RECORDING...
//	        measures the faults in files whose name has TEXT (without -match: all faults), and prints a table
//	mutants -measure KIND [-base FILE] RECORDING...
//	        measures the engine in this program, and prints JSON
//
// For each fault, the command builds another mutants program, and runs it with -measure.
//
// Its files:
//   - main.go: the command line
//   - table.go: the faults; each is a small change in one file of the engine
//   - plant.go: measures every fault, and prints the table
//   - measure.go, cycles.go: the audit of recordings, of Grid Engine and of PBS (fixtures/pbs)
//   - predict.go: predicts the numbers of a run from the bundle before it
//   - print.go: prints the table as Markdown, with sums
package main
