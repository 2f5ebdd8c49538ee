package view

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestConsumablesSayWhoHoldsAndWhoAsks holds the answer against recordings whose requests are known.
func TestConsumablesSayWhoHoldsAndWhoAsks(t *testing.T) {
	for bundle, want := range map[string][]consumable{
		"gridengine/8.1.9-reservation-licence.tar.gz/run1/after": {{Name: "license", Held: 5,
			By:    []consumableJob{{"1", "root", 4, false}, {"3", "root", 1, false}},
			Asked: []consumableJob{{"2", "root", 5, true}}}},
		"gridengine/8.1.9-n1ge-usecase1-sharetree.tar.gz/run1/after": {},
	} {
		var got []consumable
		answer := get(siteOfBundles(t, "../../../fixtures/"+bundle), "/api/v1/consumables")
		if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
			t.Fatal(bundle, err, answer.Body)
		}
		same := func(a, b consumable) bool {
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
