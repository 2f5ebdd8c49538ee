package gridengine

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qprism/engine/migrate"
	"qprism/engine/model"
)

// limits makes quotas of the limits of server and queues: a set for each attribute and kind of party, because all of a set's
// limits are alternatives, and all of PBS's limits hold together.
func (t *Translation) limits() {
	t.limitsOf("server", "", t.From.PBS.Server.Limits)
	for i := range t.From.Queues {
		if q := &t.From.Queues[i]; q.PBS != nil {
			t.limitsOf("queue "+q.Name, q.Name, q.PBS.Limits)
		}
	}
}

func (t *Translation) limitsOf(object, queue string, list []model.Limit) {
	for _, l := range list {
		key := l.Attribute
		if l.Resource != "" {
			key += "." + l.Resource
		}
		value := fmt.Sprintf("[%s:%s=%s]", l.Kind, l.Entity, l.Value)
		verdict, into, note := t.limit(l, queue)
		t.say("qmgr", object, key, value, "limits", verdict, into, note)
	}
}

// limit makes what stands for one limit.
func (t *Translation) limit(l model.Limit, queue string) (verdict migrate.Verdict, into, note string) {
	n := strconv.FormatFloat(l.Amount, 'f', -1, 64)
	switch {
	case strings.HasSuffix(l.Attribute, "_soft"):
		return migrate.Lost, "", "a soft limit only preempts; Grid Engine preempts by subordinate queues"
	case l.Attribute == "max_run_res":
		return t.quota(l, queue)
	case l.Attribute == "max_run" && l.Kind == "u" && l.Entity == "PBS_GENERIC" && queue == "":
		t.To.Policy.MaxUserJobs = int(min(max(l.Amount, 1), 1<<30))
		return migrate.Exact, "maxujobs " + n, ""
	case l.Attribute == "max_queued" && queue == "" && l.Kind == "o":
		t.To.Config.Global = append(t.To.Config.Global, model.Setting{Name: "max_jobs", Value: n})
		return migrate.Approximate, "max_jobs " + n, "running jobs count as well: at most as many more are refused as run"
	case l.Attribute == "max_queued" && queue == "" && l.Kind == "u" && l.Entity == "PBS_GENERIC":
		t.To.Config.Global = append(t.To.Config.Global, model.Setting{Name: "max_u_jobs", Value: n})
		return migrate.Approximate, "max_u_jobs " + n, "running jobs count as well: at most as many more are refused as run"
	case l.Attribute == "max_run":
		return migrate.Lost, "", "quotas count resources: give jobs a resource with consumable JOB and default 1, and limit that"
	}
	return migrate.Lost, "", "refuse such jobs when they are submitted, with a JSV"
}

// quota makes a rule of a limit on a resource.
func (t *Translation) quota(l model.Limit, queue string) (verdict migrate.Verdict, into, note string) {
	r := model.QuotaRule{Limits: []model.Setting{{Name: l.Resource, Value: l.Value}}}
	verdict = migrate.Exact
	if l.Resource == "ncpus" {
		r.Limits[0].Name = "slots"
	} else {
		verdict, note = migrate.Approximate, "counts where jobs ask for it: "+l.Resource+" has to be a consumable, and forced or with a default"
	}
	if queue != "" {
		r.Queues = model.QuotaFilter{Set: true, Include: []string{queue}}
	}
	party := model.QuotaFilter{Set: true, Include: []string{l.Entity}}
	if l.Entity == "PBS_GENERIC" {
		party = model.QuotaFilter{Set: true, Each: true, Include: []string{"*"}}
	}
	switch l.Kind {
	case "u":
		r.Users = party
	case "p":
		r.Projects = party
	case "g":
		if l.Entity == "PBS_GENERIC" {
			return migrate.Lost, "", "quotas cannot count each group: write a rule for each, users @group"
		}
		r.Users = model.QuotaFilter{Set: true, Include: []string{"@" + l.Entity}}
	}
	t.addRule(l, queue, r)
	return verdict, "limit " + RuleText(r), note
}

// addRule adds a rule to the set of its attribute and party: named ones before the one for everybody, who come first.
func (t *Translation) addRule(l model.Limit, queue string, r model.QuotaRule) {
	name := strings.Join([]string{"pbs", l.Resource, l.Kind}, "_")
	if queue != "" {
		name += "_" + queue
	}
	for i := range t.To.Quotas {
		if q := &t.To.Quotas[i]; q.Name == name {
			if l.Entity == "PBS_GENERIC" {
				q.Rules = append(q.Rules, r)
			} else {
				q.Rules = append([]model.QuotaRule{r}, q.Rules...)
			}
			return
		}
	}
	t.To.Quotas = append(t.To.Quotas, model.QuotaSet{Name: name, Description: "from PBS: " + l.Attribute + "." + l.Resource, Enabled: true, Rules: []model.QuotaRule{r}})
}

// RuleText is a quota rule as sge_resource_quota(5) has it, behind "limit".
func RuleText(r model.QuotaRule) string {
	var b strings.Builder
	for _, f := range []struct {
		name string
		model.QuotaFilter
	}{{"users", r.Users}, {"projects", r.Projects}, {"pes", r.PEs}, {"queues", r.Queues}, {"hosts", r.Hosts}} {
		if !f.Set {
			continue
		}
		list := strings.Join(f.Include, ",")
		if f.Each {
			list = "{" + list + "}"
		}
		b.WriteString(f.name + " " + list + " ")
	}
	b.WriteString("to ")
	for i, s := range r.Limits {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(s.Name + "=" + s.Value)
	}
	return b.String()
}

// reservation makes reservations of top jobs, and a run time of the default.
func (t *Translation) reservation() {
	p := t.From.PBS
	if p.SchedConfig.Prime.StrictOrdering || p.SchedConfig.NonPrime.StrictOrdering {
		depth := int64(1)
		if p.Server.BackfillDepth.Set {
			depth = p.Server.BackfillDepth.N
		}
		t.To.Policy.MaxReservation = int(min(max(depth, 0), 1<<20))
		t.Submit = append(t.Submit, Option{"", "-R y", "in sge_request, for all jobs: strict_ordering reserves for whichever comes first"})
	}
	for _, s := range p.Server.Attributes {
		if s.Name == "resources_default.walltime" {
			if d, ok := clock(s.Value); ok {
				t.To.Policy.DefaultDuration = d
			}
		}
	}
}

// clock reads a time as PBS prints it: seconds, or hours, minutes and seconds.
func clock(text string) (time.Duration, bool) {
	seconds := 0
	for _, part := range strings.Split(text, ":") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || seconds > 1<<30 {
			return 0, false
		}
		seconds = seconds*60 + n
	}
	return time.Duration(seconds) * time.Second, true
}
