package lint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// A category is one of the four that functional tickets are parted by.
type category struct {
	key    string
	weight float64
	shares func(*model.Job) uint32
}

func (l *linter) categories() []category {
	users, projects, departments := map[string]uint32{}, map[string]uint32{}, map[string]uint32{}
	for _, u := range l.Users {
		users[u.Name] = u.FunctionalShares
	}
	for _, p := range l.Projects {
		projects[p.Name] = p.FunctionalShares
	}
	for _, u := range l.Usersets {
		if u.Department {
			departments[u.Name] = u.FunctionalShares
		}
	}
	p := l.policy
	return []category{
		{"weight_user", p.WeightUser, func(j *model.Job) uint32 { return users[j.Owner] }},
		{"weight_project", p.WeightProject, func(j *model.Job) uint32 { return projects[j.Project] }},
		{"weight_department", p.WeightDepartment, func(j *model.Job) uint32 { return departments[j.Department] }},
		{"weight_job", p.WeightJob, func(j *model.Job) uint32 { return j.JobShare }},
	}
}

// usersWithoutShares finds users whose jobs get nothing of the functional tickets.
func usersWithoutShares(l *linter) []lint.Trap {
	if l.policy.FunctionalTickets == 0 {
		return nil
	}
	cats := l.categories()
	without := those(l.waiting(), func(j *priority.Job) bool {
		return !slices.ContainsFunc(cats, func(c category) bool { return c.weight > 0 && c.shares(j.Job) > 0 })
	})
	if len(without) == 0 {
		return nil
	}
	names := owners(without)
	place, fix := l.giveShares(without[0].Job.Owner, without[0].Job.Department, cats)
	return []lint.Trap{{
		Name: "users-without-shares",
		What: fmt.Sprintf("%s no functional shares and so no functional tickets: %s",
			lint.Verb(len(names), "a user with waiting jobs has", lint.Many(len(names), "user")+
				" with waiting jobs have"), lint.Few(names)),
		Place: place,
		Effect: fmt.Sprintf("%d of %s %s no functional tickets: %s. The others have up to %s tickets each",
			len(without), lint.Many(len(l.waiting()), "waiting job"), lint.Verb(len(without), "has", "have"),
			numbers(without), lint.Rounded(most(l.waiting(), func(j *priority.Job) float64 { return j.First().Function }))),
		Fix: fix,
	}}
}

// giveShares is where a user's shares would be, and what gives him some, by the category that counts most.
func (l *linter) giveShares(name, department string, cats []category) (lint.Place, []string) {
	best := slices.MaxFunc(cats, func(a, b category) int { return cmp.Compare(a.weight, b.weight) })
	if best.key == "weight_department" && best.weight > cats[0].weight {
		return l.giveDepartment(name, department)
	}
	if !l.users[name] {
		return l.First("conf.txt", "auto_user_fshare"),
			[]string{setConf("auto_user_fshare", "100") + " && qconf -duser " + lint.Quote(name)}
	}
	return l.Object("users", name, "fshare"), []string{setUser(name, "fshare", "100")}
}

// giveDepartment gives shares to a user's department. A user without a department gets one that has shares.
func (l *linter) giveDepartment(name, department string) (lint.Place, []string) {
	if department != "" && department != "defaultdepartment" {
		return l.Object("usersets", department, "fshare"), []string{setUserset(department, "fshare", "100")}
	}
	place := l.Object("usersets", "defaultdepartment", "fshare")
	for _, u := range l.Usersets {
		if u.Department && u.FunctionalShares > 0 {
			return place, []string{"qconf -au " + lint.Quote(name) + " " + lint.Quote(u.Name)}
		}
	}
	return place, []string{setUserset("defaultdepartment", "fshare", "100")}
}

// most is the greatest value of jobs, 0 for none.
func most(jobs []*priority.Job, value func(*priority.Job) float64) (top float64) {
	for _, j := range jobs {
		top = max(top, value(j))
	}
	return top
}

