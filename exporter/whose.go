package exporter

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// Job numbers start again after a while, and two clusters use the same numbers. So each order has the owner and
// the submission of its job, and applies only to this job.

// Whose joins a job's owner and submission time: "ann 1795291200". If the second of the submission is unknown,
// submitted is empty.
func Whose(owner, submitted string) string { return strings.TrimSpace(owner + " " + submitted) }

// WhoseJobs returns owner and submission of the jobs of a snapshot, by the job ids in orders. For Grid Engine
// the time is in seconds since 1970, which only qstat -j prints. For PBS it is a local time.
func WhoseJobs(s *model.Snapshot) map[string]string {
	jobs := make(map[string]string, len(s.Jobs))
	for i := range s.Jobs {
		j := &s.Jobs[i]
		switch {
		case j.PBS != nil:
			jobs[j.PBS.ID] = Whose(j.Owner, wallClock(j.Submitted, s.Location))
		case s.HasFile("qstat-j.xml") && !j.Submitted.IsZero():
			jobs[strconv.FormatUint(uint64(j.Number), 10)] = Whose(j.Owner, strconv.FormatInt(j.Submitted.Unix(), 10))
		default:
			jobs[strconv.FormatUint(uint64(j.Number), 10)] = Whose(j.Owner, "")
		}
	}
	return jobs
}

// wallClock returns a time in the form of the cluster's output: "2026-11-21T12:00:00".
func wallClock(at time.Time, offset string) string {
	if at.IsZero() {
		return ""
	}
	if zone, err := time.Parse("-0700", strings.Replace(offset, ":", "", 1)); err == nil {
		at = at.In(zone.Location())
	} else {
		at = at.UTC()
	}
	return at.Format("2006-01-02T15:04:05")
}

// ForJobsOf adds to each order the owner and submission of its job.
func ForJobsOf(s *model.Snapshot, orders []model.Order) []model.Order {
	whose := WhoseJobs(s)
	for i := range orders {
		o := &orders[i]
		o.Whose, o.WithWhose = whose[o.Job], whose[o.With]
	}
	return orders
}

// otherJob says why the number of an order's job now belongs to another job. It is empty if the job is the
// same, or if the order does not show it.
func otherJob(o model.Order, now map[string]string) string {
	return cmp.Or(OtherJob(o.Job, o.Whose, now), OtherJob(o.With, o.WithWhose, now))
}

// OtherJob says why a job number now belongs to another job. It is empty if the job is the same, or if this is
// unknown.
func OtherJob(job, meant string, now map[string]string) string {
	is, there := now[job]
	switch {
	case meant == "" || sameWhose(meant, is):
		return ""
	case !there:
		return fmt.Sprintf("job %s is gone", job)
	}
	return fmt.Sprintf("another job has the number now: %s belongs to %s, the planned job to %s",
		job, inWords(is), inWords(meant))
}

// sameWhose compares owners. It also compares times, if both are known.
func sameWhose(planned, is string) bool {
	owner, at, _ := strings.Cut(planned, " ")
	other, now, _ := strings.Cut(is, " ")
	return owner == other && (at == now || at == "" || now == "")
}

func inWords(whose string) string {
	owner, at, _ := strings.Cut(whose, " ")
	if seconds, err := strconv.ParseInt(at, 10, 64); err == nil {
		at = time.Unix(seconds, 0).UTC().Format("2006-01-02 15:04:05") + " UTC"
	}
	if at == "" {
		return owner
	}
	return owner + ", submitted " + at
}

func (p *Pusher) whose(ctx context.Context, orders []model.Order) (map[string]string, error) {
	var jobs []string
	for _, o := range orders {
		if o.Whose != "" {
			jobs = append(jobs, o.Job)
		}
		if o.WithWhose != "" {
			jobs = append(jobs, o.With)
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	return p.System.Whose(ctx, p.Runner, jobs)
}
