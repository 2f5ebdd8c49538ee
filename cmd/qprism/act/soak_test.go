package act

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/keep"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

var (
	soakFor    = flag.Duration("soak", 0, "serve a real master for so `long` (make soak)")
	soakKeep   = flag.String("soak.keep", "", "copy the store to this `file` at the end")
	soakMargin = flag.Float64("soak.margin", 0, "the margin of the pushes")
	soakEvery  = flag.Duration("soak.every", time.Minute, "the cadence of capture, audit and push")
)

// A soakSample is what serve uses at a moment.
type soakSample struct {
	at                      time.Duration
	goroutines, descriptors int
	heap, resident, store   int64
	waiting                 int // jobs of the last snapshot
}

// TestServeDoesNotLeak serves a real master over a real sshd for a long time, with jobs that come, run and
// end, and measures what the process uses after each cadence. In the last third none of it may be more than
// in the first but for what a little noise explains; all tasks must have gone well, and pushes must have
// had something to do.
func TestServeDoesNotLeak(t *testing.T) {
	if *soakFor == 0 {
		t.Skip("make soak runs this for half an hour")
	}
	sshd.Require(t)
	m := soaked(t)
	ssh := sshTo(t, m, "")
	every := func(n int) string { return fmt.Sprintf("'@every %v'", time.Duration(n)**soakEvery) }
	config := configFor(t, ssh, "    allow: [push, drive]\n    capture: "+every(1)+"\n    audit: "+every(1)+"\n"+
		"    push: {at: "+every(1)+", policy: fairshare, margin: "+fmt.Sprint(*soakMargin)+
		", lock_dir: LOCKS}\n    drive: {at: "+every(2)+
		", own: user=user4, lock_dir: LOCKS}\n"+
		"    diff: {at: "+every(5)+", over: "+(10**soakEvery).String()+"}\n")
	replaceIn(t, config, "store: {file: store.db}", "store: {file: store.db, prune: "+every(5)+
		", keep: "+(10**soakEvery).String()+"}")
	t.Cleanup(func() { keepStore(t, filepath.Join(filepath.Dir(config), "store.db")) })
	running := startServe(t, config)
	began := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		keepBusy(t, m, began.Add(*soakFor))
	}()
	var samples []soakSample
	for time.Since(began) < *soakFor {
		time.Sleep(*soakEvery)
		samples = append(samples, running.sample(t, began, filepath.Join(filepath.Dir(config), "store.db")))
		t.Log(samples[len(samples)-1])
	}
	<-done
	running.stop(t)
	judge(t, samples)
	tallied(t, running.log())
}

// soaked is a master whose scheduler runs every 15 seconds by itself, with six slots on two hosts and a
// queue of sixty jobs of five users.
func soaked(t *testing.T) *master.Master {
	t.Helper()
	m := master.Start(t, master.Options{})
	s := master.Scenario{
		Hosts:  []master.Object{{"name": "node01"}, {"name": "node02"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "3"}},
		SchedConf: master.Object{"weight_priority": "1", "weight_urgency": "0.1", "weight_ticket": "0.01",
			"weight_tickets_functional": "1000000",
			"weight_user":               "1", "weight_project": "0", "weight_department": "0", "weight_job": "0",
			"schedule_interval": "0:0:15"},
	}
	for i := range 5 {
		s.Users = append(s.Users, master.Object{"name": master.Value(fmt.Sprintf("user%d", i)),
			"fshare": master.Value(strconv.Itoa(100 * (i + 1)))})
	}
	must(t, m.Apply(s))
	for i := range 60 {
		submitShort(t, m, i)
	}
	return m
}

// submitShort submits a job that runs for 20 seconds, of one of five users.
func submitShort(t *testing.T, m *master.Master, i int) {
	runtime := 20
	if _, err := m.Submit(master.Job{User: fmt.Sprintf("user%d", i*7%5), Runtime: &runtime}); err != nil {
		t.Errorf("submit: %v", err)
	}
}

// keepBusy submits jobs, about as many as the master has run, so that the queue stays as long as it is.
func keepBusy(t *testing.T, m *master.Master, until time.Time) {
	waiting := regexp.MustCompile(`(?m)^ +\d+ .* h?qw `)
	for i := 0; time.Now().Before(until); i++ {
		list, err := m.Run("qstat", "-s", "p", "-u", "*")
		if err != nil {
			t.Errorf("qstat: %v", err)
			return
		}
		for n := len(waiting.FindAllString(list, -1)); n < 60; n++ {
			submitShort(t, m, i)
			i++
		}
		time.Sleep(7 * time.Second)
	}
}

