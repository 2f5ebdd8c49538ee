package view

import (
	"encoding/json"
	"slices"
	"testing"

	"qprism/engine/consumable"
)

// TestConsumablesSayWhoHoldsAndWhoAsks holds the answer against recordings whose requests are known.
func TestConsumablesSayWhoHoldsAndWhoAsks(t *testing.T) {
	for bundle, want := range map[string][]consumable.Use{
		"gridengine/8.1.9-reservation-licence.tar.gz/run1/after": {{Name: "license", Held: 5,
			By:    []consumable.Job{{Job: "1", User: "root", Amount: 4, Short: false}, {Job: "3", User: "root", Amount: 1, Short: false}},
			Asked: []consumable.Job{{Job: "2", User: "root", Amount: 5, Short: true}}}},
		"gridengine/8.1.9-n1ge-usecase1-sharetree.tar.gz/run1/after": {},
	} {
		var got []consumable.Use
		answer := get(siteOfBundles(t, "../../../fixtures/"+bundle), "/api/v1/consumables")
		if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
			t.Fatal(bundle, err, answer.Body)
		}
		same := func(a, b consumable.Use) bool {
			return a.Name == b.Name && a.Held == b.Held && slices.Equal(a.By, b.By) && slices.Equal(a.Asked, b.Asked)
		}
		if !slices.EqualFunc(got, want, same) {
			t.Errorf("%s: %+v, not %+v", bundle, got, want)
		}
		if len(got) > 0 && (got[0].Total == nil || *got[0].Total != 5) {
			t.Errorf("%s: the total is not 5: %s", bundle, answer.Body)
		}
	}
}
