package queue

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

// fairSnapshot is the tree of the design document of fairshare_tree_usage, with a job of each user.
func fairSnapshot() *model.Snapshot {
	f := model.Fairshare{Policy: model.DefaultFairsharePolicy()}
	for i, g := range []model.ResourceGroup{
		{Name: "group1", Group: 10, Parent: "root", Shares: 40}, {Name: "group2", Group: 11, Parent: "root", Shares: 60},
		{Name: "bob", Group: 12, Parent: "group1", Shares: 50}, {Name: "cathy", Group: 13, Parent: "group1", Shares: 50},
		{Name: "suzy", Group: 14, Parent: "group2", Shares: 60}, {Name: "scott", Group: 15, Parent: "group2", Shares: 40},
		{Name: "bob", Group: 16, Parent: "group2", Shares: 40},
	} {
		g.Line = i + 1
		f.Groups = append(f.Groups, g)
	}
	f.Usage = model.FairshareUsage{Version: 2, Records: []model.EntityUsage{{Name: "bob", Usage: 100},
		{Name: "cathy", Usage: 100},
		{Name: "scott", Usage: 1000}}}
	s := &model.Snapshot{Cluster: "pbsvm", PBS: &model.PBS{Fairshare: f}}
	for i, owner := range []string{"bob", "cathy", "suzy", "scott", "stranger"} {
		s.Jobs = append(s.Jobs, model.Job{Number: uint32(i + 1), Owner: owner, Group: "users", PBS: &model.PBSJob{}})
	}
	return s
}

func fairSubject(s *model.Snapshot) *subject.Subject {
	return subject.NewSubject(s, subject.PBSRules, lastrun.Options{})
}

