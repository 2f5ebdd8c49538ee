package fairshare_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// grouped makes lines "name group parent shares", numbered from 1.
func grouped(t *testing.T, lines ...string) model.Fairshare {
	t.Helper()
	return model.Fairshare{Policy: model.DefaultFairsharePolicy(), Groups: groups(t, []byte(strings.Join(lines, "\n")))}
}

func with(f model.Fairshare, records ...model.EntityUsage) model.Fairshare {
	f.Usage = model.FairshareUsage{Version: 2, Records: records}
	return f
}

func TestLinesThatSayNothingAreSkippedWithAReason(t *testing.T) {
	tree := fairshare.Build(grouped(t, "a 1 root 10", "a 2 root 20", "b 3 nobody 5", "TREEROOT 4 root 1",
		"unknown 5 root 1", "c 6 unknown 7", "later 7 d 1", "d 8 TREEROOT 30", "root 9 d 1", "e 10 root 5"))
	var got []string
	for _, r := range tree.Rejected {
		got = append(got, strconv.Itoa(r.Line)+" "+r.Name+": "+r.Reason)
	}
	want := []string{"2 a: the name is not unique", "3 b: there is no parent nobody", "4 TREEROOT: the name is not unique",
		"5 unknown: the name is not unique", "7 later: there is no parent d"}
	if !slices.Equal(got, want) {
		t.Errorf("rejected %q, want %q", got, want)
	}
	if outline, want := tree.Outline(),
		" TREEROOT(0)\n     e(10)\n     d(8)\n          root(9)\n     a(1)\n     unknown(1)\n          c(6)\n"; outline != want {
		t.Errorf("the tree is\n%swant\n%s", outline, want)
	}
}

// A node named root exists, but as a parent the word means the root of the tree.
func TestRootIsAnotherNameOfTheRootOnlyAsAParent(t *testing.T) {
	tree := fairshare.Build(grouped(t, "root 5 TREEROOT 1", "a 6 root 1"))
	if n := tree.Find("a"); n.Parent != tree.Root || tree.Find("root") == tree.Root {
		t.Errorf("a is below %s", n.Parent.Name)
	}
}

func TestAnEntityThatTheTreeLacksTakesAPartOfUnknown(t *testing.T) {
	f := grouped(t, "a 1 root 60", "u 2 unknown 3")
	f.Policy.UnknownShares = 40
	tree := fairshare.Build(f)
	if n := tree.Find("u"); n.Perc != 0.4 {
		t.Errorf("u alone has %v", n.Perc)
	}
	nodes := tree.Entities([]string{"v", "a", "v", "w"})
	if nodes[0] != nodes[2] || nodes[1] != tree.Find("a") || nodes[0] != tree.Entity("v") {
		t.Error("a name has two nodes")
	}
	v := nodes[0]
	if v.Parent.Name != "unknown" || v.Shares != 1 || v.Group != 1 || v.Children != -1 || v.Usage != 1 {
		t.Errorf("v was made as %+v", *v)
	}
	if part := float32(1) / float32(5); v.Part != part || v.Perc != part*float32(0.4) ||
		tree.Find("u").Part != float32(3)/float32(5) {
		t.Errorf("v has %v of unknown, u %v", v.Part, tree.Find("u").Part)
	}
}

func TestZeroSharesGiveNoPercentageAndAreAlwaysOver(t *testing.T) { // P9
	tree := fairshare.Build(grouped(t, "a 1 root 1", "b 2 root 0", "c 3 b 5", "g 4 root 3", "h 5 g 0", "i 6 g 0"))
	for _, name := range []string{"b", "c", "h", "i", "unknown"} {
		if n := tree.Find(name); n.Perc != 0 || n.Factor() != 0 || !n.Over(tree) || n.PerShare() != -1 {
			t.Errorf("%s has percentage %v, factor %v, over %t", name, n.Perc, n.Factor(), n.Over(tree))
		}
	}
	if n := tree.Find("a"); n.Perc != 0.25 || !n.Over(tree) { // 1 of 1 used, a quarter due
		t.Errorf("a has %v, over %t", n.Perc, n.Over(tree))
	}
}

