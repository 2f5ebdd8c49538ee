package ticket

import "cmp"

// sums are functional shares, of one task or of all that compete, or the weights of their four categories.
type sums struct {
	user, project, department, job float64
}

// selectionOffset is added to the sums while the next pending job is chosen, to avoid a division by zero.
const selectionOffset = 0.001

// addFunctionalShares adds a running task's functional shares to the sums.
func (r *run) addFunctionalShares(t *ref) {
	if r.policy.FunctionalTickets == 0 {
		return
	}
	own := r.runningShares(t)
	r.sums.user += own.user
	r.sums.project += own.project
	r.sums.department += own.department
	r.sums.job += float64(t.jobShare)
}

// runningShares are the shares of a running task.
func (r *run) runningShares(t *ref) sums {
	return sums{user: r.sharesOfOne(t.user), project: r.sharesOfOne(t.project), department: r.sharesOfOne(t.department)}
}

// sharesOfOne are the shares of one of an account's running tasks.
func (r *run) sharesOfOne(a *Account) float64 {
	if a == nil {
		return 0
	}
	if r.policy.ShareFunctionalShares && a.jobs != 0 {
		return float64(a.FunctionalShares) / float64(a.jobs)
	}
	return float64(a.FunctionalShares)
}

// runningWeights are the weights of the categories that hold any shares, as parts of one.
func (r *run) runningWeights() sums {
	var w sums
	if r.sums.user > 0 {
		w.user = r.policy.WeightUser
	}
	if r.sums.department > 0 {
		w.department = r.policy.WeightDepartment
	}
	if r.sums.project > 0 {
		w.project = r.policy.WeightProject
	}
	if r.sums.job > 0 {
		w.job = r.policy.WeightJob
	}
	return w.normalized()
}

// pendingWeights are the four weights as parts of one, used or not (quirk Q1), or like those of running tasks.
func (r *run) pendingWeights() sums {
	w := sums{user: r.policy.WeightUser, project: r.policy.WeightProject, department: r.policy.WeightDepartment,
		job: r.policy.WeightJob}
	if r.Quirks.PendingWeightsOverAll {
		return w.normalized()
	}
	used := r.sums
	for i := range r.queued {
		t := &r.queued[i]
		add := func(sum *float64, a *Account) {
			if a != nil {
				*sum += float64(a.FunctionalShares)
			}
		}
		add(&used.user, t.user)
		add(&used.project, t.project)
		add(&used.department, t.department)
		used.job += float64(t.jobShare)
	}
	if used.user <= 0 {
		w.user = 0
	}
	if used.project <= 0 {
		w.project = 0
	}
	if used.department <= 0 {
		w.department = 0
	}
	if used.job <= 0 {
		w.job = 0
	}
	return w.normalized()
}

func (w sums) normalized() sums {
	k := w.user + w.department + w.project + w.job
	if k > 0 {
		w.user, w.department, w.project, w.job = w.user/k, w.department/k, w.project/k, w.job/k
	}
	return w
}

func (r *run) runningFunctional(t *ref, w sums) float64 {
	if r.policy.FunctionalTickets == 0 {
		return 0
	}
	return r.functional(t, r.runningShares(t), w, r.sums)
}

// functional is what a task's own shares make of the functional tickets, given the sums of all shares (R24).
func (r *run) functional(t *ref, own, w, s sums) float64 {
	all := float64(r.policy.FunctionalTickets)
	part := func(has bool, shares, sum float64) float64 {
		if !has || sum == 0 {
			return 0
		}
		return shares * all / sum
	}
	user := part(t.user != nil, own.user, s.user)
	project := part(t.project != nil, own.project, s.project)
	department := part(t.department != nil, own.department, s.department)
	job := part(true, float64(t.jobShare), s.job)
	r.deriveFunctional(t, own, w, s)
	return float64(w.user*user) + float64(w.department*department) + float64(w.project*project) + float64(w.job*job)
}

