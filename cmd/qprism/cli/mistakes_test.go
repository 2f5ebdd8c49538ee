package cli

import (
	"testing"

	"qprism/cmd/qprism/show"
)

func TestTheNearestNameIsWhatWasMeant(t *testing.T) {
	names := []string{"format", "from", "runtime", "runs", "snapshot", "store", "weight_urgency", "weight_user", "weight_ticket"}
	for word, want := range map[string]string{"fromat": "format", "formt": "format", "form": "format", "frm": "from", "snapshots": "snapshot",
		"weight_urg":    "weight_urgency",
		"weigth_ticket": "weight_ticket", "WEIGHT": "", "xyz": "", "": "", "zzzzzzzz": ""} {
		if got := show.Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestLettersAreCounted(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"from", "form", 1}, {"kitten", "sitting", 3}, {"store", "stores", 1}, {"ab", "ba", 1}} {
		if got := show.EditDistance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
