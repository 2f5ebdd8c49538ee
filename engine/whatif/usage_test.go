package whatif

import (
	"strings"
	"testing"

	"qprism/engine/model"
)

func TestUsageResourceChargesWhatGridEngineWeighs(t *testing.T) {
	for _, c := range []struct {
		weights, params string
		unit            float64
		want, note      string
	}{
		{"cpu=1 mem=0 io=0", "", 1, "cput", ""},
		{"cpu=1 mem=0 io=0", "", 1000, "1000*cput", ""},
		{"cpu=1 mem=0 io=0", "ACCT_RESERVED_USAGE=true,SHARETREE_RESERVED_USAGE=true", 1e6, "1000000*ncpus*walltime", ""},
		{"cpu=1", "SHARETREE_RESERVED_USAGE=0", 1, "cput", ""},
		{"cpu=0.5 mem=0.25 io=0", "", 1, "0.5*cput+0.25*mem/1048576*walltime", "mem"},
		{"cpu=1 mem=1", "", 1, "cput+1*mem/1048576*walltime", "mem"},
		{"cpu=1 io=2", "", 1, "cput", "io: PBS does not know this resource"},
		{"io=1", "", 1, "cput", "no other weighted usage is known"},
	} {
		s := &model.Snapshot{}
		for _, w := range strings.Fields(c.weights) {
			name, value, _ := strings.Cut(w, "=")
			n, err := model.ParseNumber(value)
			if err != nil {
				t.Fatal(err)
			}
			s.Policy.UsageWeights = append(s.Policy.UsageWeights, model.Amount{Name: name, Value: n})
		}
		s.Config.Global = []model.Setting{{Name: "execd_params", Value: c.params}}
		got, note := UsageResource(s, c.unit)
		if got != c.want || !strings.Contains(note, c.note) || (c.note == "") != (note == "") {
			t.Errorf("%s %s: %q (%q), want %q (%q)", c.weights, c.params, got, note, c.want, c.note)
		}
	}
}
