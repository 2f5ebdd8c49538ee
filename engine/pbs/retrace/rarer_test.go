package retrace_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
	"qprism/fixtures/archive"
	"qprism/importer/pbs"
)

// A bundleOfCycles is a bundle of fixtures/pbs/cycles with the logs of its scenario, of which it may know
// only the part before it.
type bundleOfCycles struct {
	name string // "s6_misc/hook/before"
	snap *model.Snapshot
	at   time.Time // the last cycle before a bundle taken after one; zero for the next
}

// bundlesOf are the bundles of a folder of fixtures/pbs that a cycle is next to.
func bundlesOf(t *testing.T, folder string) (list []bundleOfCycles) {
	t.Helper()
	names, err := filepath.Glob("../../../fixtures/pbs/" + folder + "/*.tar.gz")
	if err != nil || len(names) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, name := range names {
		files := unpacked(t, name)
		steps, _ := fs.Glob(files, "*/MANIFEST")
		more, _ := fs.Glob(files, "*/*/MANIFEST")
		for _, step := range append(steps, more...) {
			b := bundleOfCycles{name: strings.TrimSuffix(filepath.Base(name), ".tar.gz") + "/" + path.Dir(step)}
			if b.read(t, files, path.Dir(step)) {
				list = append(list, b)
			}
		}
	}
	return list
}

// unpacked are the files of an archive.
func unpacked(t *testing.T, name string) fs.FS {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// retraced is a report that agrees with the log in everything; false where there is no cycle.
func retraced(t *testing.T, name string, s *model.Snapshot, at time.Time) bool {
	t.Helper()
	r := retrace.Run(s, retrace.Options{At: at})
	if r.Cycle == nil {
		t.Errorf("%s: no cycle", name)
		return false
	}
	for _, d := range r.Disagreements {
		t.Errorf("%s: %s of %s: master %q, computed %q: %s %s", name, d.Field, d.Name, d.Master, d.Computed, d.Class, d.Why)
	}
	return true
}

// read reads a bundle with its logs, and reports whether a cycle is next to it.
func (b *bundleOfCycles) read(t *testing.T, files fs.FS, folder string) bool {
	t.Helper()
	bundle, err := fs.Sub(files, folder)
	if err != nil {
		t.Fatal(err)
	}
	if b.snap, err = pbs.Read(bundle, pbs.Options{}); err != nil {
		t.Fatal(b.name, err)
	}
	log := "logs/sched_log.txt"
	if of := b.snap.PBS.FilesOf; of != "" {
		log = "logs/sched_log_" + of + ".txt"
	}
	if b.snap.PBS.Cycles, err = pbs.ReadCycles(files, log, nil); err != nil {
		t.Fatal(b.name, err)
	}
	if b.snap.PBS.Accounting, err = pbs.ReadAccounting(files, "logs/accounting.txt", nil); err != nil {
		t.Fatal(b.name, err)
	}
	considers := func(c model.SchedCycle) bool { return len(c.Considered()) > 0 }
	taken := b.snap.TakenAt.Truncate(time.Second)
	if strings.Contains(folder, "before") || !strings.Contains(folder, "/") && folder != "end" && folder != "after" {
		return slices.ContainsFunc(b.snap.PBS.Cycles, func(c model.SchedCycle) bool {
			return considers(c) && !c.Start.Before(taken)
		})
	}
	for _, c := range b.snap.PBS.Cycles {
		if c.Start.Before(taken) && considers(c) {
			b.at = c.Start
		}
	}
	return !b.at.IsZero()
}

// TestRarerCyclesAreRetracedFromEitherSide audits the cycles of multi-vnode hosts, preemption, hooks,
// primetime, reservations, limits and two schedulers from the bundle before and from the one after. The
// server writes for a top job one part a vnode into estimated.exec_vnode, starts subjobs in another order
// than accounting has, and refuses jobs by a hook: none of that is a finding.
func TestRarerCyclesAreRetracedFromEitherSide(t *testing.T) {
	before, after := 0, 0
	for _, b := range bundlesOf(t, "cycles") {
		switch {
		case !retraced(t, b.name, b.snap, b.at):
		case b.at.IsZero():
			before++
		default:
			after++
		}
	}
	if t.Logf("%d from before, %d from after", before, after); before < 24 || after < 21 {
		t.Errorf("only %d from before, %d from after", before, after)
	}
}
