package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
)

// mostGarbage limits the garbage of a command that a person waits for, in bytes. Up to this size, nothing is collected: a
// collection takes processor time, and reads new lists while other functions fill them, which slows down both. A command
// that uses more memory may have as much garbage as memory in use, as every Go program.
const mostGarbage = 320 << 20

// leastUsed is what the runtime counts at least as memory in use, in bytes.
const leastUsed = 4 << 20

// frugal are commands that may run for days, or that often run on the master's host. They collect garbage as usual.
var frugal = map[string]bool{"serve": true, "run": true, "drive": true, "view": true, "import": true}

// collectSeldom makes garbage collection less frequent if a person waits for the command. It does nothing if GOGC is
// set.
func collectSeldom(args []string) {
	isFrugal := slices.ContainsFunc(args, func(arg string) bool { return frugal[arg] })
	if os.Getenv("GOGC") == "" && !isFrugal {
		afterCollection()
	}
}

// afterCollection sets how much memory may grow, in percent of what the last collection left. The next collection frees
// mark. Then the runtime calls afterCollection again: at once, or 0.3 s later if both processors are busy.
func afterCollection() {
	const usual = 100
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetGCPercent(int(max(usual, usual*mostGarbage/max(used[0].Value.Uint64(), leastUsed))))
	mark := new([64]byte)
	runtime.AddCleanup(mark, func(int) { afterCollection() }, 0)
}
