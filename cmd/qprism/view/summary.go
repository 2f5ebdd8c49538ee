package view

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// A summary is the queue as the first view shows it: the next jobs, and how long jobs have waited.
type summary struct {
	queueList       // its rows are the first that wait
	Waits     waits `json:"waits"`
}

// waits are how long waiting jobs have waited so far. Times are in seconds.
type waits struct {
	By     string    `json:"by"`     // what groups are: project, or user where no job has a project
	All    *spread   `json:"all"`    // null where the bundle does not say when jobs were submitted
	Groups []spread  `json:"groups"` // the longest median first
	Sizes  []spread  `json:"sizes"`  // by slots of a task, the smallest first
	Oldest []waiting `json:"oldest"`
	// of jobs that say since when they wait; with several reasons it counts for each; the most frequent first
	Reasons []reason `json:"reasons"`
}

// A reason is why jobs wait, and how many.
type reason struct {
	Why  string `json:"why"`
	Jobs int    `json:"jobs"`
}

// A spread is how long jobs of one kind have waited.
type spread struct {
	Name      string  `json:"name"`
	Jobs      int     `json:"jobs"`
	Median    float64 `json:"median"`
	NineOfTen float64 `json:"nine_of_ten"`
	Longest   float64 `json:"longest"`
}

// A waiting is a job that waits in turn.
type waiting struct {
	Job   string  `json:"job"`
	User  string  `json:"user"`
	Wait  float64 `json:"wait"`
	Never bool    `json:"never"`
	Why   string  `json:"why"`

	job *model.Job
}

// How many jobs the first view shows.
const (
	mostNext   = 12
	mostOldest = 8
	mostGroups = 12
	mostReason = 8
)

// summarized is a queue as the first view shows it.
func summarized(q *queueList) *summary {
	s := &summary{queueList: *q, Waits: waitsOf(q.waits)}
	s.Rows = nil
	for _, row := range q.Rows {
		if place, _ := row[columnPlace].(int); place > 0 && len(s.Rows) < mostNext {
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

// waitsOf says how long jobs have waited.
func waitsOf(list []waiting) waits {
	w := waits{By: "project", Groups: []spread{}, Sizes: []spread{}, Oldest: []waiting{}, Reasons: []reason{}}
	if len(list) == 0 {
		return w
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b waiting) int { return cmp.Compare(b.Wait, a.Wait) })
	group := func(j *model.Job) string { return cmp.Or(j.Project, "none") }
	if !slices.ContainsFunc(list, func(j waiting) bool { return j.job.Project != "" }) {
		w.By, group = "user", func(j *model.Job) string { return j.Owner }
	}
	w.All = &spreads(list, func(*model.Job) string { return "all" })[0]
	w.Groups = spreads(list, group)
	slices.SortStableFunc(w.Groups, func(a, b spread) int {
		return cmp.Or(cmp.Compare(b.Median, a.Median), cmp.Compare(a.Name, b.Name))
	})
	w.Groups = w.Groups[:min(len(w.Groups), mostGroups)]
	w.Sizes = spreads(list, sizeOf)
	slices.SortFunc(w.Sizes, func(a, b spread) int {
		return cmp.Compare(slices.Index(sizes, a.Name), slices.Index(sizes, b.Name))
	})
	w.Oldest = list[:min(len(list), mostOldest)]
	w.Reasons = reasonsOf(list)
	return w
}

// moreReasons says how many reasons a text leaves out.
var moreReasons = regexp.MustCompile(`^\d+ more reason`)

// reasonsOf counts the waiting jobs by reason. A job may have several reasons.
func reasonsOf(list []waiting) (reasons []reason) {
	jobs := map[string]int{}
	for i := range list {
		for _, why := range strings.Split(list[i].Why, "; ") {
			if !moreReasons.MatchString(why) {
				jobs[why]++
			}
		}
	}
	delete(jobs, "")
	for why, n := range jobs {
		reasons = append(reasons, reason{why, n})
	}
	slices.SortFunc(reasons, func(a, b reason) int {
		return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.Why, b.Why))
	})
	return reasons[:min(len(reasons), mostReason)]
}

// spreads are how long the jobs of each kind have waited; the longest wait comes first in the list.
func spreads(list []waiting, kind func(*model.Job) string) (all []spread) {
	times, names := map[string][]float64{}, []string{}
	for i := range list {
		name := kind(list[i].job)
		if times[name] == nil {
			names = append(names, name)
		}
		times[name] = append(times[name], list[i].Wait)
	}
	for _, name := range names {
		t := times[name]
		at := func(part float64) float64 { return t[min(len(t)-1, int((1-part)*float64(len(t))))] }
		all = append(all, spread{name, len(t), at(0.5), at(0.9), t[0]})
	}
	return all
}

// sizes are kinds of jobs by the slots of a task.
var sizes = []string{"1 slot", "2 to 8 slots", "9 to 64 slots", "more than 64 slots"}

func sizeOf(j *model.Job) string {
	switch n := j.LeastSlots(); {
	case n <= 1:
		return sizes[0]
	case n <= 8:
		return sizes[1]
	case n <= 64:
		return sizes[2]
	}
	return sizes[3]
}

// listedAs answers one of two questions, the queue or its summary. It lists the queue once for both.
func listedAs(question string) func(*Site, context.Context, *Answers, *Cluster, *Moment) (*packed, error) {
	return func(_ *Site, ctx context.Context, a *Answers, _ *Cluster, m *Moment) (*packed, error) {
		return a.about(ctx, m, question, func(about *subject.Subject) ([]byte, error) {
			list, err := a.listed(about)
			if err != nil {
				return nil, err
			}
			short, err := show.Marshal(summarized(list))
			if err != nil || question == "summary" {
				return short, err
			}
			a.keep("summary", pack(short))
			return show.Marshal(list)
		})
	}
}
