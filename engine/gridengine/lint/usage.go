package lint

import (
	"fmt"
	"math"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// usageCountsNothing finds weights that leave nothing of the usage.
func usageCountsNothing(l *linter) []lint.Trap {
	sum := 0.0
	for _, w := range l.policy.UsageWeights {
		sum += w.Value
	}
	if !l.treeUsed() || sum > 0 {
		return nil
	}
	return []lint.Trap{{
		Name:  "usage-counts-nothing",
		What:  "past usage does not count in the share tree: the weights of usage_weight_list add up to 0",
		Place: l.Sched("usage_weight_list"),
		Effect: lint.Sentences(fmt.Sprintf("the scheduler treats %s with recorded usage as idle",
			lint.Many(l.used(), "user or project")),
			l.moved(func(s *model.Snapshot) { s.Policy.UsageWeights = []model.Amount{{Name: "cpu", Value: 1}} })),
		Fix: []string{setSched("usage_weight_list", "cpu=1.000000,mem=0.000000,io=0.000000")},
	}}
}

// used counts the users and projects with usage.
func (l *linter) used() (n int) {
	for _, u := range l.Users {
		n += lint.BoolInt(len(u.Usage.Decayed) > 0 || len(u.Projects) > 0)
	}
	for _, p := range l.Projects {
		n += lint.BoolInt(len(p.Usage.Decayed) > 0)
	}
	return n
}

// usageNeverDecays finds a share tree that forgets nothing.
func usageNeverDecays(l *linter) []lint.Trap {
	if !l.treeUsed() || l.view.Result.Tickets.Both == nil || l.policy.HalfTime != 0 || len(l.policy.HalfLives) > 0 {
		return nil
	}
	return []lint.Trap{{
		Name:  "usage-never-decays",
		What:  "usage in the share tree never decays: halftime is 0",
		Place: l.Sched("halftime"),
		Effect: fmt.Sprintf("usage of %s counts in full forever, %s in total", lint.Many(l.used(), "user or project"),
			lint.Rounded(l.view.Result.Tickets.Both.Usage)),
		Fix: []string{setSched("halftime", "168")},
	}}
}

// usageForgotten finds users who are deleted, with all that they used, long before it has decayed (quirk Q50).
func usageForgotten(l *linter) []lint.Trap {
	text, _ := model.Text(l.Config.Global, "auto_user_delete_time")
	after, err := model.ParseInterval(text)
	auto, _ := model.Text(l.Config.Global, "enforce_user")
	if !l.treeUsed() || err != nil || auto != "auto" || after <= 0 || after >= l.policy.HalfTime {
		return nil
	}
	going := 0
	for _, u := range l.Users {
		if !u.DeleteTime.IsZero() {
			going++
		}
	}
	if going == 0 {
		return nil
	}
	return []lint.Trap{{
		Name: "usage-forgotten",
		What: fmt.Sprintf("the master deletes a user without jobs, and the usage of that user, after "+
			"%s; half of the usage should still count after %s (halftime)",
			lint.Lasting(after), lint.Lasting(l.policy.HalfTime)),
		Place: l.First("conf.txt", "auto_user_delete_time"),
		Effect: fmt.Sprintf("%d of %s will be deleted and come back without usage",
			going, lint.Many(len(l.Users), "user")),
		Fix: []string{setConf("auto_user_delete_time", "0")},
	}}
}

// ticketsCut finds share-tree tickets of running jobs with -js, which are cut to whole ones (quirk Q20).
func ticketsCut(l *linter) []lint.Trap {
	chosen := those(l.running(), func(j *priority.Job) bool { return j.Job.JobShare > 0 })
	if !l.treeUsed() || !l.Quirks.TruncatedJobShare || len(chosen) == 0 {
		return nil
	}
	lost := l.shareTickets(l.exact()) - l.shareTickets(l.view.Result)
	starved := those(l.running(), func(j *priority.Job) bool {
		return j.Job.JobShare == 0 && len(j.Running) > 0 && j.Running[0].ShareTree == 0
	})
	if lost < 0.01*float64(l.policy.ShareTreeTickets) && len(starved) == 0 {
		return nil
	}
	effect := fmt.Sprintf("rounding down loses %s of %d share-tree tickets", lint.Rounded(max(0, lost)),
		l.policy.ShareTreeTickets)
	if len(starved) > 0 {
		effect += fmt.Sprintf(". %s without -js %s no tickets: %s",
			lint.Many(len(starved), "running job"), lint.Verb(len(starved), "has", "have"), numbers(starved))
	}
	return []lint.Trap{{
		Name: "tickets-cut",
		What: fmt.Sprintf("share-tree tickets of running jobs with -js are rounded down to whole "+
			"tickets, and the policy has only %d",
			l.policy.ShareTreeTickets),
		Place:  l.Sched("weight_tickets_share"),
		Effect: effect,
		Fix: []string{setSched("weight_tickets_share", fmt.Sprint(max(1000000, l.policy.ShareTreeTickets))),
			"qalter -js 0 " + numbersOf(chosen)},
	}}
}

// exact is the run without cut tickets.
func (l *linter) exact() *priority.Result {
	q := l.Quirks
	q.TruncatedJobShare = false
	return priority.Compute(priority.Input{Snapshot: l.Snapshot, Lists: l.view.Lists, At: l.view.At,
		FreeSlots: l.view.FreeSlots,
		Quirks:    q, UsageBooked: true, HalfTimeKept: true})
}

// shareTickets sums the share-tree tickets of running tasks.
func (l *linter) shareTickets(r *priority.Result) (sum float64) {
	for _, j := range r.Running {
		for _, t := range j.Running {
			sum += t.ShareTree
		}
	}
	return sum
}

// numbersOf lists all jobs for a command.
func numbersOf(jobs []*priority.Job) (text string) {
	for i, j := range jobs {
		if i > 0 {
			text += " "
		}
		text += fmt.Sprint(j.Job.Number)
	}
	return text
}

// ticketsUnderOne finds so few tickets that jobs hold parts of one, which are shown as 0.
func ticketsUnderOne(l *linter) []lint.Trap {
	least, total := math.Inf(1), 0
	under := those(l.waiting(), func(j *priority.Job) bool {
		t := j.First().Total
		if t > 0 {
			total++
			least = min(least, t)
		}
		return t > 0 && t < 1
	})
	if len(under) == 0 {
		return nil
	}
	key, given := "weight_tickets_functional", l.policy.FunctionalTickets
	if l.policy.ShareTreeTickets > given {
		key, given = "weight_tickets_share", l.policy.ShareTreeTickets
	}
	want := min(float64(given)*math.Pow(10, math.Ceil(math.Log10(10/least))), math.MaxUint32/2)
	return []lint.Trap{{
		Name: "too-few-tickets",
		What: fmt.Sprintf("there are only %d tickets for %s: qstat shows less than one ticket as 0",
			given, lint.Many(total, "waiting job")),
		Place: l.Sched(key),
		Effect: fmt.Sprintf("%s less than one ticket: %s. The lowest number is %s",
			lint.Many(len(under), "waiting job")+" "+lint.Verb(len(under), "has", "have"), numbers(under), lint.Rounded(least)),
		Fix: []string{setSched(key, lint.Number(want))},
	}}
}