// categoriesUnused finds weights of categories without shares: running jobs share out their part, waiting ones lose it
// (quirk Q1).
func categoriesUnused(l *linter) []lint.Trap {
	if l.policy.FunctionalTickets == 0 || !l.Quirks.PendingWeightsOverAll {
		return nil
	}
	var used, unused []category
	total, lost := 0.0, 0.0
	for _, c := range l.categories() {
		total += c.weight
		switch {
		case c.weight < 0: // no master takes one: there is no part to lose
			return nil
		case c.weight == 0:
		case slices.ContainsFunc(l.all, func(j *priority.Job) bool { return c.shares(j.Job) > 0 }):
			used = append(used, c)
		default:
			unused, lost = append(unused, c), lost+c.weight
		}
	}
	if len(used) == 0 || len(unused) == 0 || lost < 0.001*total {
		return nil
	}
	var names, pairs []string
	for _, c := range unused {
		names, pairs = append(names, c.key), append(pairs, c.key, "0")
	}
	for _, c := range used {
		pairs = append(pairs, c.key, lint.Number(lint.Nearest(c.weight/(total-lost))))
	}
	effect := "no job waits now"
	if len(l.waiting()) > 0 {
		top := most(l.waiting(), func(j *priority.Job) float64 { return j.First().NTckts })
		effect = fmt.Sprintf("for waiting jobs, Grid Engine uses only %s of %d functional tickets. An owner's second "+
			"waiting job gets 1/2 of the tickets of the first one, and the third job gets 1/3. So the sum of all tickets depends "+
			"on the number of jobs: all waiting jobs together now have %s tickets. The highest ntckts of a waiting job is %s, "+
			"so weight_ticket %s adds at most %s to a prio",
			lint.Rounded(float64(l.policy.FunctionalTickets)*(total-lost)/total), l.policy.FunctionalTickets,
			lint.Number(l.functionalHeld()),
			lint.Rounded(top), lint.Number(l.policy.WeightTicket), lint.Rounded(l.policy.WeightTicket*top))
	}
	return []lint.Trap{{
		Name: "category-weights-unused",
		What: fmt.Sprintf("%s %s no effect on the order, because no %s has functional shares. "+
			"But because of %s, waiting jobs get fewer functional tickets; running jobs lose no tickets", strings.Join(names, ", "),
			lint.Verb(len(names), "has", "have"),
			strings.ReplaceAll(strings.Join(names, " or "), "weight_", ""),
			lint.Verb(len(names), "this weight", "these weights")),
		Place:  l.Sched(unused[0].key),
		Effect: effect,
		Fix:    []string{setSched(pairs...)},
	}}
}

// functionalHeld are the functional tickets of all waiting tasks, in whole numbers as qstat prints them.
func (l *linter) functionalHeld() (sum float64) {
	for _, j := range l.waiting() {
		tasks := slices.Concat(j.Pending(), j.Waiting())
		if len(tasks) == 0 {
			tasks = []priority.Task{j.Template()}
		}
		for _, t := range tasks {
			sum += math.Floor(t.Function)
		}
	}
	return sum
}

// fewJobsRanked finds max_functional_jobs_to_schedule that leaves waiting jobs out (quirk Q5).
func fewJobsRanked(l *linter) []lint.Trap {
	if l.policy.FunctionalTickets == 0 {
		return nil
	}
	cats, limit := l.categories(), int(l.policy.MaxFunctionalJobs)
	sharing := 0
	for _, j := range l.waiting() {
		if slices.ContainsFunc(cats, func(c category) bool { return c.shares(j.Job) > 0 }) {
			sharing += max(1, len(j.Pending())+len(j.Waiting()))
		}
	}
	if sharing <= limit {
		return nil
	}
	return []lint.Trap{{
		Name: "few-jobs-ranked",
		What: fmt.Sprintf("the scheduler computes functional tickets for %s only; every other task of a "+
			"user gets what the user's next task would get",
			lint.Many(limit, "waiting task")),
		Place: l.Sched("max_functional_jobs_to_schedule"),
		Effect: lint.Sentences(fmt.Sprintf("%d of %d waiting tasks with shares are not ranked", sharing-limit, sharing),
			l.moved(func(s *model.Snapshot) { s.Policy.MaxFunctionalJobs = uint32(sharing) })),
		Fix: []string{setSched("max_functional_jobs_to_schedule", fmt.Sprint(max(200, 2*sharing)))},
	}}
}

// ticketsHidden finds report_pjob_tickets off.
func ticketsHidden(l *linter) []lint.Trap {
	if l.policy.ReportPendingTickets {
		return nil
	}
	return []lint.Trap{{
		Name:   "tickets-hidden",
		What:   "qstat shows no tickets and no priorities of waiting jobs: report_pjob_tickets is off",
		Place:  l.Sched("report_pjob_tickets"),
		Effect: fmt.Sprintf("qstat shows tickets and priority 0 for %s", lint.Many(len(l.waiting()), "waiting job")),
		Fix:    []string{setSched("report_pjob_tickets", "TRUE")},
	}}
}
