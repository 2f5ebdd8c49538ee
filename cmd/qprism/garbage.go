package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
)

// mostGarbage limits the garbage of a command that a person waits for, in bytes. Up to this size, nothing is collected. A
// collection takes processor time. It also reads lists while other functions fill them, so both become slower. If the
// memory in use is larger than this size, Go's usual rule applies: there may be as much garbage as memory in use.
const mostGarbage = 320 << 20

// leastUsed is in bytes. If less memory is in use, the runtime counts this much.
const leastUsed = 4 << 20

// frugal are commands that may run for days, that often run on the master's host, or that read many snapshots of a store
// one after the other. They collect garbage as usual: the last kind is not slower then, and uses half the memory.
var frugal = map[string]bool{"serve": true, "run": true, "drive": true, "view": true, "import": true,
	"history": true, "timeline": true, "changes": true}

// collectSeldom makes garbage collection less frequent if a person waits for the command. It does nothing if GOGC is
// set.
func collectSeldom(args []string) {
	isFrugal := slices.ContainsFunc(args, func(arg string) bool { return frugal[arg] })
	if os.Getenv("GOGC") == "" && !isFrugal {
		afterCollection()
	}
}

// afterCollection sets how much memory may grow, in percent of what the last collection left. It makes an object that
// nothing uses. The next collection frees this object, and the runtime then calls afterCollection again: at once, or
// 0.3 s later if both processors are busy.
func afterCollection() {
	const usual = 100
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetGCPercent(int(max(usual, usual*mostGarbage/max(used[0].Value.Uint64(), leastUsed))))
	unused := new([64]byte)
	runtime.AddCleanup(unused, func(int) { afterCollection() }, 0)
}