func fairText(t *testing.T, s *model.Snapshot, format string, v batch.ShareView) string {
	t.Helper()
	var b bytes.Buffer
	if err := PrintShares(show.Output{W: &b, Format: format}, fairSubject(s), v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The text is that of the design document, with the tabs that pbsfs prints.
func TestSharesShowsAnEntityAsPbsfsDoes(t *testing.T) {
	want := "fairshare entity: scott\nResgroup\t\t: 11\ncresgroup\t\t: 15\nShares\t\t\t: " +
		"40\nPercentage\t\t: 24.000000%\n" +
		"fairshare_tree_usage\t: 0.832973\nusage\t\t\t: 1000 (cput)\nusage/perc\t\t: 4167\nPath from root: \n" +
		"TREEROOT  :     0       1201 / 1.000 = 1201\ngroup2    :    11       1001 / 0.600 = " +
		"1668\nscott     :    15       1000 / 0.240 = 4167\n"
	if got := fairText(t, fairSnapshot(), "table", batch.ShareView{Entity: "scott"}); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
}

// A job of a stranger makes a node in the scheduler's memory; pbsfs does not show it.
func TestSharesListsTheTreeOfTheFiles(t *testing.T) {
	got := fairText(t, fairSnapshot(), "table", batch.ShareView{})
	if !strings.HasPrefix(got,
		"Fairshare usage units are in: cput\nTREEROOT  : Grp: -1     cgrp: 0    Shares: -1     Usage: "+
			"1201   Perc: 100.000%\n") ||
		strings.Count(got, "\n") != 9 {
		t.Errorf("printed\n%s", got)
	}
	if got, want := fairText(t, fairSnapshot(), "table", batch.ShareView{Outline: true}),
		" TREEROOT(0)\n     group2(11)\n          scott(15)\n"; !strings.HasPrefix(got, want) {
		t.Errorf("printed\n%s", got)
	}
}

func TestSharesSaysWhoIsMoreDeservingAndWhy(t *testing.T) {
	want := "bob\nBelow TREEROOT, group2: used 83.3%, target 60.0%, 23.3% above target; group1: used " +
		"16.7%, target 40.0%, 23.3% below target.\n" +
		"group1 has used less of its share, so bob comes first.\n"
	if got := fairText(t, fairSnapshot(), "table", batch.ShareView{Compare: []string{"suzy", "bob"}}); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
	for pair, want := range map[string]string{
		"bob bob": "bob == bob\nBoth names are the same entity.\n",
		"group1 bob": "group1 == bob\ngroup1 contains the other: the scheduler does not compare any " +
			"further, although the entities below it differ.\n",
		"bob cathy": "bob == cathy\nBelow group1, bob: used 49.8%, target 50.0%, 0.2% below target; " +
			"cathy: used 49.8%, target 50.0%, 0.2% below target.\nBoth have used the same part of their " +
			"shares, so the next criterion decides.\n",
		"unknown scott": "scott\nBelow TREEROOT, unknown has no shares; group2: used 83.3%, target " +
			"60.0%, 23.3% above target.\ngroup2 has shares and the other has none, so scott comes first.\n",
	} {
		if got := fairText(t, fairSnapshot(), "table", batch.ShareView{Compare: strings.Fields(pair)}); got != want {
			t.Errorf("%s: printed\n%swant\n%s", pair, got, want)
		}
	}
}

func TestSharesOfPBSAsJSONAndCSV(t *testing.T) {
	s := fairSnapshot()
	s.Jobs = append(s.Jobs, model.Job{Owner: "group2"})
	var r struct {
		View       string
		Nodes      []map[string]any
		Comparison struct {
			Winner   string
			Ancestor string `json:"first_common_ancestor"`
			Levels   []any
		}
		Ambiguous, Rejected []string
	}
	if err := json.Unmarshal([]byte(fairText(t, s, "json", batch.ShareView{Compare: []string{"bob", "suzy"}})),
		&r); err != nil {
		t.Fatal(err)
	}
	if len(r.Nodes) != 2 || r.Comparison.Winner != "bob" || r.Comparison.Ancestor != "TREEROOT" ||
		len(r.Comparison.Levels) != 1 ||
		r.View != "files" {
		t.Errorf("%+v", r)
	}
	if len(r.Ambiguous) != 1 || r.Ambiguous[0] != "group2" || len(r.Rejected) != 1 ||
		r.Rejected[0] != "resource_group line 7: bob: the name is not unique" {
		t.Errorf("warned of %v, left out %v", r.Ambiguous, r.Rejected)
	}
	if got := fairText(t, s, "csv", batch.ShareView{Entity: "scott"}); !strings.HasSuffix(got,
		"\nscott,TREEROOT/group2/scott,11,15,40,0.24000001,1000,0.8329725,0.09020063360431713\n") {
		t.Errorf("printed %s", got)
	}
}

func TestSharesRefusesWhatItCannotShow(t *testing.T) {
	for want, v := range map[string]batch.ShareView{
		"there is no fairshare entity nobody; --tree lists all":   {Entity: "nobody"},
		"there is no fairshare entity \\x1b[2J; --tree lists all": {Compare: []string{"bob", "\x1b[2J"}},
		"--compare needs two entities: --compare bob,suzy":        {Compare: []string{"bob"}},
	} {
		if err := PrintShares(show.Output{W: &bytes.Buffer{}, Format: "table"}, fairSubject(fairSnapshot()), v); err == nil ||
			err.Error() != want {
			t.Errorf("%+v: %v, want %s", v, err, want)
		}
	}
}

func TestNamesOfStrangersCannotDriveTheTerminal(t *testing.T) {
	s := fairSnapshot()
	s.PBS.Fairshare.Groups = append(s.PBS.Fairshare.Groups,
		model.ResourceGroup{Name: "\x1b[2Jevil", Parent: "root", Shares: 1})
	for _, v := range []batch.ShareView{{}, {Outline: true}, {Entity: "\x1b[2Jevil"},
		{Compare: []string{"bob", "\x1b[2Jevil"}}} {
		if got := fairText(t, s, "table", v); strings.Contains(got, "\x1b") || !strings.Contains(got, "evil") {
			t.Errorf("printed %q", got)
		}
	}
}
