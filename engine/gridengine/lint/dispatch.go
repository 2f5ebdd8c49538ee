package lint

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// jobsFiltered finds JC_FILTER, which hides waiting jobs from the scheduler.
func jobsFiltered(l *linter) []lint.Trap {
	i := slices.IndexFunc(l.policy.Params, func(p model.Setting) bool { return strings.EqualFold(p.Name, "JC_FILTER") })
	if i < 0 {
		return nil
	}
	if !split.Filtered(l.policy) {
		return nil
	}
	var rest []string
	for k, p := range l.policy.Params {
		if k != i {
			rest = append(rest, p.Name+"="+p.Value)
		}
	}
	if len(rest) == 0 {
		rest = []string{"none"}
	}
	hidden := len(l.view.Lists.Hidden)
	return []lint.Trap{{
		Name: "jobs-filtered",
		What: "JC_FILTER hides waiting jobs from the scheduler: of jobs with the same requests, the scheduler sees " +
			"about as many as there are free slots",
		Place: l.Sched("params"),
		Effect: fmt.Sprintf("JC_FILTER hides %d of %s from a run now. qstat shows no tickets and priority 0 for "+
			"them. Changing a job with qalter can crash the master", hidden, lint.Many(len(l.view.Lists.Pending)+hidden, "waiting job")),
		Fix: []string{setSched("params", strings.Join(rest, ","))},
	}}
}

// forcedEverywhere finds a resource that every job must ask for: FORCED, and on the global host or on every queue
// instance.
func forcedEverywhere(l *linter) (traps []lint.Trap) {
	for _, r := range l.Resources {
		if r.Requestable != model.RequestForced {
			continue
		}
		where, fix := l.forced(r.Name)
		if where == "" {
			continue
		}
		out := those(l.waiting(), func(j *priority.Job) bool { return !lint.Asks(j.Job, r.Name) })
		place := l.Object("hosts", model.GlobalHost, "complex_values")
		if len(fix) == 0 {
			place = l.First("complex.txt", r.Name)
		}
		traps = append(traps, lint.Trap{
			Name: "forced-everywhere",
			What: fmt.Sprintf("%s is FORCED and %s: only a job that requests the resource can start (-l %s)",
				r.Name, where, r.Name),
			Place: place,
			Effect: fmt.Sprintf("%d of %s not request it and can never start: %s", len(out),
				lint.Many(len(l.waiting()), "waiting job")+" "+lint.Verb(len(l.waiting()), "does", "do"), numbers(out)),
			Fix: append(fix, edit("-sc", "complex", "-Mc", "/^"+lint.Pattern(r.Name)+"[[:space:]]/s/FORCED/YES/")),
		})
	}
	return traps
}

// forced says where a resource stands in every job's way, and what takes it away.
func (l *linter) forced(name string) (where string, fix []string) {
	on := map[string]bool{}
	for _, h := range l.Hosts {
		value, has := model.Text(h.Capacity, name)
		if has && h.Name == model.GlobalHost {
			return "set on the global host", []string{"qconf -dattr exechost complex_values " +
				lint.Quote(name+"="+value) + " global"}
		}
		on[h.Name] = has
	}
	for _, q := range l.Instances {
		if _, has := model.Text(q.Capacity, name); !has && !on[q.Host] {
			return "", nil
		}
	}
	if len(l.Instances) == 0 {
		return "", nil
	}
	return "set on every queue instance or its host", nil
}

// noInstances finds max_aj_instances 0, which lets no task start (quirk Q39).
func noInstances(l *linter) []lint.Trap {
	value, has := model.Text(l.Config.Global, "max_aj_instances")
	if !has || value != "0" || !l.Quirks.ZeroInstancesExcludes {
		return nil
	}
	stuck := 0
	for _, e := range l.view.Lists.Blocked {
		if e.Job.MaxRunningTasks == 0 && slices.ContainsFunc(e.Job.Tasks, func(t model.Task) bool {
			return t.State == "qw"
		}) {
			stuck++
		}
	}
	return []lint.Trap{{
		Name: "no-instances",
		What: "max_aj_instances is 0: in the manual, 0 means that there is no limit, but a job without -tc " +
			"cannot start, even if it is no array job",
		Place:  l.First("conf.txt", "max_aj_instances"),
		Effect: fmt.Sprintf("without this setting, %s could start", lint.Many(stuck, "waiting job")),
		Fix:    []string{setConf("max_aj_instances", "2000")},
	}}
}

// quotaDenies finds quotas of what is not consumable: they deny every parallel job that asks for it (quirk D24).
func quotaDenies(l *linter) (traps []lint.Trap) {
	if !l.Quirks.ReversedLimit {
		return nil
	}
	for _, set := range l.Quotas {
		for _, rule := range set.Rules {
			for _, limit := range rule.Limits {
				i := slices.IndexFunc(l.Resources, func(r model.Resource) bool {
					return r.Name == limit.Name || r.Shortcut == limit.Name
				})
				if set.Enabled && i >= 0 && l.Resources[i].Consumable == model.ConsumeNo {
					traps = append(traps, l.quotaTrap(set.Name, limit))
				}
			}
		}
	}
	return traps
}

func (l *linter) quotaTrap(set string, limit model.Setting) lint.Trap {
	asked := those(l.waiting(), func(j *priority.Job) bool { return j.Job.PE != "" && lint.Asks(j.Job, limit.Name) })
	effect := "no waiting parallel job requests it"
	if len(asked) > 0 {
		effect = lint.Many(len(asked), "waiting parallel job") + " " + lint.Verb(len(asked), "requests", "request") +
			" it: " + numbers(asked)
	}
	file := "rqs/" + set + ".txt"
	if l.Lines(file) == nil {
		file = "rqs.txt"
	}
	return lint.Trap{
		Name: "quota-denies-parallel",
		What: fmt.Sprintf("quota %s limits %s, which is not consumable: the scheduler rejects every "+
			"parallel job that requests it", set, limit.Name),
		Place: l.Line(file, func(words []string) bool {
			return len(words) > 0 && words[0] == "limit" && strings.Contains(strings.Join(words, " "), limit.Name+"=")
		}),
		Effect: effect,
		Fix:    []string{"qconf -mattr resource_quota enabled FALSE " + lint.Quote(set)},
	}
}
