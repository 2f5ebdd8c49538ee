package steer_test

import (
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/assign"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/steer"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer/gridengine"
)

// TestRecordedQueuesAreSteered reverses each recorded queue in which -p has a weight, and turns it by a third, and recomputes the
// order after the changes with all terms: it is the wanted one, or the steering says what it is instead.
func TestRecordedQueuesAreSteered(t *testing.T) {
	archives, err := filepath.Glob("../../../fixtures/gridengine/8.1.9-*.tar.gz")
	if err != nil || len(archives) < 15 {
		t.Fatal(len(archives), err)
	}
	queues, exact, drifting := 0, 0, 0
	for _, name := range archives {
		for bundle, s := range recordedIn(t, name) {
			if s.Policy.WeightPriority <= 0 {
				continue
			}
			run := lastRun(s)
			jobs := numbers(run.Native(nil))
			for _, wanted := range [][]uint32{reversed(jobs), slices.Concat(jobs[len(jobs)/3:], jobs[:len(jobs)/3])} {
				st, err := run.Steer(wanted, assign.Scale{Weight: s.Policy.WeightPriority, Min: -1023, Max: 1024})
				if err != nil {
					t.Fatalf("%s %s: %v", name, bundle, err)
				}
				after := numbers(run.Native(st.Changes))
				queues++
				switch {
				case !slices.Equal(after, st.After):
					t.Errorf("%s %s: promised %v, recomputed %v", name, bundle, st.After, after)
				case slices.Equal(after, wanted):
					exact++
				case st.Drifts:
					drifting++
				case len(st.Sooner) == 0:
					t.Errorf("%s %s: got %v, wanted %v, and nothing is said", name, bundle, after, wanted)
				}
			}
		}
	}
	t.Logf("%d orders of recorded queues: %d reached, %d that tickets move away from", queues, exact, drifting)
	if exact < 40 || drifting > queues/20 {
		t.Errorf("of %d orders %d are reached, %d drift", queues, exact, drifting)
	}
}

// TestJobsOfUnknownUrgencyAreNotSteered takes the submission from all jobs, as a bundle without qstat-j.xml has it, and weighs infinitely.
func TestJobsOfUnknownUrgencyAreNotSteered(t *testing.T) {
	queues := 0
	for bundle, s := range recordedIn(t, "../../../fixtures/gridengine/8.1.9-prio-1.tar.gz") {
		s.Policy.WeightUrgency, s.Policy.WeightPriority = 1, 1
		scale := assign.Scale{Weight: 1, Min: -1023, Max: 1024}
		wanted := reversed(numbers(lastRun(s).Native(nil)))
		queues += len(wanted)
		s.Policy.WeightWaitingTime = math.Inf(1)
		if _, err := lastRun(s).Steer(wanted, scale); len(wanted) > 0 &&
			(err == nil || !strings.Contains(err.Error(), "weight_waiting_time +Inf")) {
			t.Errorf("%s, infinite weight: %v", bundle, err)
		}
		s.Policy.WeightWaitingTime = 0.004
		for i := range s.Jobs {
			s.Jobs[i].Submitted = time.Time{}
		}
		if _, err := lastRun(s).Steer(wanted, scale); len(wanted) > 0 &&
			(err == nil || !strings.Contains(err.Error(), "submission time (qstat-j.xml has it)")) {
			t.Errorf("%s, unknown submission: %v", bundle, err)
		}
	}
	if queues == 0 {
		t.Error("nothing waits")
	}
}

// recordedIn reads the bundles of an archive, by their folders.
func recordedIn(t *testing.T, name string) map[string]*model.Snapshot {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	snapshots := map[string]*model.Snapshot{}
	err = fs.WalkDir(files, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Base(file) != "sched_conf.txt" {
			return err
		}
		bundle, err := fs.Sub(files, path.Dir(file))
		if err != nil {
			return err
		}
		snapshots[path.Dir(file)], err = gridengine.Read(bundle, gridengine.Options{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return snapshots
}

// lastRun is the run at the moment of a snapshot, with the order of jobs that the run before it shows.
func lastRun(s *model.Snapshot) steer.Run {
	_, quirks := compat.For(s.Release)
	var sequence map[uint32]int
	if view, _ := lastrun.Look(s, lastrun.Options{Quirks: quirks}); view != nil {
		sequence = view.Ordered().Sequence()
	}
	return steer.NewRun(s, s.TakenAt, quirks, sequence)
}

func numbers(jobs []assign.Waiting) (list []uint32) {
	for _, j := range jobs {
		list = append(list, j.Job)
	}
	return list
}

func reversed(order []uint32) []uint32 {
	list := slices.Clone(order)
	slices.Reverse(list)
	return list
}
