package drive

import (
	"context"
	"testing"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
)

// A lister answers every question with one listing.
type lister struct{ text string }

func (l *lister) Run(_ context.Context, commands [][]string) ([]exporter.Result, error) {
	return []exporter.Result{{Out: l.text}}, nil
}

const (
	headOf819 = "job-ID  prior   name       user         state submit/start at     queue                " +
		"          slots ja-task-ID \n" +
		"-----------------------------------------------------------------------------------------------------------------\n"
	headOf92 = "job-ID     prior   name       user         state submit/start at     queue              " +
		"            slots ja-task-ID \n"
)

// TestStepsAreForWhatHappens: a job that comes, or waits in another state; where rules go by what runs,
// also one that begins or ends. A slot that becomes free is a reason to ask for a run.
func TestStepsAreForWhatHappens(t *testing.T) {
	const waits, begins, runs = "     12 0.50256 my qw job  anna         qw    11/23/2026 12:04:33      " +
		"                              1        \n",
		"     12 0.50256 my qw job  anna         t     11/23/2026 12:04:42 all.q@node04                       1        \n",
		"     12 0.60256 my qw job  anna         r     11/23/2026 12:04:42 all.q@node04                       1        \n"
	for name, c := range map[string]struct {
		before, after       string
		step, ruled, vacant bool
	}{
		"nothing":     {waits, waits, false, false, false},
		"a job comes": {"", waits, true, true, false},
		"it is held by us": {waits, "     12 0.00000 my qw job  anna         hqw   11/23/2026 " +
			"12:04:33                                    1        \n", false, false, false},
		"it is in error": {waits, "     12 0.50256 my qw job  anna         Eqw   11/23/2026 " +
			"12:04:33                                    1        \n", true, true, false},
		"it begins":          {waits, begins, false, true, false},
		"it runs":            {begins, runs, false, false, false},
		"it ends":            {runs, "", false, true, true},
		"some tasks wait on": {begins + waits, waits, false, true, true},
		"long numbers": {headOf92 + " 123456789 0.50256 j          anna         r     11/23/2026 " +
			"12:04:42 all.q@node04                       1        \n", headOf92, false, true, true},
	} {
		for _, ruled := range []bool{false, true} {
			l := &lister{}
			v := &Driver{Driver: &drive.Driver{Controller: exporter.Controller{Runner: l}},
				system: model.GridEngine, ruled: ruled}
			l.text = headOf819 + c.before
			if c.before != "" && c.before[:3] == "job" {
				l.text = c.before
			}
			must(t, v.look(context.Background()))
			l.text = headOf819 + c.after
			want := c.step
			if ruled {
				want = c.ruled
			}
			if got := v.happened(context.Background()); got != want || v.moved != c.vacant {
				t.Errorf("%s, ruled %v: a step %v, want %v; vacant %v, want %v", name, ruled, got, want, v.moved, c.vacant)
			}
		}
	}
}
