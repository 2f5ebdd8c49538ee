package compat

import "testing"

func TestEveryQuirkOfPBSIsNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, q := range PBS {
		if seen[q.ID] || q.ID == "" || q.What == "" {
			t.Errorf("%+v", q)
		}
		seen[q.ID] = true
	}
}
