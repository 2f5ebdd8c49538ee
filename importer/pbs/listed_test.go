package pbs_test

import (
	"io/fs"
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/fairshare"
	recorded "qprism/fixtures/pbs"
	"qprism/importer/pbs"
)

// hiding is a bundle without some of its files.
type hiding struct {
	fs.FS
	names []string
}

func (h hiding) Open(name string) (fs.File, error) {
	if slices.Contains(h.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return h.FS.Open(name)
}

// TestPbsfsAloneShowsTheTree: without resource_group and the usage file the tree is the one that pbsfs -p
// lists, and the next cycle starts the same jobs. Without any of the three nobody has shares, and nobody
// starts.
func TestPbsfsAloneShowsTheTree(t *testing.T) {
	scenario, err := recorded.Scenario("fairshare-tree-cput")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := fs.Sub(scenario, "before")
	if err != nil {
		t.Fatal(err)
	}
	read := func(names ...string) *model.Snapshot {
		t.Helper()
		s, err := pbs.Read(hiding{bundle, names}, pbs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	starts := func(s *model.Snapshot) (list []string) {
		for _, d := range cycle.Run(s, cycle.Options{At: s.TakenAt}).Decisions {
			if d.Verdict == model.Now {
				list = append(list, d.ID)
			}
		}
		return list
	}
	whole, listed := read(), read("resource_group", "usage")
	if whole.PBS.Fairshare.Listed || !listed.PBS.Fairshare.Listed {
		t.Error("which tree is listed?")
	}
	want, got := fairshare.Build(whole.PBS.Fairshare).List("cput"), fairshare.Build(listed.PBS.Fairshare).List("cput")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a, b := starts(whole), starts(listed); len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("%v start, and with the listed tree %v", a, b)
	}
	if a := starts(read("resource_group", "usage", "pbsfs_p.txt", "pbsfs_t.txt")); len(a) > 0 {
		t.Errorf("%v start without a tree", a)
	}
}
