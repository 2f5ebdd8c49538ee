package model

import "testing"

func TestIDsOfPBSJobs(t *testing.T) {
	for text, want := range map[string]struct {
		id PBSID
		ok bool
	}{
		"12.srv":    {PBSID{Number: 12, Server: "srv"}, true},
		"12":        {PBSID{Number: 12}, true},
		"12[].srv":  {PBSID{Number: 12, Array: true, Server: "srv"}, true},
		"12[3].a.b": {PBSID{Number: 12, Array: true, Subjob: true, Index: 3, Server: "a.b"}, true},
		"12[0]":     {PBSID{Number: 12, Array: true, Subjob: true}, true},
		"":          {PBSID{}, false}, "R12.srv": {PBSID{}, false}, "-1": {PBSID{}, false}, "12[3": {PBSID{}, false},
		"12[x].srv": {PBSID{}, false}, "12[": {PBSID{}, false},
	} {
		got, ok := ParsePBSID(text)
		if ok != want.ok || ok && got != want.id {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
	for id, want := range map[string]string{"12[3].srv": "12[].srv", "12[].srv": "12[].srv", "12.srv": "12.srv", "12[3": "12[3",
		"]12[": "]12["} {
		if got := PBSArrayOf(id); got != want {
			t.Errorf("the array of %q is %q", id, got)
		}
	}
}
