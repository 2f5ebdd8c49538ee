package act

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/act/drive"
	"qprism/fixtures/master"
)

// TestTheMasterLetsTheNextOneGo: of a user's jobs one may run at once. When it ends the next one starts in
// the run that sees the end, on a real master of which nobody takes a step meanwhile, and not the one
// behind it; what a job waited for is nowhere to be seen afterwards.
func TestTheMasterLetsTheNextOneGo(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 1, 4)
	jobs := r.submit(t, slices.Repeat([]master.Job{{User: "anna", Queues: "all.q", Resources: "h_rt=7200"}}, 4)...)
	before := r.described(t, jobs)
	file := filepath.Join(t.TempDir(), "rules.yaml")
	must(t, os.WriteFile(file, []byte("- {jobs: [user=anna], at_most: 1}\n"), 0o600))
	d := newStore(t, "json")
	step := func(running, held string) {
		t.Helper()
		if _, said, err := r.drive(d, r, func(o *drive.Options) { o.Own, o.Rules = []string{"all"}, file }); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		trigger(t, r.Master)
		if is := strings.Join(r.inState(t, "r"), " "); is != running {
			t.Errorf("%s run, wanted %s", is, running)
		}
		if is := strings.Join(r.inState(t, "ho"), " "); is != held {
			t.Errorf("%s are held, wanted %s", is, held)
		}
	}
	step(jobs[0], strings.Join(jobs[1:], " "))
	step(jobs[0], strings.Join(jobs[1:], " ")) // what the second one waits for is told to the master,
	step(jobs[0], strings.Join(jobs[2:], " ")) // and seen
	r.free(t)
	trigger(t, r.Master)
	if is := r.inState(t, "r"); !slices.Equal(is, jobs[1:2]) {
		t.Fatalf("%v run, wanted %s, without a step", is, jobs[1])
	}
	step(jobs[1], strings.Join(jobs[2:], " "))
	for job, is := range r.described(t, jobs[1:2]) {
		if withoutPriority(is) != withoutPriority(before[job]) {
			t.Errorf("job %s has started, was\n%s\nand is\n%s", job, before[job], is)
		}
	}
	step(jobs[1], jobs[3])
	r.release(t, d)
	delete(before, jobs[0])
	r.asBefore(t, "given back", before, nil)
}
