package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// mostGarbage limits the garbage of a command that a person waits for, in bytes. Up to this size, nothing is collected.
// A collection takes processor time. It also reads lists while other functions fill them, so both become slower. If the
// memory in use is larger than this size, Go's usual rule applies: there may be as much garbage as memory in use.
const mostGarbage = 320 << 20

// ofSnapshots is the limit for commands that read the snapshots of a store one after the other.
const ofSnapshots = 96 << 20

// frugal are commands with a lower limit. 0 means Go's usual rule: these commands may run for days, or often run on the
// master's host.
var frugal = map[string]uint64{"serve": 0, "run": 0, "drive": 0, "view": 0, "import": 0, "history": ofSnapshots,
	"timeline": ofSnapshots, "changes": ofSnapshots, "analyse": ofSnapshots, "swf": ofSnapshots}

// leastUsed is in bytes. If less memory is in use, the runtime counts this much.
const leastUsed = 4 << 20

// collectSeldom makes garbage collection less frequent if a person waits for the command. It does nothing if GOGC is
// set. An argument that has the name of a frugal command counts, too: then the command only collects sooner.
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
// nothing uses. The next collection frees this object, and the runtime then calls afterCollection again. This
// took up to 0.3 s while all processors were busy; until then, the old percentage counts.
func afterCollection(most uint64) {
	const usual = 100
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetGCPercent(int(max(usual, usual*most/max(used[0].Value.Uint64(), leastUsed))))
	unused := new([64]byte)
	runtime.AddCleanup(unused, afterCollection, most)
}
