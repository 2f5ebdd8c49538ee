package slurm_test

import (
	"fmt"
	"testing"

	"qprism/compat"
	"qprism/engine/migrate"
	"qprism/engine/migrate/slurm"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer/gridengine"
)

// recorded translates a recording anew.
func recorded(t *testing.T, name string) (*slurm.Translation, synthesis.History) {
	t.Helper()
	var runs []synthesis.Run
	var history []*model.Snapshot
	var lines []model.Line
	for n := 1; n <= 3; n++ {
		bundle, err := archive.At(fmt.Sprintf("../../../fixtures/gridengine/%s.tar.gz/run%d/after", name, n))
		if err != nil {
			break
		}
		s, err := gridengine.Read(bundle, gridengine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if lines, err = gridengine.Lines(bundle); err != nil {
			t.Fatal(err)
		}
		_, quirks := compat.For(s.Release)
		run, err := synthesis.Look(fmt.Sprint("run", n), s, quirks)
		if err != nil {
			t.Fatal(err)
		}
		runs, history = append(runs, run), append(history, s)
	}
	h := synthesis.NewHistory(runs)
	return slurm.Translate(h, len(h.Seen()), migrate.Translate(history, lines)), h
}

// TestTheSameHistoryGivesTheSameTranslation, whatever order maps have.
func TestTheSameHistoryGivesTheSameTranslation(t *testing.T) {
	for _, name := range []string{"8.1.9-prio-2", "8.1.9-essc-departments", "8.1.9-share-2"} {
		first := ""
		for range 3 {
			tr, h := recorded(t, name)
			both := tr.Choose(h, len(h.Seen()))
			c := tr.Configuration()
			text := fmt.Sprintf("%+v %+v %+v %+v %+v %s %+v", tr.Policy, c.Members, c.QOS,
				tr.Ledger, tr.Names, tr.Formula(), both)
			if first == "" {
				first = text
			}
			if text != first {
				t.Fatalf("%s differs from one time to the next", name)
			}
		}
	}
}

// TestNoSumOfFactorsIsCut: the greatest factors and the greatest -p together stay below the greatest
// priority, and the least -p above 0.
func TestNoSumOfFactorsIsCut(t *testing.T) {
	for _, name := range []string{"8.1.9-prio-1", "8.1.9-prio-2", "8.1.9-prio-6", "8.1.9-prio-9", "8.1.9-essc-departments",
		"8.1.9-n1ge-usecase1-sharetree"} {
		tr, _ := recorded(t, name)
		p := &tr.Policy
		others := float64(p.Assoc) + float64(p.Fairshare) + float64(p.Age)
		if greatest := others + tr.Config.Site.Offset + 1024*tr.Config.Site.Step; greatest > 1<<32-1 || greatest <= 0 {
			t.Errorf("%s: the greatest priority but for requests is %v", name, greatest)
		}
		if least := tr.Config.Site.Offset - 1023*tr.Config.Site.Step; least < 1 {
			t.Errorf("%s: the least is %v", name, least)
		}
	}
}
