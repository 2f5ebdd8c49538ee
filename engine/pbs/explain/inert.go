package explain

import (
	"slices"

	"qprism/engine/explain"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

// inert lists what tells no two of the jobs apart that are considered.
func (sc *Scene) inert() []explain.Inert {
	l, p := sc.lineup, &sc.lineup.Policy
	var list []explain.Inert
	add := func(policy, why string) { list = append(list, explain.Inert{Policy: policy, Why: why}) }
	same := func(of func(*criteria.JobValues) float64) (v float64, same bool) {
		first := true
		for i := range l.Jobs {
			s := &l.Jobs[i]
			switch x := of(s); {
			case s.Place == 0:
			case first:
				v, first = x, false
			case x != v:
				return v, false
			}
		}
		return v, !first
	}
	value := func(s *criteria.JobValues) float64 { return float64(s.Formula) }
	switch v, same := same(value); {
	case l.Formula == "":
		add("formula", "there is no job_sort_formula")
	case same:
		add("formula", "it is "+explain.Number(v)+" for every job")
	}
	switch entities := sc.entities(); {
	case !p.FairShare:
		add("fairshare", "fair_share is off")
	case entities <= 1:
		add("fairshare", "all jobs are charged to the same entity")
	}
	if !p.Preemptive {
		add("preempt priority", "preemptive_sched is off")
	} else if _, same := same(func(s *criteria.JobValues) float64 { return float64(s.Level) }); same {
		add("preempt priority", "every job is "+l.Jobs[0].LevelOf)
	}
	if len(p.JobSortKeys) == 0 {
		add("job_sort_key", "there is none")
	}
	for i, k := range p.JobSortKeys {
		if v, same := same(func(s *criteria.JobValues) float64 { return s.Keys[i] }); same {
			add("job_sort_key "+k.Resource, "it is "+explain.Number(v)+" for every job")
		}
	}
	if l.Formula != "" || !p.FairShare && len(p.JobSortKeys) == 0 {
		list = append(list, sc.inertPriority()...)
	}
	if len(l.Jobs) == 0 || l.Jobs[0].Place == 0 {
		return nil
	}
	return list
}

// inertPriority says that nothing uses the jobs' own priority, if so.
func (sc *Scene) inertPriority() []explain.Inert {
	f, _ := sc.parse()
	if f != nil && slices.Contains(f.Names(), "job_priority") {
		return nil
	}
	for _, k := range sc.lineup.Policy.JobSortKeys {
		if k.Resource == "job_priority" || k.Resource == "sort_priority" {
			return nil
		}
	}
	return []explain.Inert{{Policy: "-p", Why: "job_sort_formula and job_sort_key do not read job_priority"}}
}

func (sc *Scene) entities() int {
	seen := map[*fairshare.Node]bool{}
	for i := range sc.lineup.Jobs {
		if s := &sc.lineup.Jobs[i]; s.Place > 0 {
			seen[s.Node] = true
		}
	}
	return len(seen)
}
