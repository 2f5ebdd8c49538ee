package assume

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// jobs fills in what the server shows of jobs to managers only.
func (f *filling) jobs() {
	if !slices.ContainsFunc(f.Jobs, shownToUsers) {
		return
	}
	f.Jobs = slices.Clone(f.Jobs)
	queues, n, ranked := f.defaults(), 0, slices.ContainsFunc(f.Jobs, isRanked)
	for i := range f.Jobs {
		j := &f.Jobs[i]
		if j.PBS == nil {
			continue
		}
		p := *j.PBS
		j.PBS = &p
		if shownToUsers(*j) {
			n++
			f.accrue(&p)
		}
		if p.SchedSelect == "" {
			p.SchedSelect = withDefaults(p.Select, queues[p.Queue])
		}
		if !ranked { // the server lists jobs by their rank
			p.QueueRank = int64(i + 1)
		}
	}
	f.sayOfJobs(n)
	f.sayOfSuspended()
}

// sayOfSuspended notes that the order of jobs is not known that the scheduler suspended, where neither
// accounting nor its log is there.
func (f *filling) sayOfSuspended() {
	const byScheduler = 45
	told := map[string]bool{}
	for i := range f.PBS.Accounting {
		if r := &f.PBS.Accounting[i]; r.Type == "z" {
			told[r.ID] = true
		}
	}
	for i := range f.PBS.Cycles {
		for _, e := range f.PBS.Cycles[i].Of(model.EventPreempted) {
			told[e.Object] = true
		}
	}
	var jobs []string
	for i := range f.Jobs {
		if p := f.Jobs[i].PBS; p != nil && p.State == "S" && p.Substate == byScheduler && p.Preempted.IsZero() &&
			!told[p.ID] {
			jobs = append(jobs, p.ID)
		}
	}
	if len(jobs) > 1 {
		f.say(Suspended, "the bundle does not say when %d jobs were suspended (%s) (accounting or the "+
			"scheduler's log does); they tie, and qprism orders them by their last change", len(jobs), firstOf(jobs))
	}
}

// firstOf names the first of some jobs.
func firstOf(jobs []string) string {
	const named = 5
	if len(jobs) > named {
		return strings.Join(jobs[:named], ", ") + " and others"
	}
	return strings.Join(jobs, ", ")
}

func isRanked(j model.Job) bool { return j.PBS != nil && j.PBS.QueueRank != 0 }

// shownToUsers reports whether a job is listed as the server lists it to ordinary users.
func shownToUsers(j model.Job) bool { return j.PBS != nil && j.Group == "" }

// accrue is what accrues while a job is in its state, as far as that alone decides it.
func (f *filling) accrue(p *model.PBSJob) {
	const ineligible, eligible, running = 1, 2, 3
	if p.AccrueType >= 0 || !f.PBS.Server.EligibleTimeEnable {
		return
	}
	switch p.State {
	case "Q":
		p.AccrueType = eligible
	case "R", "E":
		p.AccrueType = running
	default:
		p.AccrueType = ineligible
	}
}

// sayOfJobs says what was assumed of the jobs that are listed as ordinary users see them.
func (f *filling) sayOfJobs(n int) {
	f.changed = true
	if f.limitsGroups() {
		f.say(Groups, "the groups of %d jobs are not in the bundle (the server tells only managers); "+
			"qprism ignores limits on groups", n)
	}
	if f.PBS.Server.EligibleTimeEnable && f.readsEligibleTime() {
		f.say(Waiting, "accrue_type is not in the bundle (the server tells only managers); qprism "+
			"treats jobs in state Q as eligible")
	}
	if text, _ := model.Text(f.PBS.Server.Attributes, "query_other_jobs"); len(f.PBS.Server.Attributes) > 0 &&
		!strings.EqualFold(text, "true") {
		f.say(Others, "the server shows users only their own jobs (query_other_jobs False); qprism "+
			"knows no other waiting jobs")
	}
}

// limitsGroups reports whether the server or a queue limits groups.
func (f *filling) limitsGroups() bool {
	onGroups := func(l model.Limit) bool { return l.Kind == "g" || strings.HasPrefix(l.Attribute, "max_group") }
	return slices.ContainsFunc(f.PBS.Server.Limits, onGroups) || slices.ContainsFunc(f.Queues, func(q model.Queue) bool {
		return q.PBS != nil && slices.ContainsFunc(q.PBS.Limits, onGroups)
	})
}

func (f *filling) readsEligibleTime() bool {
	return readsAny(f.PBS.Formula, "eligible_time", "accrue_type")
}

func readsAny(formula string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(formula, name) })
}

// defaults are the default_chunk of each queue: its own, and the server's of what it has none for.
func (f *filling) defaults() map[string][]model.Setting {
	m := map[string][]model.Setting{}
	server := chunkDefaults(nil, f.PBS.Server.Attributes)
	for i := range f.Queues {
		own := make([]model.Setting, 0, len(f.Queues[i].Attributes))
		for _, a := range f.Queues[i].Attributes {
			own = append(own, model.Setting{Name: a.Name, Value: a.Default})
		}
		m[f.Queues[i].Name] = append(chunkDefaults(nil, own), server...)
	}
	return m
}

func chunkDefaults(list, attributes []model.Setting) []model.Setting {
	for _, a := range attributes {
		if name, ok := strings.CutPrefix(a.Name, "default_chunk."); ok {
			list = append(list, model.Setting{Name: name, Value: a.Value})
		}
	}
	return list
}

// withDefaults is a select specification with what each chunk does not ask for itself; of two defaults for
// one resource the first counts.
func withDefaults(spec string, defaults []model.Setting) string {
	if spec == "" {
		return ""
	}
	chunks := model.CutOutside(spec, '+')
	for i, chunk := range chunks {
		asked := map[string]bool{}
		for _, field := range model.CutOutside(chunk, ':') {
			name, _, _ := strings.Cut(field, "=")
			asked[name] = true
		}
		for _, d := range defaults {
			if !asked[d.Name] {
				asked[d.Name] = true
				chunks[i] += ":" + d.Name + "=" + d.Value
			}
		}
	}
	return strings.Join(chunks, "+")
}