// sample measures serve.
func (s *serving) sample(t *testing.T, began time.Time, store string) soakSample {
	t.Helper()
	_, h := s.health(t)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	must(t, err)
	resident := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if resident == nil {
		t.Fatalf("no VmRSS in\n%s", status)
	}
	kB, _ := strconv.ParseInt(string(resident[1]), 10, 64)
	r := soakSample{at: time.Since(began).Round(time.Second), goroutines: h.Process.Goroutines,
		descriptors: h.Process.Descriptors,
		heap:        int64(h.Process.Heap), resident: kB << 10}
	db, err := sqlite.Open(store)
	must(t, err)
	defer db.Close()
	r.store = db.Size()
	if list, err := db.Snapshots(t.Context()); err == nil && len(list) > 0 {
		r.waiting = int(list[len(list)-1].Pending)
	}
	return r
}

func (s soakSample) String() string {
	return fmt.Sprintf("%8v: %d goroutines, %d descriptors, heap %s, resident %s, store %s, %d jobs wait",
		s.at, s.goroutines, s.descriptors,
		keep.BytesText(s.heap), keep.BytesText(s.resident), keep.BytesText(s.store), s.waiting)
}

// judge compares the last third of the samples with the first, after a sixth in which all is done for the
// first time. Counts may differ by two, what a task that runs at that moment has; the least heap and the
// least resident memory by a tenth and 2 MB: what is garbage at the moment of a sample is chance.
func judge(t *testing.T, samples []soakSample) {
	t.Helper()
	samples = samples[len(samples)/6:]
	third := len(samples) / 3
	if third == 0 {
		t.Fatalf("only %d samples", len(samples))
	}
	first, last := samples[:third], samples[len(samples)-third:]
	for _, c := range []struct {
		what  string
		value func(soakSample) int64
		noise func(int64) int64
	}{
		{"goroutines", func(s soakSample) int64 { return int64(s.goroutines) }, func(int64) int64 { return 2 }},
		{"descriptors", func(s soakSample) int64 { return int64(s.descriptors) }, func(int64) int64 { return 2 }},
		{"bytes of heap", func(s soakSample) int64 { return s.heap }, func(n int64) int64 { return n/10 + 2<<20 }},
		{"bytes resident", func(s soakSample) int64 { return s.resident }, func(n int64) int64 { return n/10 + 2<<20 }},
	} {
		was, is := least(first, c.value), least(last, c.value)
		t.Logf("%s: least of the first third %d, of the last %d", c.what, was, is)
		if is > was+c.noise(was) {
			t.Errorf("%s grow from %d to %d", c.what, was, is)
		}
	}
}

func least(samples []soakSample, value func(soakSample) int64) int64 {
	return value(slices.MinFunc(samples, func(a, b soakSample) int { return int(value(a) - value(b)) }))
}

// tallied counts what serve did; nothing of it may have failed.
func tallied(t *testing.T, log string) {
	t.Helper()
	for _, task := range []string{"capture", "audit", "diff", "push", "drive", "release", "prune"} {
		done := regexp.MustCompile(`msg=done .*task=`+task+` `).FindAllString(log, -1)
		t.Logf("%s: done %d times", task, len(done))
		if len(done) == 0 {
			t.Errorf("%s was never done", task)
		}
	}
	orders := 0
	for _, m := range regexp.MustCompile(`msg=done .*task=push .* orders=(\d+)`).FindAllStringSubmatch(log, -1) {
		n, _ := strconv.Atoi(m[1])
		orders += n
	}
	for _, m := range regexp.MustCompile(`msg=done .*task=push .* (waiting=.*)`).FindAllStringSubmatch(log, -1) {
		t.Log(m[1])
	}
	driven := 0
	for _, m := range regexp.MustCompile(`msg=done .*task=drive .* orders=(\d+)`).FindAllStringSubmatch(log, -1) {
		n, _ := strconv.Atoi(m[1])
		driven += n
	}
	agreed := strings.Count(log, "agrees=true")
	t.Logf("pushes sent %d orders; after %d of them the master's order was the wanted one", orders, agreed)
	t.Logf("drives sent %d orders", driven)
	// that the order is not the wanted one in the next run is in the nature of a queue in which jobs come and go
	if orders == 0 {
		t.Error("the pushes had nothing to do")
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "level=ERROR") || strings.Contains(line, "msg=skipped") {
			t.Errorf("%s", line)
		}
	}
}

// replaceIn replaces a text in a file.
func replaceIn(t *testing.T, file, old, other string) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	if !strings.Contains(string(text), old) {
		t.Fatalf("no %q in %s", old, file)
	}
	must(t, os.WriteFile(file, []byte(strings.Replace(string(text), old, other, 1)), 0o600))
}

// keepStore copies the store where -soak.keep says.
func keepStore(t *testing.T, store string) {
	if *soakKeep == "" {
		return
	}
	for _, end := range []string{"", "-wal"} {
		if text, err := os.ReadFile(store + end); err == nil {
			must(t, os.WriteFile(*soakKeep+end, text, 0o600))
		}
	}
}
