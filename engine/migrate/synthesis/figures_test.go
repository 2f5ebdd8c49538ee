package synthesis

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qprism/engine/formula/check"
	"qprism/engine/order"
)

var folder = flag.String("recordings", "", "a folder with more recordings, unpacked: "+
	"scenario/run1/after … (default: those of the project)")

// selection are the recordings of the project.
var selection = []string{"prio-1", "prio-2", "prio-6", "prio-9", "share-2", "dispatch-2", "dispatch-3", "dispatch-8",
	"backfill-large-parallel",
	"blog-all-policies-off", "blog-functional", "blog-posix-ladder", "blog-urgency-slots",
	"essc-departments", "n1ge-usecase1-sharetree",
	"n1ge-usecase2-resources", "n1ge-usecase3-preemption", "reservation-licence"}

// random says whether a recording is one of random clusters and policies.
func random(name string) bool {
	return strings.HasPrefix(name, "prio-") || strings.HasPrefix(name, "share-") || strings.HasPrefix(name, "dispatch-")
}

// histories are the recordings to look at.
func histories(t *testing.T) map[string]History {
	m := map[string]History{}
	if *folder == "" {
		for _, name := range selection {
			m[name] = recorded(t, name)
		}
		return m
	}
	dirs, err := filepath.Glob(filepath.Join(*folder, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no recordings in %s", *folder)
	}
	for _, dir := range dirs {
		h, err := historyOf(os.DirFS(dir), filepath.Base(dir))
		if err != nil {
			t.Fatal(err)
		}
		m[filepath.Base(dir)] = h
	}
	return m
}

// TestTheOrderOfWaitingJobsSurvivesTheMigration proves every candidate on every recording, with the last
// third of its runs held out, and prints tau-b run by run (-v; a * for runs held out). No formula may be
// able to raise, nor any that the server refuses.
func TestTheOrderOfWaitingJobsSurvivesTheMigration(t *testing.T) {
	all := histories(t)
	figures := map[string][]float64{}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		h := all[name]
		seen := len(h.Seen())
		line := fmt.Sprintf("%-26s", name)
		var proofs []*Proof
		for _, c := range Candidates(h.Seen(), translated(h), resourcesOf(h.Seen())) {
			p := c.Prove(h, seen, translated(h))
			proofs = append(proofs, p)
			for _, q := range p.Problems {
				if q.Severity == check.Error {
					t.Errorf("%s: %s: %s: %s", name, c.Name, q.Kind, q.Text)
				}
			}
			line += " | " + c.Name
			for _, a := range p.Runs {
				mark := ""
				if a.HeldOut {
					mark = "*"
					if !math.IsNaN(a.TauB) && random(name) {
						figures[c.Name] = append(figures[c.Name], a.TauB)
					}
				}
				line += fmt.Sprintf(" %.3f%s", a.TauB, mark)
			}
			if c.Needs == NeedsOracle && p.HeldOut.Runs > 0 && p.HeldOut.Least != 1 {
				t.Errorf("%s: places that qprism pushes give tau-b %v", name, p.HeldOut.Least)
			}
		}
		t.Log(line)
		if best := Best(proofs, NeedsHook); random(name) && !math.IsNaN(best.HeldOut.Median) {
			figures["best"] = append(figures["best"], best.HeldOut.Median)
		}
		if random(name) {
			for name, most := range map[string]Need{"next run": NeedsHook, "next run with a job": NeedsJob} {
				figures[name] = append(figures[name], nextRuns(h, most)...)
			}
		}
	}
	for _, name := range []string{"best", "next run", "next run with a job", "plain", "frozen",
		"fitted", "renewed", "refreshed"} {
		v := figures[name]
		t.Logf("random recordings, held out: %-9s %2d runs, median %.3f, lower quartile %.3f, least %.3f", name, len(v),
			order.Quantile(v, 0.5), order.Quantile(v, 0.25), slices.Min(append(v, 1)))
	}
	if m := order.Quantile(figures["best"], 0.5); m < 0.95 {
		t.Errorf("the median tau-b of the best formula on runs held out is %.3f, want 0.95", m)
	}
}

// nextRuns proves the best formula of each beginning of a history on the run that comes next. It is the
// harder test: the second run of these recordings has three times the jobs of the first, and of kinds that
// were not there before.
func nextRuns(h History, most Need) (list []float64) {
	for k := 1; k < len(h); k++ {
		var proofs []*Proof
		for _, c := range Candidates(h[:k], translated(h), resourcesOf(h[:k])) {
			proofs = append(proofs, c.Prove(h[:k+1], k, translated(h)))
		}
		if best := Best(proofs, most); best != nil && !math.IsNaN(best.HeldOut.Median) {
			list = append(list, best.HeldOut.Median)
		}
	}
	return list
}

// TestTheWorkedCasesKeepTheirOrder migrates the cases of the documents with all their runs: one scheduler
// run is too short a history to hold anything out.
func TestTheWorkedCasesKeepTheirOrder(t *testing.T) {
	for name, least := range map[string]float64{"blog-all-policies-off": 1, "blog-functional": 1, "blog-posix-ladder": 1,
		"blog-urgency-slots": 1,
		"essc-departments":   1, "n1ge-usecase1-sharetree": 0.86, "n1ge-usecase2-resources": 0.8,
		"n1ge-usecase3-preemption": 1} {
		h := recorded(t, name)
		p := newBench(h, translated(h), resourcesOf(h)).frozen(NeedsHook).Prove(h, len(h), translated(h))
		t.Logf("%s: %d runs, median %.3f, least %.3f", name, p.Seen.Runs, p.Seen.Median, p.Seen.Least)
		if renewed := renewedOf(h).Prove(h, len(h), translated(h)); renewed.Seen.Least != 1 {
			t.Errorf("%s: with a cron script tau-b is %.3f in %s, want 1: %+v", name, renewed.Seen.Least,
				renewed.Seen.Worst, worst(renewed))
		}
		if p.Seen.Runs == 0 || p.Seen.Least < least {
			t.Errorf("%s: tau-b %.3f in %s, want %v: %+v", name, p.Seen.Least, p.Seen.Worst, least, worst(p))
		}
	}
}

func worst(p *Proof) (list []Inversion) {
	for i := range p.Runs {
		list = append(list, p.Runs[i].Worst...)
	}
	slices.SortFunc(list, func(a, b Inversion) int { return cmp.Compare(b.Places, a.Places) })
	return list[:min(len(list), 3)]
}

// TestEveryInversionHasACause looks at all that the proofs of a recording list.
func TestEveryInversionHasACause(t *testing.T) {
	h := recorded(t, "dispatch-8")
	causes := map[Cause]int{}
	for _, c := range Candidates(h.Seen(), translated(h), resourcesOf(h.Seen())) {
		for _, a := range c.Prove(h, len(h.Seen()), translated(h)).Runs {
			if int64(len(a.Worst)) != min(a.Pairs.Discordant, mostWorst) {
				t.Errorf("%s: %d of %d inversions are listed", a.Run, len(a.Worst), a.Pairs.Discordant)
			}
			for _, v := range a.Worst {
				causes[v.Cause]++
				if v.Cause == "" || v.Why == "" || v.Cause == ByTerm && v.Policy == "" || v.Prio[0] < v.Prio[1] {
					t.Errorf("%s: %+v", a.Run, v)
				}
				if v.Cause == ByTerm && v.Value[0] >= v.Value[1] {
					t.Errorf("%s: the formula has %v before %v too", a.Run, v.First, v.Second)
				}
			}
		}
	}
	if causes[ByTerm] == 0 {
		t.Errorf("causes: %v", causes)
	}
}
