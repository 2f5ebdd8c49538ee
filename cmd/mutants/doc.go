// Command mutants measures how well the audit and the tests find faults in the engine. The audit compares the
// engine's numbers with the numbers that a master printed. A fault is a deliberate error in one source file
// of the engine. The command tests one fault at a time. Because of the fault, the engine computes some wrong
// numbers. The audit notices a wrong number if it reports this number as unexplained. The command counts all
// wrong numbers, and it counts the wrong numbers that the audit notices. It also counts the bundles in which
// the audit notices a wrong number. The command also says which kinds of tests fail because of the fault.
//
// For each fault, the command copies the source file, and puts the fault into the copy. With the option
// -overlay, go build compiles this copy instead of the source file. So the source tree does not change. In
// this way, the command builds a new version of its own program. The engine in this new version has the
// fault. Then the command runs the new version with the option -measure: the new version measures its engine.
//
//	mutants [-match TEXT] RECORDING...
//	        measures the faults in files whose name has TEXT (without -match: all faults), and prints a table
//	mutants -measure KIND [-base FILE] RECORDING...
//	        measures the engine in this program, and prints JSON
//
// KIND is one of the words priorities, predictions, dispatch, cycles and all. It says which results to
// measure. FILE has the output of -measure for the engine without a fault. This output has the time of each
// recorded run, as that engine computed it. An engine with a fault can compute a wrong time. So the program
// also measures at the times in FILE.
//
// Its files:
//   - main.go: the command line
//   - table.go: the faults; each is a small change in one file of the engine
//   - plant.go: measures every fault, and prints the table
//   - measure.go, cycles.go: the audit of recordings, of Grid Engine and of PBS (fixtures/pbs)
//   - predict.go: predicts the numbers of a run from the bundle before it
//   - print.go: prints the table as Markdown, with sums
package main
