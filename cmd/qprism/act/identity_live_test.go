package act

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

// twins are two real masters that call themselves the same, with jobs of the same numbers.
func twins(t *testing.T) (a, b *room) {
	t.Helper()
	return waiting(t, "user0"), waiting(t, "user0")
}

// waiting is a master with four waiting jobs.
func waiting(t *testing.T, user string) *room {
	t.Helper()
	m := master.Start(t, master.Options{})
	must(t, m.Apply(master.Scenario{Users: []master.Object{{"name": master.Value(user)}},
		Hosts:     []master.Object{{"name": "node01"}},
		Queues:    []master.Object{{"qname": "all.q", "slots": "1"}},
		SchedConf: master.Object{"weight_priority": "1", "weight_urgency": "0"}}))
	for range 4 {
		_, err := m.Submit(master.Job{User: user, Hold: false})
		must(t, err)
	}
	trigger(t, m)
	return &room{Master: m}
}

// TestAnOrderNeverReachesTheOtherOfTwoRealMastersOfOneName: a bundle of A is pushed to A alone, and what
// takes it back or finishes it reaches no job of B, though B has the same name and jobs of the same numbers
// with the same -p. Without --push, it is the last push of the cluster that is reached.
func TestAnOrderNeverReachesTheOtherOfTwoRealMastersOfOneName(t *testing.T) {
	t.Parallel()
	a, b := twins(t)
	d := newStore(t, "table")
	order, _ := a.listed(t)
	last := order[len(order)-1]
	_, before := b.listed(t)
	locks := t.TempDir()
	first := push.Options{First: []string{last}, Apply: true, LockDir: locks}
	refused := func(what string, host *room, o push.Options, bundle []string, want string) {
		t.Helper()
		o.LockDir = locks
		if said, err := b.run(d, host, o, bundle); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", what, err, said)
		}
	}
	refused("a bundle of A pushed to B", b, first, a.bundle(t),
		"refused: this is another cluster. The changes are for qmaster/default. The commands here "+
			"(on this machine) reach another cluster: its root folder (SGE_ROOT, PBS_HOME) is "+b.Root)
	b.asTheyWere(t, before, "a bundle of A pushed to B")
	if said, err := a.run(d, a, first, a.bundle(t)); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	_, pushed := a.listed(t)
	// B has the very values that A was given: nothing but the cluster itself tells them apart.
	for job, p := range pushed {
		if p != before[job] {
			_, err := b.Master.Run("qalter", "-p", pAs(t, a, job), job)
			must(t, err)
		}
	}
	trigger(t, b.Master)
	_, before = b.listed(t)
	refused("undo with B's settings", b, push.Options{Undo: true}, nil,
		"there is no push to take back on this cluster; push 1 is for qmaster/default: its root folder")
	refused("undo of that push with B's settings", b, push.Options{Undo: true, ID: 1}, nil,
		"this is another cluster. The changes are for qmaster/default. The commands here "+
			"(on this machine) reach another cluster: its root folder")
	b.asTheyWere(t, before, "undo")

	// A push of B behind it is not what A's undo takes back.
	bLast := push.Options{First: []string{order[0]}, Apply: true, LockDir: locks}
	if said, err := b.run(d, b, bLast, b.bundle(t)); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	_, before = b.listed(t)
	if said, err := a.run(d, a, push.Options{Undo: true, Apply: true, LockDir: locks}, nil); err != nil ||
		!strings.Contains(said, "Push 3") {
		t.Errorf("%v\n%s", err, said)
	}
	b.asTheyWere(t, before, "A's undo")
	if pushes := allPushes(t, d); len(pushes) != 3 || pushes[2].Undoes != 1 || pushes[0].Cluster == pushes[1].Cluster {
		t.Errorf("%+v", pushes)
	}
}

// pAs is the -p of a job as qalter takes it.
func pAs(t *testing.T, r *room, job string) string {
	t.Helper()
	text, err := r.Master.Run("qstat", "-j", job)
	must(t, err)
	for line := range strings.Lines(text) {
		if p, ok := strings.CutPrefix(line, "priority:"); ok {
			return strings.TrimSpace(p)
		}
	}
	return "0"
}

// TestAJobNumberThatWasUsedAgainIsNotHit: on the same master, a job of the same number and -p that was submitted later.
func TestAJobNumberThatWasUsedAgainIsNotHit(t *testing.T) {
	t.Parallel()
	r := waiting(t, "user0")
	d := newStore(t, "table")
	order, _ := r.listed(t)
	bundle := r.bundle(t)
	last := order[len(order)-1]
	details := filepath.Join(bundle[0], "qstat-j.xml")
	text, err := os.ReadFile(details)
	must(t, err)
	earlier := regexp.MustCompile(`<JB_submission_time>(\d+)<`).ReplaceAllStringFunc(
		string(text), func(element string) string {
			at, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(element, "<JB_submission_time>"), "<"))
			must(t, err)
			return fmt.Sprintf("<JB_submission_time>%d<", at-100)
		})
	must(t, os.WriteFile(details, []byte(earlier), 0o600))
	_, was := r.listed(t)
	said, err := r.run(d, r, push.Options{First: []string{last}, Apply: true, LockDir: t.TempDir()}, bundle)
	if !strings.Contains(said, "another job has the number now: "+last+" belongs to user0, submitted ") {
		t.Errorf("%v\n%s", err, said)
	}
	r.asTheyWere(t, was, "the job of that number")
}

// TestTwoRealMastersOfOneNameKeepTheirCapturesApart: reached in the same way, each has its own schedule,
// accounting and messages, and one that is being captured does not block the other.
func TestTwoRealMastersOfOneNameKeepTheirCapturesApart(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	a, b := twins(t)
	d := newStore(t, "table")
	states := map[string]bool{}
	for _, r := range []*room{a, b} {
		runner := &control.Shell{Host: r}
		site, err := runner.Site(t.Context())
		must(t, err)
		if site.Root != r.Root || site.Host != "qmaster" || site.Port == "" || site.Config == "" || site.Made == "" {
			t.Errorf("%+v", site.Identity)
		}
		folder := subject.Reach{From: "master"}.State(d, site)
		states[folder] = true
		unlock, err := subject.LockState(folder)
		must(t, err)
		defer unlock()
		runner.Close()
	}
	if len(states) != 2 {
		t.Errorf("they share %v", states)
	}
}
