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

func TestARecordMakesAJob(t *testing.T) {
	fields := func(pairs ...string) (list []model.Setting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, model.Setting{Name: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	j := recorded(&model.AccountingRecord{ID: "896[].srv", Fields: fields("user", "scott", "group", "staff", "queue", "workq", "qtime",
		"1795249468", "etime", "1795249468",
		"array_indices", "1-4", "Resource_List.ncpus", "2", "Resource_List.select", "1:ncpus=2", "Resource_List.place", "free")})
	if p := j.PBS; !j.Array || j.Number != 896 || p.State != "Q" || len(p.ArrayRemaining) != 1 || p.Select != "1:ncpus=2" ||
		p.Place != "free" || len(j.Hard) != 1 || j.Hard[0].Amount != 2 {
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
