package compat

import (
	"reflect"
	"testing"

	"qprism/engine/model"
)

func TestEveryQuirkOfTheEngineIsNamedOnce(t *testing.T) {
	set, ids := map[string]string{}, map[string]bool{}
	for _, k := range Quirks {
		var q model.Quirks
		k.set(&q)
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
		if n != 1 || ids[k.ID] || k.What == "" || len(k.Releases) == 0 {
			t.Errorf("%s sets %d fields, releases %v", k.ID, n, k.Releases)
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
	for version, want := range map[string]string{"8.1.9": "8.1.9", "": "8.1.9", "8.1.10pre": "8.1.9", "6.2u5": "6.2u5", "8.0.0": "6.2u5", "6.2": "6.1", "6.1u6": "6.1",
		"9.0.13": "9.0", "9.1.4": "9.1", "9.2.0prealpha": "9.1"} {
		if got, q := For(model.Release{Version: version}); got != want || q != Profile(want) {
			t.Errorf("%q: got the profile of %s, want that of %s", version, got, want)
		}
	}
}
