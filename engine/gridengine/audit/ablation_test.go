package audit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qprism/compat"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer/gridengine"
)

// An excuse is how a sentence begins that the audit has for a number, and a recording in which numbers need it: without it they are
// unexplained. One that none needs goes.
type excuse struct {
	why     string
	bundle  string
	hidden  string // files that the bundle lacks
	numbers int
}

const fixtures = "../../../fixtures/gridengine/"

var excuses = []excuse{
	{"started in this run; the master shows the value of an earlier run", fixtures + "8.1.9-reservation-licence.tar.gz/run3/after", "", 1},
	{"started in this run; the master shows the value of an earlier run", fixtures + "8.1.9-job-filter.tar.gz/run2/after", "", 2},
	{"started in this run; the master shows the share from the run before", fixtures + "8.1.9-job-filter.tar.gz/run2/after", "", 1},
	{"not part of this run; the master shows the value of an earlier run", "testdata/8.1.9-suspended.tar.gz/run3/after", "", 21},
	{"not part of this run; the master shows the value at its start", "testdata/8.1.9-rushed.tar.gz/run3/after", "", 1},
	{"rescheduled tasks use up the limit of the job", "testdata/8.1.9-rushed.tar.gz/run3/after", "", 2},
	{"rescheduled tasks use up the limit of the job", "testdata/8.1.9-rescheduled.tar.gz/run3/after", "", 4},
	{"a rescheduled task decides the place of the job", "testdata/8.1.9-rescheduled.tar.gz/run2/after", "", 2},
	{"started in this run; the master shows the share from the run before", "testdata/8.1.9-last-slot.tar.gz/run3/before", "", 3},
	{"the scheduler sent its new values for the task that just started", "testdata/8.1.9-last-slot.tar.gz/run3/before", "", 5},
	{"a tightly integrated parallel job", "testdata/8.1.9-kept.tar.gz/run3/after", "", 2},
	{"not reported while it waits", "testdata/8.1.9-kept.tar.gz/run4/after", "", 2},
	{"somebody changed -p after the run", "testdata/8.1.9-priority-since.tar.gz/run2/before", "", 1},
	{"agrees if the scheduler's list has the altered job 11 later", "testdata/8.1.9-altered.tar.gz/run4/after", "", 5},
	{"agrees if the scheduler's list has the altered job 9 later", "testdata/8.1.9-altered-unseen.tar.gz/run2/after", "", 3},
	{"only the last digit differs", "testdata/8.1.9-rounded-usage.tar.gz/run2/after", "", 2},
	{"the bundle was taken during 140 runs in one second", "testdata/8.1.9-rushed.tar.gz/run3/after", "", 12},
	{"unknown: submission times of running jobs, -js, dependencies", fixtures + "8.1.9-prio-1.tar.gz/run2/after", "qstat-j.xml", 57},
	{"unknown: the urgency of resources", fixtures + "8.1.9-prio-1.tar.gz/run2/after", "complex.txt", 61},
	{"unknown: urgency_slots of parallel environments", fixtures + "8.1.9-order-by-load.tar.gz/run4/after", "pes.txt", 3},
	{"unknown: shares and override tickets of users", fixtures + "8.1.9-override-ties.tar.gz/run1/after", "users.txt", 11},
	{"unknown: shares and override tickets of projects", fixtures + "8.1.9-override-ties.tar.gz/run1/after", "projects.txt", 13},
	{"unknown: shares and override tickets of departments", "testdata/8.1.9-altered.tar.gz/run4/after", "usersets.txt", 134},
	{"unknown: the share tree", fixtures + "8.1.9-share-2.tar.gz/run2/after", "share_tree.txt", 102},
	{"unknown: the usage in the share tree", fixtures + "8.1.9-share-2.tar.gz/run2/after", "sge_share_mon.txt", 97},
	{"unknown: free slots", "testdata/8.1.9-rescheduled.tar.gz/run2/after", "qstat-f.xml qhost.xml queues.txt", 28},
	{"unknown: reservations", "testdata/8.1.9-reserved.tar.gz/run2/after", "schedule", 3},
}

