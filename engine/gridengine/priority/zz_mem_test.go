package priority_test

import (
	"os"
	"runtime"
	"runtime/pprof"
	"testing"

	"qprism/compat"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
)

func TestZZMem(t *testing.T) {
	var a, b, c runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&a)
	s, q := queueOf(1000000), compat.Profiles["8.1.9"]
	runtime.GC()
	runtime.ReadMemStats(&b)
	r := priority.Rank(s, split.Jobs(s, noon, q, split.Assumed{Coming: true}), noon, q)
	runtime.GC()
	runtime.ReadMemStats(&c)
	t.Logf("snapshot %d, rank kept %d, rank allocated %d, sys %d", b.HeapAlloc-a.HeapAlloc, c.HeapAlloc-b.HeapAlloc, c.TotalAlloc-b.TotalAlloc, c.HeapSys)
	f, _ := os.Create("/tmp/mem.prof")
	pprof.Lookup("heap").WriteTo(f, 0)
	f.Close()
	runtime.KeepAlive(r)
	runtime.KeepAlive(s)
}
