package subject

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/show"
	"qprism/engine/forecast"
	"qprism/engine/model"
)

// A JobFilter selects the jobs that a table lists. Computations always use the whole queue.
type JobFilter struct {
	users, projects []string
	jobs            map[uint32]bool // jobs to list, by number; nil for all
}

func AddFilter(c *cobra.Command, f *JobFilter) {
	c.Flags().StringSliceVar(&f.users, "user", nil, "list only the jobs of these `users`: --user alice,bob")
	c.Flags().StringSliceVar(&f.projects, "project", nil, "list only the jobs of these `projects`")
}

// all reports whether nothing is left out.
func (f JobFilter) all() bool { return len(f.users)+len(f.projects)+len(f.jobs) == 0 }

// Only restricts the filter to these jobs. An empty list means all jobs.
func (f *JobFilter) Only(s *Subject, ids []string) error {
	for _, id := range ids {
		j, err := s.Batch.Find(id)
		if err != nil {
			return err
		}
		if f.jobs == nil {
			f.jobs = map[uint32]bool{}
		}
		f.jobs[j.Number] = true
	}
	return nil
}

// Takes reports whether the filter selects a job.
func (f JobFilter) Takes(j *model.Job) bool {
	return j != nil && (f.jobs == nil || f.jobs[j.Number]) && (len(f.users) == 0 || slices.Contains(f.users, j.Owner)) &&
		(len(f.projects) == 0 || slices.Contains(f.projects, j.Project))
}

// Check returns an error if the filter selects no job of a snapshot: probably a name is misspelled.
func (f JobFilter) Check(s *model.Snapshot) error {
	if f.all() || slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return f.Takes(&j) }) {
		return nil
	}
	return fmt.Errorf("the snapshot has no job of %s", f.words())
}

// words describes the filter.
func (f JobFilter) words() string {
	users, projects := strings.Join(f.users, ", "), strings.Join(f.projects, ", ")
	if projects != "" {
		projects = "project " + projects
	}
	if users+projects == "" {
		return "these"
	}
	return show.Printable(show.Joined(" in ", users, projects))
}

// None returns the text for an empty list of waiting jobs.
func (f JobFilter) None() string {
	if f.all() {
		return "No job waits."
	}
	if len(f.users)+len(f.projects) == 0 {
		return "None of these jobs waits."
	}
	return "No job of " + f.words() + " waits."
}

// Plan returns the plan with only the decisions about selected jobs.
func (f JobFilter) Plan(s *model.Snapshot, p *model.Plan) *model.Plan {
	if f.all() {
		return p
	}
	jobs, listed := s.JobsByNumber(), *p
	listed.Decisions = slices.DeleteFunc(slices.Clone(p.Decisions), func(d model.Decision) bool {
		return !f.Takes(jobs[d.Job])
	})
	return &listed
}

// Forecast returns the forecast with only the starts of selected jobs.
func (f JobFilter) Forecast(s *model.Snapshot, all *forecast.Forecast) *forecast.Forecast {
	if f.all() {
		return all
	}
	jobs, listed := s.JobsByNumber(), *all
	listed.Starts = slices.DeleteFunc(slices.Clone(all.Starts), func(b forecast.Start) bool {
		return !f.Takes(jobs[b.Job])
	})
	listed.Stops = slices.DeleteFunc(slices.Clone(all.Stops), func(b forecast.Stop) bool { return !f.Takes(jobs[b.Job]) })
	listed.Waits = slices.DeleteFunc(slices.Clone(all.Waits), func(d model.Decision) bool { return !f.Takes(jobs[d.Job]) })
	return &listed
}

// FirstLines shortens a list to its first running and first waiting jobs, if a person does not ask for all.
// hidden says how many lines are missing. If only a few lines would be missing, FirstLines keeps them.
func FirstLines[T any](list []T, runs func(T) bool) (short []T, hidden string) {
	const few = 10
	total := map[bool]int{}
	for _, item := range list {
		total[runs(item)]++
	}
	lines := map[bool]int{}
	short = slices.DeleteFunc(slices.Clone(list), func(item T) bool {
		is := runs(item)
		lines[is]++
		return lines[is] > show.ManyLines && total[is] > show.ManyLines+few
	})
	var parts []string
	for _, kind := range []struct {
		runs  bool
		words string
	}{{true, "that run"}, {false, "that wait"}} {
		if n := total[kind.runs] - show.ManyLines; n > few {
			parts = append(parts, fmt.Sprintf("%d more %s", n, kind.words))
		}
	}
	return short, strings.Join(parts, ", ")
}
