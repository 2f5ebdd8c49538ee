package model

import "testing"

func TestTheSchedulerIsTheOneNamedDefault(t *testing.T) {
	for name, c := range map[string]struct {
		list      []PBSScheduler
		want      string
		threshold float64
		set       bool
	}{
		"among others":      {[]PBSScheduler{{Name: "other", Threshold: "7"}, {Name: "default", Threshold: "0.5"}}, "default", 0.5, true},
		"others alone":      {[]PBSScheduler{{Name: "other", Threshold: "7"}}, "other", 7, true},
		"none":              {nil, "default", 0, false},
		"without one":       {[]PBSScheduler{{Name: "other", Threshold: "7"}, {Name: "default"}}, "default", 0, false},
		"what is no number": {[]PBSScheduler{{Name: "default", Threshold: "much"}}, "default", 0, false},
	} {
		s := (&PBS{Schedulers: c.list}).Scheduler()
		if x, ok := s.FormulaThreshold(); s.Name != c.want || ok != c.set || ok && x != c.threshold {
			t.Errorf("%s: %s, threshold %v, %v", name, s.Name, x, ok)
		}
	}
}

func TestAFormulaIsSetForAllSchedulersOfACopy(t *testing.T) {
	first := PBS{Schedulers: []PBSScheduler{{Name: "default", Threshold: "1"}, {Name: "other"}}}
	second := first
	second.SetFormula("ncpus")
	if first.Formula != "" || first.Schedulers[0].Formula != "" {
		t.Errorf("the original changed: %+v", first)
	}
	if s := second.Schedulers; second.Formula != "ncpus" || second.Server.Formula != "ncpus" || s[0].Formula != "ncpus" ||
		s[1].Formula != "ncpus" || s[0].Threshold != "1" {
		t.Errorf("%+v", second)
	}
}
