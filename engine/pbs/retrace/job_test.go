package retrace

import (
	"fmt"
	"testing"

	"qprism/engine/model"
)

func TestIndicesOfArrays(t *testing.T) {
	for text, want := range map[string]string{
		"1-4": "[{1 4 1}]", "3-9:2": "[{3 9 2}]", "7": "[{7 7 1}]", "1-2,5,8-9": "[{1 2 1} {5 5 1} {8 9 1}]",
		"": "[]", "9-1": "[]", "1-x": "[]", "1-9:0": "[]", "-": "[]", "99999999999": "[]",
	} {
		if got := fmt.Sprint(ranges(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// fields are those of a record, by name and value.
func fields(pairs ...string) (list []model.Setting) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, model.Setting{Name: pairs[i], Value: pairs[i+1]})
	}
	return list
}

func TestARecordMakesAJob(t *testing.T) {
	j := recorded(&model.AccountingRecord{ID: "896[].srv",
		Fields: fields("user", "scott", "group", "staff", "queue", "workq", "qtime",
			"1795249468", "etime", "1795249468",
			"array_indices", "1-4", "Resource_List.ncpus", "2", "Resource_List.select", "1:ncpus=2",
			"Resource_List.place", "free")})
	if p := j.PBS; !j.Array || j.Number != 896 || p.State != "Q" || len(p.ArrayRemaining) != 1 ||
		p.Select != "1:ncpus=2" || p.Place != "free" || len(j.Hard) != 1 || j.Hard[0].Amount != 2 {
		t.Errorf("%+v %+v", j, p)
	}
	held := recorded(&model.AccountingRecord{ID: "7.srv", Fields: fields("depend", "afterok:6.srv@srv", "etime", "0")})
	sub := recorded(&model.AccountingRecord{ID: "9[12].srv", Fields: fields("etime", "1")})
	if held.PBS.State != "H" || sub.PBS.Index != 12 || sub.PBS.Array != "9[].srv" || sub.Number != 9 {
		t.Errorf("%+v %+v", held.PBS, sub.PBS)
	}
}

func TestPlacesComparesWhatBothConsider(t *testing.T) {
	for _, c := range []struct {
		master, computed []string
		want             string
	}{
		{[]string{"a", "b", "c"}, []string{"a", "b", "c"}, "[{a {1 1}} {b {2 2}} {c {3 3}}]"},
		{[]string{"a", "x", "b"}, []string{"a", "b"}, "[{a {1 1}} {x {considered }} {b {2 2}}]"},
		{[]string{"a", "b"}, []string{"b", "a", "y"}, "[{a {1 2}} {b {2 1}} {y { considered}}]"},
		{[]string{"a[]", "a[]"}, []string{"a[]"}, "[{a[] {1 1}} {a[] (2) {considered }}]"},
	} {
		if got := fmt.Sprint(places(c.master, c.computed)); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.master, c.computed, got, c.want)
		}
	}
}

// TestAShortenedJobThatIsTakenBackHasItsWalltimeAgain has a shrink-to-fit job as a bundle shows it after
// its start: what it asked for before that is in its record of submission, or nothing was.
func TestAShortenedJobThatIsTakenBackHasItsWalltimeAgain(t *testing.T) {
	started := model.AccountingRecord{Type: "S", ID: "7.srv", Fields: fields("exec_vnode", "(n1:ncpus=1)", "start", "100")}
	for name, c := range map[string]struct {
		queued []string
		asks   model.Request
		want   string
	}{
		"none before": {[]string{"queue", "workq"}, model.Request{Resource: "min_walltime", Value: "8", Amount: 8}, ""},
		"longer before": {[]string{"Resource_List.walltime", "00:01:30"},
			model.Request{Resource: "min_walltime", Value: "8", Amount: 8}, "00:01:30"},
		"one that is no such": {[]string{"Resource_List.walltime", "00:01:30"},
			model.Request{Resource: "mem", Value: "1gb"}, "25"},
	} {
		s := &model.Snapshot{PBS: &model.PBS{Accounting: []model.AccountingRecord{
			{Type: "Q", ID: "7.srv", Fields: fields(c.queued...)}, started}}}
		s.Jobs = []model.Job{{Number: 7, Hard: []model.Request{c.asks, {Resource: "walltime", Value: "25", Amount: 25}},
			PBS: &model.PBSJob{ID: "7.srv", State: "R"}}}
		x := newState(s)
		x.undo(&started)
		got := ""
		for _, r := range x.jobs["7.srv"].Hard {
			if r.Resource == "walltime" {
				got = r.Value
			}
		}
		if got != c.want {
			t.Errorf("%s: walltime %q, want %q", name, got, c.want)
		}
		if len(s.Jobs[0].Hard) != 2 || s.Jobs[0].Hard[1].Value != "25" {
			t.Errorf("%s: the snapshot was changed: %v", name, s.Jobs[0].Hard)
		}
	}
}
