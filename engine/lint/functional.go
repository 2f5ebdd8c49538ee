package lint

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/gridengine/priority"
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
func usersWithoutShares(l *linter) []Trap {
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
	return []Trap{{
		Name: "users-without-shares",
		What: fmt.Sprintf("%s no functional shares, and so no functional tickets: %s",
			verb(len(names), "a user with waiting jobs has", many(len(names), "user")+" with waiting jobs have"), few(names)),
		Place: place,
		Effect: fmt.Sprintf("%s of %d without functional tickets: %s; the most of the others is %s", many(len(without), "waiting job"),
			len(l.waiting()),
			numbers(without), rounded(most(l.waiting(), func(j *priority.Job) float64 { return tickets(j).Function }))),
		Fix: fix,
	}}
}

// giveShares is where a user's shares would be, and what gives him some, by the category that counts most.
func (l *linter) giveShares(name, department string, cats []category) (Place, []string) {
	best := slices.MaxFunc(cats, func(a, b category) int {
		switch {
		case a.weight > b.weight:
			return 1
		case a.weight < b.weight:
			return -1
		}
		return 0
	})
	if best.key == "weight_department" && best.weight > cats[0].weight {
		return l.giveDepartment(name, department)
	}
	if !l.users[name] {
		return l.first("conf.txt", "auto_user_fshare"), []string{setConf("auto_user_fshare", "100") + " && qconf -duser " + quote(name)}
	}
	return l.object("users", name, "fshare"), []string{setUser(name, "fshare", "100")}
}

// giveDepartment gives shares to a user's department, or a user of none to one that has shares.
func (l *linter) giveDepartment(name, department string) (Place, []string) {
	if department != "" && department != "defaultdepartment" {
		return l.object("usersets", department, "fshare"), []string{setUserset(department, "fshare", "100")}
	}
	place := l.object("usersets", "defaultdepartment", "fshare")
	for _, u := range l.Usersets {
		if u.Department && u.FunctionalShares > 0 {
			return place, []string{"qconf -au " + quote(name) + " " + quote(u.Name)}
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
func categoriesUnused(l *linter) []Trap {
	if l.policy.FunctionalTickets == 0 || !l.Quirks.PendingWeightsOverAll {
		return nil
	}
	var used, unused []category
	total, lost := 0.0, 0.0
	for _, c := range l.categories() {
		total += c.weight
		switch {
		case c.weight <= 0:
		case slices.ContainsFunc(l.all(), func(j *priority.Job) bool { return c.shares(j.Job) > 0 }):
			used = append(used, c)
		default:
			unused, lost = append(unused, c), lost+c.weight
		}
	}
	if len(used) == 0 || lost < 0.001*total {
		return nil
	}
	var names, pairs []string
	for _, c := range unused {
		names, pairs = append(names, c.key), append(pairs, c.key, "0")
	}
	for _, c := range used {
		pairs = append(pairs, c.key, number(nearest(c.weight/(total-lost))))
	}
	effect := "no job waits at the moment"
	if len(l.waiting()) > 0 {
		top := most(l.waiting(), func(j *priority.Job) float64 { return tickets(j).NTckts })
		effect = fmt.Sprintf("waiting jobs get %s of %d tickets; the best has %s of the most that a job holds (ntckts), so that weight_ticket %s counts as %s at most",
			rounded(float64(l.policy.FunctionalTickets)*(total-lost)/total), l.policy.FunctionalTickets, rounded(top), number(l.policy.WeightTicket),
			rounded(l.policy.WeightTicket*top))
	}
	return []Trap{{
		Name: "category-weights-unused",
		What: fmt.Sprintf("%s %s for nothing that has shares: waiting jobs lose that part of the functional tickets, running ones do not",
			strings.Join(names, ", "), verb(len(names), "stands", "stand")),
		Place:  l.sched(unused[0].key),
		Effect: effect,
		Fix:    []string{setSched(pairs...)},
	}}
}

// fewJobsRanked finds max_functional_jobs_to_schedule that leaves waiting jobs out (quirk Q5).
func fewJobsRanked(l *linter) []Trap {
	if l.policy.FunctionalTickets == 0 {
		return nil
	}
	cats, limit := l.categories(), int(l.policy.MaxFunctionalJobs)
	sharing := 0
	for _, j := range l.waiting() {
		if slices.ContainsFunc(cats, func(c category) bool { return c.shares(j.Job) > 0 }) {
			sharing += max(1, len(j.Pending)+len(j.Waiting))
		}
	}
	if sharing <= limit {
		return nil
	}
	return []Trap{{
		Name: "few-jobs-ranked",
		What: fmt.Sprintf("functional tickets are worked out for %s only; all others of a user get what his next one would",
			many(limit, "waiting task")),
		Place: l.sched("max_functional_jobs_to_schedule"),
		Effect: fmt.Sprintf("%d of %d waiting tasks with shares are not ranked; %s", sharing-limit, sharing,
			l.moved(func(s *model.Snapshot) { s.Policy.MaxFunctionalJobs = uint32(sharing) })),
		Fix: []string{setSched("max_functional_jobs_to_schedule", fmt.Sprint(max(200, 2*sharing)))},
	}}
}

// ticketsHidden finds report_pjob_tickets off.
func ticketsHidden(l *linter) []Trap {
	if l.policy.ReportPendingTickets {
		return nil
	}
	return []Trap{{
		Name:   "tickets-hidden",
		What:   "qstat shows neither tickets nor priorities of waiting jobs: report_pjob_tickets is off",
		Place:  l.sched("report_pjob_tickets"),
		Effect: fmt.Sprintf("%s with 0 for all that orders them", many(len(l.waiting()), "waiting job")),
		Fix:    []string{setSched("report_pjob_tickets", "TRUE")},
	}}
}
