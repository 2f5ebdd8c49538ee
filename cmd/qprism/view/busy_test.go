package view

import (
	"encoding/json"
	"testing"

	"qprism/adapters/sqlite"
	"qprism/engine/history"
	"qprism/engine/model"
)

// TestHostsOverTimeAreThoseOfTheSnapshots holds the part in use against each snapshot, read whole.
func TestHostsOverTimeAreThoseOfTheSnapshots(t *testing.T) {
	d, ids := storeOfFifty(t)
	var b busyHosts
	if err := json.Unmarshal(get(Stored(d, "").Handler(), "/api/v1/busy").Body.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Times) != len(ids) || len(b.Rows) != 4 {
		t.Fatalf("%d times, %d rows", len(b.Times), len(b.Rows))
	}
	store, err := sqlite.OpenToRead(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	infos, err := store.Snapshots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, info := range infos {
		snap, err := store.Snapshot(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range b.Rows {
			slots, used := 0, 0
			for _, q := range snap.Instances {
				if q.Host == r.First {
					slots, used = slots+q.Slots, used+q.Used
				}
			}
			if got, want := *r.Used[i], float64(used)/float64(slots); got != want || r.Hosts != 1 {
				t.Errorf("%s at %s: %v, not %v", r.First, b.Times[i], got, want)
			}
		}
	}
	w := get(siteOfBundles(t, "../../../fixtures/"+seen[0].bundles[1]), "/api/v1/busy")
	if w.Body.String() != `{"times":[],"samples":0,"rows":[]}` {
		t.Errorf("of a bundle: %s", w.Body)
	}
}

func TestManyHostsAreRowsOfSeveral(t *testing.T) {
	s := &model.Snapshot{PBS: &model.PBS{}}
	for i := range 1000 {
		s.Hosts = append(s.Hosts, model.Host{Name: "n" + string(rune('a'+i%26)), Capacity: []model.Setting{{Name: "ncpus", Value: "4"}},
			PBS: &model.PBSHost{Assigned: []model.Setting{{Name: "ncpus", Value: "1"}}}})
	}
	use := map[string]history.HostUse{}
	list := history.UseByHost(s)
	for _, u := range list {
		use[u.Host] = u
	}
	if len(list) != 26 || list[0].Host != "na" || list[0].Slots != 4*39 {
		t.Errorf("%+v", list)
	}
	r := rowOf(list[:13], []map[string]history.HostUse{use, {}}, 2)
	if *r.Used[0] != 0.25 || r.Used[1] != nil || *r.Mean != 0.25 || r.Hosts != 13 || r.Last != "nm" {
		t.Errorf("%+v", r)
	}
}

// TestACellIsTheMeanOfItsSamples has three samples in two cells: no sample is left out.
func TestACellIsTheMeanOfItsSamples(t *testing.T) {
	at := func(used int64) map[string]history.HostUse {
		return map[string]history.HostUse{"a": {Host: "a", Slots: 4, Used: used}}
	}
	r := rowOf([]history.HostUse{{Host: "a"}}, []map[string]history.HostUse{at(4), at(1), at(4)}, 2)
	if *r.Used[0] != 1 || *r.Used[1] != 0.625 || *r.Mean != 0.75 {
		t.Errorf("cells %v and %v, mean %v", *r.Used[0], *r.Used[1], *r.Mean)
	}
}
