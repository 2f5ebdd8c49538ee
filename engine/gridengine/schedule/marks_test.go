package schedule

import (
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// exclusive is a lab in which a job can have a host for itself with -l alone=TRUE.
func exclusive(hosts, slots int, where ...int) *lab {
	l := newLab(hosts, slots).pe("mpi", "$fill_up", 10)
	l.Resources = append(l.Resources, model.Resource{Name: "alone", Type: model.TypeBool, Relop: model.Exclusive,
		Requestable: model.RequestYes, Consumable: model.ConsumeYes, Default: "0"})
	for _, i := range where {
		l.Hosts[i].Capacity = []model.Setting{{Name: "alone", Value: "TRUE"}}
	}
	return l
}

// TestAParallelSearchMarksHostsThatHaveNothingForIt: job 2 does not fit on b, and nothing of a is for it;
// but a is looked at as well, is not free for one job alone, and so is left out behind the start of job 3
// (D21).
func TestAParallelSearchMarksHostsThatHaveNothingForIt(t *testing.T) {
	situation := func() *lab {
		l := exclusive(2, 2, 0, 1)
		a := &l.Instances[0]
		a.Name, a.Queue, a.PEs = "other.q@a", "other.q", nil
		l.Policy.LoadAdjustments = []model.Setting{{Name: "np_load_avg", Value: "0.5"}}
		l.runs(10*time.Second, "-l h_rt=100", "other.q@a")
		l.submit("-q all.q -pe mpi 3 -l alone=TRUE")
		l.submit("-q all.q@b")
		l.submit("-q other.q@a")
		return l
	}
	expect(t, "marked", situation(), compat.Profiles["8.1.9"], "2 waits; 3 starts on b; 4 waits")
	expect(t, "without D21", situation(), without("D21"), "2 waits; 3 starts on b; 4 starts on other.q@a")
}

// TestAUsedUpQuotaKeepsHostsFromBeingMarked: at the moment before +90 the quota is used up, which shows on
// a; so b is not looked at, and can still take the master task of two slots at +90 (D46).
func TestAUsedUpQuotaKeepsHostsFromBeingMarked(t *testing.T) {
	hosts := model.QuotaFilter{Set: true, Include: []string{"a", "b"}}
	two := []model.Setting{{Name: "slots", Value: "2"}}
	others := model.QuotaRule{Users: model.QuotaFilter{Set: true, Include: []string{"nobody"}}, Hosts: hosts, Limits: two}
	for name, c := range map[string]struct {
		rules []model.QuotaRule
		want  string
	}{
		"one limit for both hosts": {[]model.QuotaRule{{Hosts: hosts, Limits: two}}, "2 is reserved for on b×2 at +90"},
		"one for each host": {[]model.QuotaRule{{Hosts: model.QuotaFilter{Set: true, Each: true,
			Include: hosts.Include}, Limits: two}},
			"2 is reserved for on b at +90"},
		"hosts of another rule are looked at": {[]model.QuotaRule{others, {Limits: two}}, "2 is reserved for on b at +90"},
		"but not where the rule names parallel environments": {[]model.QuotaRule{others,
			{PEs: model.QuotaFilter{Set: true, Each: true, Include: []string{"*"}}, Limits: two}},
			"2 is reserved for on b×2 at +90"},
	} {
		l := exclusive(2, 4, 1)
		l.Quotas = []model.QuotaSet{{Name: "set", Enabled: true, Rules: c.rules}}
		l.runs(10*time.Second, "-pe mpi 2 -l h_rt=100", "all.q@b=2")
		l.submit("-pe mpi 1-2 -l alone=TRUE,h_rt=10 -R y")
		expect(t, name, l, compat.Profiles["8.1.9"], c.want)
	}
}