func TestAnIdleTreeHasUsedOne(t *testing.T) { // P7
	tree := fairshare.Build(grouped(t, "a 1 root 1", "b 2 root 1", "g 3 root 1", "c 4 g 1"))
	for n := range tree.All() {
		if n.Usage != 1 {
			t.Errorf("%s has used %v", n.Name, n.Usage)
		}
	}
	if tree.File(time.Time{}).Records != nil {
		t.Error("idle nodes are written")
	}
}

func TestRecordsSetLeavesAndAddToAllAbove(t *testing.T) {
	f := with(grouped(t, "g 1 root 1", "a 2 g 1", "b 3 g 1"), model.EntityUsage{Name: "a", Usage: 10},
		model.EntityUsage{Name: "stranger", Usage: 5},
		model.EntityUsage{Name: "b", Usage: 0}, model.EntityUsage{Name: "g", Usage: 500},
		model.EntityUsage{Name: "bad\x01", Usage: 1},
		model.EntityUsage{Name: strings.Repeat("x", 50), Usage: 1}, model.EntityUsage{Name: "negative", Usage: -1})
	tree := fairshare.Build(f)
	for name, want := range map[string]float64{"TREEROOT": 16, "g": 500, "a": 10, "b": 0, "unknown": 6, "stranger": 5} {
		if got := tree.Find(name).Usage; got != want {
			t.Errorf("%s has used %v, want %v", name, got, want)
		}
	}
	if len(tree.Rejected) != 3 || tree.Find("negative") != nil {
		t.Errorf("rejected %v", tree.Rejected)
	}
}

func TestAWrongHeaderVoidsTheUsageFile(t *testing.T) {
	f := with(grouped(t, "a 1 root 1"), model.EntityUsage{Name: "a", Usage: 10})
	for name, spoil := range map[string]func(*model.FairshareUsage){
		"a version of the future":    func(u *model.FairshareUsage) { u.Version = 3 },
		"a decay before there was a": func(u *model.FairshareUsage) { u.LastDecay = time.Unix(946713600, 0) },
	} {
		spoiled := f
		spoil(&spoiled.Usage)
		if tree := fairshare.Build(spoiled); tree.Find("a").Usage != 1 || len(tree.Rejected) != 1 {
			t.Errorf("%s is read", name)
		}
	}
}

func TestTheFileOfARecordedTreeIsTheRecordedFile(t *testing.T) {
	all, compared := files(t), 0
	for _, folder := range snapshots(all) {
		f := known(t, all, folder)
		if f.Usage.Version == 0 {
			continue
		}
		compared++
		if got := fairshare.Build(f).File(f.Usage.LastDecay); !slices.Equal(got.Records, f.Usage.Records) {
			t.Errorf("%s: wrote %v, recorded %v", folder, got.Records, f.Usage.Records)
		}
	}
	if compared == 0 {
		t.Error("no usage file was compared")
	}
}

func TestNamesArePaddedByBytesAndStrangeUsageIsPrintedAsCDoes(t *testing.T) {
	f := grouped(t, "ärger 1 root 1")
	tree := fairshare.Build(f)
	tree.Find("ärger").Usage = math.Inf(1)
	if text := tree.List("cput"); !strings.Contains(
		text, "ärger    : Grp: 0      cgrp: 1    Shares: 1      Usage: inf    Perc: 100.000%") {
		t.Errorf("printed %q", text)
	}
}

func TestTheEntityOfAJobIsTheAttributeThatFairshareEntityNames(t *testing.T) {
	attributes := map[string]string{"euser": "bob", "egroup": "phys", "project": "lhc"}
	attribute := func(name string) string { return attributes[name] }
	for entity, want := range map[string]string{
		"euser": "bob", "egroup": "phys", "queue": "workq", "Account_Name": "phys:bob", "egroup:euser": "phys:bob",
		"project": "lhc", "nonsense": "phys:bob",
	} {
		if got := fairshare.EntityName(entity, attribute, "workq"); got != want {
			t.Errorf("fairshare_entity %s: %s, want %s", entity, got, want)
		}
	}
}
