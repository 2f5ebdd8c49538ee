package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"qprism/cmd/qprism/program"
)

// mostGarbage is how many bytes a command may leave before garbage is collected. If it uses more memory
// than that, it may leave as much as it uses, as usual.
const mostGarbage = 320 << 20

// frugal are the commands that may run for days, or often beside a master.
var frugal = map[string]bool{"serve": true, "drive": true, "view": true, "import": true}

// collectSeldom makes the garbage collector run less often for a command that a person waits for, unless GOGC is set.
func collectSeldom(args []string) {
	c, _, err := program.New().Find(args)
	if err == nil && os.Getenv("GOGC") == "" && !frugal[c.Name()] {
		afterCollection()
	}
}

// afterCollection sets by how many percent memory may grow, from what was in use after the last collection. The next
// collection frees the mark, and so calls it again.
func afterCollection() {
	const usual, most = 100, 400
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetGCPercent(int(max(usual, min(most, usual*mostGarbage/max(used[0].Value.Uint64(), 1)))))
	mark := new([64]byte)
	runtime.AddCleanup(mark, func(int) { afterCollection() }, 0)
}
