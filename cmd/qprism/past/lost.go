package past

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/engine/diff"
	"qprism/engine/model"
)

// lostBy are the values of --by for losses.
var lostBy = []string{"job", "user", "project", "department", "cause"}

// Losses are how long jobs waited on after a job behind them had started. This is the most that they lost by
// it. Each wait has the cause of the start before it.
type losses map[uint32]*loss

// A loss is the time that one job lost.
type loss struct {
	job   *model.Job
	count int                      // starts of others before it
	parts map[string]time.Duration // by cause
	since time.Time                // start of the wait that is not added yet; zero if there is none
	cause string
}

// enter ends the waits of jobs that a run started, and begins the waits of jobs that were passed.
func (l losses) enter(run *diff.Run, jobs jobsByNumber) {
	for _, item := range run.Items {
		if x := l[item.Task.Job]; x != nil && !item.Started.IsZero() {
			x.until(item.Started)
			x.since = time.Time{}
		}
	}
	for _, b := range run.Bypasses() {
		for _, p := range b.Passed {
			number := p.Task.Job
			if l[number] == nil && jobs[number] != nil {
				// keep nothing else of the snapshot
				l[number] = &loss{job: new(*jobs[number]), parts: map[string]time.Duration{}}
			}
			if x := l[number]; x != nil {
				x.until(b.Started)
				x.since, x.cause = b.Started, lossCause(&b.Cause)
				x.count++
			}
		}
	}
}

// look sees in a snapshot which jobs wait on. When one left that had not started is known no better than
// that it waited before.
func (l losses) look(s *model.Snapshot) {
	jobs := s.JobsByNumber()
	for number, x := range l {
		if j := jobs[number]; j != nil && j.Waits() {
			x.until(s.TakenAt)
		} else {
			x.since = time.Time{}
		}
	}
}

// until adds the wait up to a moment.
func (x *loss) until(at time.Time) {
	if !x.since.IsZero() && at.After(x.since) {
		x.parts[x.cause] += at.Sub(x.since)
		x.since = at
	}
}

// lossCause returns a cause without the parts that differ each time.
func lossCause(c *diff.Cause) string {
	switch c.Kind {
	case diff.Backfilled:
		return "backfill before a reservation"
	case diff.Resource:
		return "too few " + c.Detail
	}
	return string(c.Kind)
}

// JSONLoss is the lost time of one user, project or department.
type JSONLoss struct {
	Name    string          `json:"name"`   // of the user, project or department of --by; empty for none
	Jobs    int             `json:"jobs"`   // jobs that others passed
	Passed  int             `json:"passed"` // number of passes
	Seconds float64         `json:"seconds"`
	Causes  []JSONLossCause `json:"causes"` // the greatest first
}

// JSONLossCause is the part of one cause.
type JSONLossCause struct {
	Cause   string  `json:"cause"`
	Seconds float64 `json:"seconds"`
}

// names returns the names to which a job's loss counts.
func (x *loss) names(by string) []string {
	switch by {
	case "job":
		return []string{x.job.KnownAs()}
	case "project":
		return []string{x.job.Project}
	case "department":
		return []string{x.job.Department}
	case "cause":
		return slices.Sorted(maps.Keys(x.parts))
	}
	return []string{x.job.Owner}
}

// by adds losses up, the greatest first.
func (l losses) by(by string) []JSONLoss {
	rows, parts := map[string]*JSONLoss{}, map[string]map[string]time.Duration{}
	for _, number := range slices.Sorted(maps.Keys(l)) {
		x := l[number]
		for _, name := range x.names(by) {
			if rows[name] == nil {
				rows[name], parts[name] = &JSONLoss{Name: name}, map[string]time.Duration{}
			}
			rows[name].Jobs++
			rows[name].Passed += x.count
			for cause, d := range x.parts {
				if by != "cause" || cause == name {
					parts[name][cause] += d
				}
			}
		}
	}
	list := make([]JSONLoss, 0, len(rows))
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		r := rows[name]
		r.Causes = causesOfLoss(parts[name])
		for _, c := range r.Causes {
			r.Seconds += c.Seconds
		}
		list = append(list, *r)
	}
	slices.SortStableFunc(list, func(a, b JSONLoss) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return list
}

func causesOfLoss(parts map[string]time.Duration) []JSONLossCause {
	list := []JSONLossCause{}
	for _, cause := range slices.Sorted(maps.Keys(parts)) {
		list = append(list, JSONLossCause{cause, parts[cause].Seconds()})
	}
	slices.SortStableFunc(list, func(a, b JSONLossCause) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return list
}

func lossSheet(by string, rows []JSONLoss) show.Sheet {
	if by == "cause" {
		t := show.NewSheet("cause", ">jobs", ">waited on")
		for _, r := range rows {
			t.Add(r.Name, fmt.Sprint(r.Jobs), show.Seconds(r.Seconds))
		}
		return t
	}
	t := show.NewSheet(by, ">jobs", ">passed", ">waited on", "because of")
	for _, r := range rows {
		t.Add(cmp.Or(r.Name, "(none)"), fmt.Sprint(r.Jobs), fmt.Sprint(r.Passed), show.Seconds(r.Seconds), r.because())
	}
	return t
}

// because are the causes with their parts.
func (r *JSONLoss) because() string {
	var texts []string
	for _, c := range r.Causes {
		if r.Seconds > 0 {
			texts = append(texts, fmt.Sprintf("%.0f %% %s", 100*c.Seconds/r.Seconds, c.Cause))
		}
	}
	return strings.Join(texts, ", ")
}

// printLosses prints the losses.
func (l *ledger) printLosses(out show.Output) error {
	rows := l.lost.by(l.by)
	if out.Format == "json" {
		return out.JSON(rows)
	}
	if len(rows) == 0 && out.People() {
		out.Say("%s", l.nobody())
		return nil
	}
	out.Sheet(lossSheet(l.by, rows))
	out.Say("")
	out.Say("Waited on: the time that a job still waited after a job behind it had started. This time ends " +
		"with the start of the job, or with the last snapshot in which the job waits. The job lost at " +
		"most this time. Passed: how often other jobs started before it.")
	out.Say("Next: %s", show.Step("list each job that was passed", l.hints.Command("timeline", "--passed")))
	return nil
}
