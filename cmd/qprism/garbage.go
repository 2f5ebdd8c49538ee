package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// mostGarbage limits the garbage of a command that a person waits for, in bytes. Up to this size, nothing is collected. A
// collection takes processor time. It also reads lists while other functions fill them, so both become slower. If the
// memory in use is larger than this size, Go's usual rule applies: there may be as much garbage as memory in use.
const mostGarbage = 320 << 20

// frugal are commands with a lower limit: 0 for commands that may run for days, or that often run on the master's host,
// and 96 MB for commands that read many snapshots of a store one after the other.
var frugal = map[string]uint64{"serve": 0, "run": 0, "drive": 0, "view": 0, "import": 0,
	"history": 96 << 20, "timeline": 96 << 20, "changes": 96 << 20}

// leastUsed is in bytes. If less memory is in use, the runtime counts this much.
const leastUsed = 4 << 20

// collectSeldom makes garbage collection less frequent if a person waits for the command. It does nothing if GOGC is
// set.
func collectSeldom(args []string) {
	most := uint64(mostGarbage)
	for _, arg := range args {
		if less, isFrugal := frugal[arg]; isFrugal {
			most = min(most, less)
		}
	}
	if os.Getenv("GOGC") == "" && most > 0 {
		afterCollection(most)
	}
}

// afterCollection sets how much memory may grow, in percent of what the last collection left. It makes an object that
// nothing uses. The next collection frees this object, and the runtime then calls afterCollection again: at once, or
// 0.3 s later if both processors are busy.
func afterCollection(most uint64) {
	const usual = 100
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetGCPercent(int(max(usual, usual*most/max(used[0].Value.Uint64(), leastUsed))))
	unused := new([64]byte)
	runtime.AddCleanup(unused, afterCollection, most)
}