// pendingFunctional chooses, again and again, the pending task that would get most functional tickets next to all
// running ones and those chosen before; only the first max_functional_jobs_to_schedule are chosen (R25).
func (r *run) pendingFunctional(dependent bool) {
	for i := range r.queued {
		r.queued[i].given.Function = 0
	}
	if r.policy.FunctionalTickets == 0 {
		return
	}
	categories := r.group(func(t *ref) uint32 { return t.jobShare }, func(a *Account) uint32 { return a.FunctionalShares })
	if dependent {
		r.sortByGained(categories)
	}
	n := 0
	for _, c := range categories {
		n += len(c.refs)
	}
	if r.policy.MaxFunctionalJobs == 0 {
		return
	}
	weights, pending := r.pendingWeights(), r.sums
	chosen := make([]*ref, 0, min(n, int(r.policy.MaxFunctionalJobs)))
	for range min(n, int(r.policy.MaxFunctionalJobs)) {
		best := r.bestTrial(categories, weights, pending, dependent)
		winner := categories[best].refs[0]
		if rest := categories[best].refs[1:]; len(rest) > 0 {
			rest[0].given.Function = winner.given.Function
			rest[0].deriveBeyond(winner)
		}
		categories = dropHead(categories, best)
		winner.count(+1)
		own := r.settle(winner, &pending)
		winner.given.Function = r.functional(winner, own, weights, pending)
		winner.deriveChosen()
		chosen = append(chosen, winner)
	}
	for _, t := range chosen {
		t.count(-1)
		if dependent {
			t.gained += t.given.Function
		}
	}
	shareHeads(categories, dependent)
}

// bestTrial finds the category whose first task would get most.
func (r *run) bestTrial(categories []*category, w, pending sums, dependent bool) int {
	best, most := -1, 0.0
	for i, c := range categories {
		head := c.refs[0]
		r.try(head, w, pending)
		key := head.given.Function
		if dependent {
			key += head.gained
		}
		if best < 0 || key > most || key == most && head.older(categories[best].refs[0]) {
			best, most = i, key
		}
	}
	return best
}

// older breaks ties among pending tasks: submitted earlier, smaller job number, smaller task number.
func (t *ref) older(u *ref) bool {
	return cmp.Or(cmp.Compare(t.submitted/1e6, u.submitted/1e6), t.compareNumber(u)) < 0
}

// try computes what a task would get as the next one chosen.
func (r *run) try(t *ref, w, pending sums) {
	var own sums
	s := pending
	if r.Quirks.SelectionOffset {
		s.user, s.project, s.department, s.job = s.user+selectionOffset, s.project+selectionOffset,
			s.department+selectionOffset,
			s.job+selectionOffset
	}
	shared := r.policy.ShareFunctionalShares
	trial := func(a *Account, shares, sum *float64) {
		if a == nil {
			return
		}
		*shares = float64(a.FunctionalShares)
		if shared {
			*shares /= float64(a.jobs + 1)
		} else {
			*sum += *shares
		}
	}
	trial(t.user, &own.user, &s.user)
	trial(t.project, &own.project, &s.project)
	trial(t.department, &own.department, &s.department)
	s.job += float64(t.jobShare)
	t.given.Function = r.functional(t, own, w, s)
}

// settle adds the shares of a chosen task to the sums. Shared shares count once, with an account's first job.
func (r *run) settle(t *ref, pending *sums) (own sums) {
	shared := r.policy.ShareFunctionalShares
	add := func(a *Account, shares, sum *float64) {
		if a == nil {
			return
		}
		*shares = float64(a.FunctionalShares)
		if shared {
			*shares /= float64(a.jobs)
		}
		if !shared || a.jobs <= 1 {
			*sum += *shares
		}
	}
	add(t.user, &own.user, &pending.user)
	add(t.project, &own.project, &pending.project)
	add(t.department, &own.department, &pending.department)
	pending.job += float64(t.jobShare)
	return own
}

// shareHeads gives tasks beyond the limit what the first one left in their category would have got (quirk Q5).
func shareHeads(categories []*category, dependent bool) {
	for _, c := range categories {
		c.refs[0].deriveBeyond(c.refs[0])
		for _, t := range c.refs[1:] {
			t.given.Function = c.refs[0].given.Function
			t.deriveBeyond(c.refs[0])
			if dependent {
				t.gained += t.given.Function
			}
		}
	}
}
