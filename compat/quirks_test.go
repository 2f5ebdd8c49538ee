package compat

import (
	"reflect"
	"strings"
	"testing"

	"qprism/engine/model"
)

func TestEveryQuirkOfTheEngineIsNamedOnce(t *testing.T) {
	set, ids := map[string]string{}, map[string]bool{}
	for _, k := range Quirks {
		var q model.Quirks
		*k.In(&q) = true
		v := reflect.ValueOf(q)
		n := 0
		for i := range v.NumField() {
			if v.Field(i).Bool() {
				n++
				if other, twice := set[v.Type().Field(i).Name]; twice {
					t.Errorf("%s and %s are the same quirk", k.ID, other)
				}
				set[v.Type().Field(i).Name] = k.ID
			}
		}
		if n != 1 || ids[k.ID] || k.What == "" || len(With(&k)) == 0 {
			t.Errorf("%s sets %d fields, releases %v", k.ID, n, With(&k))
		}
		ids[k.ID] = true
	}
	all := reflect.TypeFor[model.Quirks]()
	for i := range all.NumField() {
		if set[all.Field(i).Name] == "" {
			t.Errorf("no quirk is named for %s", all.Field(i).Name)
		}
	}
}

func TestProfiles(t *testing.T) {
	if Profiles["fixed"] != (model.Quirks{}) {
		t.Error("the fixed profile has quirks")
	}
	for version, want := range map[string]string{"8.1.9": "8.1.9", "": "8.1.9", "8.1.10pre": "8.1.9",
		"6.2u5": "6.2u5", "8.0.0": "6.2u5",
		"6.2": "6.1", "6.1u6": "6.1",
		"9.0.13": "9.0", "9.1.4": "9.1", "9.2.0prealpha": "9.1"} {
		if got, q := For(model.Release{Version: version}); got != want || q != profile(want) {
			t.Errorf("%q: got the profile of %s, want that of %s", version, got, want)
		}
	}
}

// TestAQuirkComesAndGoesWhereItSays: what a release brought was not there before, and what is gone was; all
// are releases.
func TestAQuirkComesAndGoesWhereItSays(t *testing.T) {
	for _, q := range Quirks {
		for _, name := range strings.Fields(q.From) {
			if r := Named(name); r == nil || r.After != nil && r.After.Has(&q) {
				t.Errorf("%s is not new in %s", q.ID, name)
			}
		}
		for _, name := range strings.Fields(q.Until) {
			if r := Named(name); r == nil || r.After == nil || !r.After.Has(&q) {
				t.Errorf("%s cannot be gone in %s", q.ID, name)
			}
		}
	}
}

func TestAReleaseThatIsNotKnownHasTheRulesOfTheNearest(t *testing.T) {
	for release, want := range map[model.Release]string{
		{Product: "UGE", Version: "8.6.4"}:    "8.1.9",
		{Product: "UGE", Version: "8.1.7"}:    "8.1.9",
		{Product: "OCS", Version: "9.3.0"}:    "9.1",
		{Product: "OCS"}:                      "9.1",
		{Product: "GE"}:                       "6.2u5",
		{}:                                    "8.1.9",
		{Product: "ABC", Version: "2024.1.0"}: "9.1",
	} {
		if got, known := Nearest(release); got != want || known {
			t.Errorf("%v: the rules of %s, known %t", release, got, known)
		}
	}
	for _, release := range []model.Release{{Product: "SGE", Version: "8.1.9"},
		{Product: "OCS", Version: "9.0.13"}, {Version: "6.2u5"},
		{Product: "GE", Version: "6.2"}} {
		if _, known := Nearest(release); !known {
			t.Errorf("%v is not known", release)
		}
	}
}

func TestFormatsChangeWithTheirPatchLevel(t *testing.T) {
	for release, want := range map[model.Release]Format{
		{Product: "SGE", Version: "8.1.9"}:  {},
		{Product: "OCS", Version: "9.0.5"}:  {Microseconds: true},
		{Product: "OCS", Version: "9.0.6"}:  {Microseconds: true, SeparatorAfter: true},
		{Product: "OCS", Version: "9.0.13"}: {Microseconds: true, SeparatorAfter: true},
		{Product: "GCS", Version: "9.1.0"}:  {Microseconds: true, SeparatorAfter: true},
	} {
		if got := FormatOf(release); got != want {
			t.Errorf("%v: %+v", release, got)
		}
	}
}

func TestVersionsAreComparedNumberByNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"9.0.5", "9.0.6", true}, {"9.0.6", "9.0.6", false}, {"9.0.13", "9.0.6", false}, {"9.0", "9.0.6", true},
		{"9.1.0beta2", "9.0.6", false}, {"8.1.9", "9.0.6", true}, {"6.2u5", "9.0.6", true}, {"", "9.0.6", true},
		{"9.99999999999999999999", "9.0.6", false}, {"x", "9", true},
	} {
		if got := !atLeast(c.a, c.b); got != c.want {
			t.Errorf("%s older than %s: %v", c.a, c.b, got)
		}
	}
}
