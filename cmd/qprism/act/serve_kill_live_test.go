package act

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/engine/model"
	"qprism/fixtures/sshd"
)

var (
	kills     = flag.Int("faults.kills", 2, "so many times is serve killed, at random instants")
	allFaults = flag.Bool("faults.all", false, "each fault at each place (make faults), not only some")
)

// few is how many of so many places of a fault there are between two that are tried.
func few(n int) int {
	if *allFaults {
		return 1
	}
	return n
}

// TestARealPushOfServeIsKilledAtAnyInstant kills serve with SIGKILL at random instants: a third of them
// anywhere from its start to the end of its push over SSH, the others from the moment at which the push is
// in the store. Every other time the next serve finds the push and finishes it, else push --resume does. No
// order's state is left unknown, every job has what it had before after --undo, and the store is whole.
func TestARealPushOfServeIsKilledAtAnyInstant(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	l := newFaultLab(t, 40)
	config := configFor(t, l.server, `
    allow: push
    capture: {at: "@every 2h", slow: 20s}
    push: {at: "@every 1s", order: wanted, await: 300ms}
`)
	dir := filepath.Dir(config)
	order, err := os.ReadFile(l.file)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "wanted"), order, 0o600))
	d := &cli.Deps{Store: filepath.Join(dir, "store.db"), Format: "table"}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)

	whole, push := l.untilPushed(t, d, config)
	l.allUndone(t, d)
	counts := map[string]int{}
	const moreKills = 10 // than asked for, as none of two may hit a push
	n := 0
	for ; n < *kills || counts["no push was open"] == n && n < *kills+moreKills; n++ {
		instant := time.Duration(random.Int64N(int64(whole)))
		s := startServe(t, config)
		if n%3 != 0 {
			instant = time.Duration(random.Int64N(int64(push)))
			awaitOpen(t, d)
		}
		time.Sleep(instant)
		must(t, s.cmd.Process.Kill())
		<-s.done
		open := openPushes(t, d)
		isWhole(t, d.Store)
		what := map[bool]string{true: "no push was open", false: "a push was open"}[len(open) == 0]
		switch {
		case len(open) > 1:
			t.Fatalf("%d pushes are open", len(open))
		case len(open) == 1 && n%2 == 0:
			l.untilPushed(t, d, config)
		case len(open) == 1:
			o := l.over()
			o.Resume, o.Apply = true, true
			l.push(t, d, o, false)
		}
		if len(open) == 1 {
			for _, order := range open[0].Orders {
				if order.State == model.OrderSent {
					what = "a push was open, with orders sent"
				}
			}
		}
		counts[what]++
		l.allUndone(t, d)
		if t.Failed() {
			t.Fatalf("kill %d, %v after the start, when %s", n+1, instant, what)
		}
	}
	t.Logf("%d kills, from start to end %v, of a push %v: %v", n, whole.Round(time.Millisecond),
		push.Round(time.Millisecond), counts)
	if counts["no push was open"] == n {
		t.Error("no push was killed")
	}
}

// awaitOpen waits until a push is in the store that has not ended.
func awaitOpen(t *testing.T, d *cli.Deps) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(openPushes(t, d)) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no push begins")
		}
	}
}

// untilPushed lets serve push to the end, or finish a push, and returns how long that took from its start,
// and from the moment at which the push was in the store.
func (l *faultLab) untilPushed(t *testing.T, d *cli.Deps, config string) (whole, push time.Duration) {
	t.Helper()
	began := time.Now()
	s := startServe(t, config)
	awaitOpen(t, d)
	whole = time.Since(began)
	s.await(t, `(msg=done .*task=push|the push is complete)`, 1)
	push = time.Since(began) - whole
	s.stop(t)
	if open := openPushes(t, d); len(open) > 0 {
		t.Fatalf("push %d is open", open[0].ID)
	}
	return whole + push, push
}

func openPushes(t *testing.T, d *cli.Deps) (list []*model.Push) {
	t.Helper()
	for _, p := range allPushes(t, d) {
		if p.Open() {
			list = append(list, p)
		}
	}
	return list
}

// allUndone takes back all pushes, the last one first.
func (l *faultLab) allUndone(t *testing.T, d *cli.Deps) {
	t.Helper()
	o := l.over()
	o.Undo, o.Apply = true, true
	for range 4 {
		if _, err := l.run(d, nil, o, nil); err != nil {
			if !strings.Contains(err.Error(), "there is no push to take back") {
				t.Error(err)
			}
			break
		}
	}
	l.asTheyWere(t, l.restored, "undone")
	if now := l.allRequests(t); now != l.requests {
		t.Errorf("the requests have changed:\n%s", firstChange(l.requests, now))
	}
	trigger(t, l.Master)
	l.consistent(t, d)
}
