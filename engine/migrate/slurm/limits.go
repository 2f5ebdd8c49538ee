package slurm

import (
	"fmt"
	"strconv"

	"qprism/engine/migrate"
	"qprism/engine/model"
)

// normal is the QOS that jobs have unless they ask for another one.
const normal = "normal"

// limits makes limits of the QOS that all jobs have: those of each user, of each account and of everybody.
func (t *Translation) limits() {
	var limits []model.Setting
	if n := t.From.Policy.MaxUserJobs; n > 0 {
		limits = append(limits, model.Setting{Name: "MaxJobsPerUser", Value: strconv.Itoa(n)})
		t.say("sched_conf", "maxujobs", migrate.Exact, fmt.Sprintf("MaxJobsPerUser=%d of the QOS %s", n, normal), "")
	}
	for _, q := range t.From.Quotas {
		if !q.Enabled || len(q.Rules) != 1 {
			continue
		}
		if name, value, ok := perParty(q.Rules[0]); ok {
			limits = append(limits, model.Setting{Name: name, Value: value})
			t.say("rqs", q.Name, migrate.Exact, fmt.Sprintf("%s=%s of the QOS %s", name, value, normal), "")
		}
	}
	if len(limits) > 0 {
		t.Config.QOS = []model.SlurmQOS{{Name: normal, Limits: limits}}
	}
}

// perParty is a limit on the slots of each user, each project, or of all.
func perParty(r model.QuotaRule) (name, value string, ok bool) {
	if len(r.Limits) != 1 || r.Limits[0].Name != "slots" || r.PEs.Set || r.Queues.Set || r.Hosts.Set {
		return "", "", false
	}
	if _, err := strconv.ParseUint(r.Limits[0].Value, 10, 31); err != nil {
		return "", "", false
	}
	value = "cpu=" + r.Limits[0].Value
	all := func(f model.QuotaFilter, each bool) bool {
		return f.Set && f.Each == each && len(f.Exclude) == 0 && len(f.Include) == 1 && f.Include[0] == "*"
	}
	switch {
	case all(r.Users, true) && !r.Projects.Set:
		return "MaxTRESPerUser", value, true
	case all(r.Projects, true) && !r.Users.Set:
		return "MaxTRESPerAccount", value, true
	case !r.Users.Set && !r.Projects.Set:
		return "GrpTRES", value, true
	}
	return "", "", false
}