// TestEachExcuseIsNeededByARecording, by so many numbers, and a bundle that lacks no file has no others.
func TestEachExcuseIsNeededByARecording(t *testing.T) {
	for _, e := range excuses {
		n := 0
		for _, d := range audited(recorded(t, e.bundle, e.hidden)).Disagreements {
			if strings.HasPrefix(d.Why, e.why) {
				n++
			} else if e.hidden == "" && !slices.ContainsFunc(excuses, func(o excuse) bool {
				return o.bundle == e.bundle && strings.HasPrefix(d.Why, o.why)
			}) {
				t.Errorf("%s: %s of job %d is %s: %s", e.bundle, d.Field, d.Job.Number, d.Class, d.Why)
			}
		}
		if n == 0 || n != e.numbers {
			t.Errorf("%s without %q: %d numbers need %q, want %d", e.bundle, e.hidden, n, e.why, e.numbers)
		}
	}
}

// TestEveryExcuseOfTheCodeIsARecordings reads the sentences from the sources.
func TestEveryExcuseOfTheCodeIsARecordings(t *testing.T) {
	found := 0
	for file, pattern := range map[string]string{
		"../lastrun/view.go": `\.(?:earlier|frozen|note)\(.*?,\s*"([^"]{20,})"`, "gap.go": `lacks\("[^"]+",\s+"([^"]+)"|What: "([^"]+)"`} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
			why := strings.Join(m[1:], "")
			found++
			if !slices.ContainsFunc(excuses, func(e excuse) bool { return strings.HasPrefix(why, e.why) }) &&
				!slices.ContainsFunc(elsewhere, func(e string) bool { return strings.HasPrefix(why, e) }) {
				t.Errorf("%s: no recording needs %q", file, why)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d excuses found", found)
	}
}

// elsewhere are what no number of the recordings needs: -tc of 6.2u5, of which the fixtures have none, and the policy, without which no
// number is computed (TestWithoutAPolicyNothingIsInvented).
var elsewhere = []string{"this release does not print -tc", "no weight is known"}

// TestRecordingsAreExcusedLittle: of all numbers of the fixtures only those of tasks that had just started.
func TestRecordingsAreExcusedLittle(t *testing.T) {
	archives, err := filepath.Glob(fixtures + "8.1.9-*-*.tar.gz")
	if err != nil || len(archives) < 15 {
		t.Fatalf("%d recordings (%v)", len(archives), err)
	}
	n := 0
	for _, archive := range archives {
		for run := 1; run <= 4; run++ {
			s := recorded(t, fmt.Sprintf("%s/run%d/after", archive, run), "")
			if s == nil {
				continue
			}
			for _, d := range audited(s).Disagreements {
				if n++; !strings.HasPrefix(d.Why, "started in this run; the master shows") {
					t.Errorf("%s run %d: %s of job %d is %s: %s", archive, run, d.Field, d.Job.Number, d.Class, d.Why)
				}
			}
		}
	}
	if n != 4 {
		t.Errorf("%d numbers are excused, want 4", n)
	}
}

// TestOnlyAnAlteredJobCanBeLast: the run has cleared job 9, but let job 16 pass it, whose tickets tell; JB_version says that it was
// altered.
func TestOnlyAnAlteredJobCanBeLast(t *testing.T) {
	for version, want := range map[uint32]batch.Count{1: {Missing: 3}, 0: {Unexplained: 3}} {
		s := recorded(t, "testdata/8.1.9-altered-unseen.tar.gz/run2/after", "")
		for i := range s.Jobs {
			if s.Jobs[i].Number == 9 {
				s.Jobs[i].Version = version
			}
		}
		if got := audited(s).Sum(); got.Missing != want.Missing || got.Unexplained != want.Unexplained {
			t.Errorf("version %d: %+v", version, got)
		}
	}
}

// recorded is a bundle of a real master without some files, nil where there is none of that name.
func recorded(t *testing.T, path, hidden string) *model.Snapshot {
	t.Helper()
	bundle, err := archive.At(path)
	if err != nil {
		return nil
	}
	s, err := gridengine.Read(without{bundle, hidden}, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Has = slices.DeleteFunc(s.Has, func(has string) bool { return slices.Contains(strings.Fields(hidden), has) })
	return s
}

// without is a bundle that lacks files.
type without struct {
	fs.FS
	names string
}

func (w without) Open(name string) (fs.File, error) {
	if slices.Contains(strings.Fields(w.names), name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.FS.Open(name)
}

func audited(s *model.Snapshot) *Report {
	_, quirks := compat.For(s.Release)
	return Run(s, Options{Options: lastrun.Options{Quirks: quirks}})
}
