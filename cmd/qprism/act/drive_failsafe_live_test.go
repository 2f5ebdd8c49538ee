package act

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/act/drive"
	"qprism/fixtures/master"
)

// TestAFailingDecisionProgramNeverStopsARealCluster: on a real 8.1.9 master with four slots, jobs end and
// are followed by others, step after step. Whatever becomes of the program that says the order, freed slots
// are taken in that very step: in the order that it told last, or where it never told one in the
// scheduler's own. Each such step ends with the reason. A job that does not exist, or comes twice, leaves
// the rest of an order as it is.
func TestAFailingDecisionProgramNeverStopsARealCluster(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 1, 4)
	for _, c := range []struct{ name, program, says string }{
		{"exit status 1", "exit 1", "exit status 1"},
		{"garbage", "echo %PDF-1.4", "its output is not an order in JSON"},
		{"nothing", "true", "its output is not an order in JSON"},
		{"an empty order", "echo '[]'", "the order is empty"},
		{"jobs that do not exist alone", "echo '[999999]'", "none of the 1 jobs that it names"},
		{"it hangs", "sleep 100", "took longer than 1s"},
		{"it is not there", "", "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "decide")
			writes := func(text string) { must(t, os.WriteFile(program, []byte("#!/bin/sh\n"+text+"\n"), 0o755)) }
			d := newStore(t, "json")
			step := func() (string, error) {
				_, said, err := r.drive(d, r, func(o *drive.Options) {
					o.Policy, o.Interval, o.Own = "external "+program, 2*time.Second, []string{"all"}
				})
				trigger(t, r.Master)
				return said, err
			}
			jobs := r.submit(t, slices.Repeat([]master.Job{{User: "anna", Queues: "all.q"}}, 16)...)
			backwards := slices.Clone(jobs)
			slices.Reverse(backwards)

			// one is unknown, one comes twice
			writes(fmt.Sprintf("echo '[999999,%s,%s]'", strings.Join(backwards, ","), jobs[3]))
			if said, err := step(); err != nil || !strings.Contains(said, "ignored 2 jobs of its order") {
				t.Fatalf("%v\n%s", err, said)
			}
			running := r.inState(t, "r")
			if want := slices.Sorted(slices.Values(jobs[12:])); len(running) != 4 ||
				!slices.Equal(slices.Sorted(slices.Values(running)), want) {
				t.Fatalf("running are %v, wanted %v", running, want)
			}
			if writes(c.program); c.program == "" {
				must(t, os.Remove(program))
			}
			for n := range 2 {
				_, err := r.Master.Run("qdel", "-f", strings.Join(r.inState(t, "r"), ","))
				must(t, err)
				said, err := step()
				if !drive.IsFallback(err) || !strings.Contains(err.Error(), c.says) ||
					!strings.Contains(err.Error(), "this step used the order of ") {
					t.Errorf("%v\n%s", err, said)
				}
				want := slices.Sorted(slices.Values(jobs[8-4*n : 12-4*n]))
				if running := slices.Sorted(slices.Values(r.inState(t, "r"))); !slices.Equal(running, want) {
					t.Errorf("step %d: running are %v, wanted %v\n%s", n, running, want, said)
				}
			}

			// Nothing is known any more: the scheduler's own order.
			must(t, os.RemoveAll(filepath.Join(filepath.Dir(d.Store), "drive")))
			_, err := r.Master.Run("qdel", "-f", strings.Join(r.inState(t, "r"), ","))
			must(t, err)
			said, err := step()
			if !drive.IsFallback(err) || !strings.Contains(err.Error(), "this step used the scheduler's own order") {
				t.Errorf("%v\n%s", err, said)
			}
			if running := r.inState(t, "r"); len(running) != 4 {
				t.Errorf("running are %v\n%s", running, said)
			}
			r.release(t, d)
			if held := r.inState(t, "ho"); len(held) > 0 {
				t.Errorf("held are %v", held)
			}
			_, err = r.Master.Run("qdel", "-f", strings.Join(r.inState(t, "pr"), ","))
			must(t, err)
		})
	}
}
