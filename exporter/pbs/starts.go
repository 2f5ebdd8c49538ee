package pbs

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// Starts starts jobs in the wanted order by qrun, while the scheduler is off. The scheduler chooses the place
// of each job. If a job has no room, the push ends, so that no other job passes it. Starts cannot be undone.
type Starts struct{ way }

// Kind returns the name of this way.
func (Starts) Kind() string { return "qrun" }

// jobState is the attribute that qrun changes.
const jobState = "job_state"

// Startable returns the ids by which queued jobs can be started, by sequence number. An array starts by its
// subjobs.
func Startable(s *model.Snapshot) map[uint32][]string {
	queued := map[uint32][]string{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS.State == "Q" && !strings.HasSuffix(strings.SplitN(j.PBS.ID, ".", 2)[0], "[]") {
			queued[j.Number] = append(queued[j.Number], j.PBS.ID)
		}
	}
	return queued
}

// Orders returns orders that start jobs in this order.
func (Starts) Orders(wanted []string) []model.Order {
	list := make([]model.Order, len(wanted))
	for i, job := range wanted {
		list[i] = model.Order{Job: job, Attribute: jobState, From: "Q", To: "R", Why: fmt.Sprintf("place %d", i+1), Call: i,
			State: model.OrderPlanned}
	}
	return list
}

// Usable returns an error if the scheduler starts jobs itself, or would preempt jobs to make room.
func (Starts) Usable(s *model.Snapshot) error {
	if s.PBS.Server.Scheduling {
		return errors.New("the scheduler is on; as an operator: qmgr -c \"set server scheduling = false\"")
	}
	if c := s.PBS.SchedConfig; c.Prime.Preemptive || c.NonPrime.Preemptive {
		return errors.New("preemptive_sched is on, and qrun would preempt running jobs; switch it off in sched_config")
	}
	return nil
}

// Commands returns calls of qrun.
func (Starts) Commands(orders []model.Order) (list []exporter.Command) {
	for i, o := range orders {
		if o.State == model.OrderPlanned {
			list = append(list, exporter.Command{Args: []string{"qrun", o.Job}, Orders: []int{i}})
		}
	}
	return list
}

// Answers reads the output of qrun. If a job has no room, this is no refusal: the push ends.
func (Starts) Answers(c exporter.Command, orders []model.Order, r exporter.Result) []exporter.Answer {
	list := answers(c, orders, r)
	for i, a := range list {
		if a.Refused && noRoom(a.Words) {
			list[i].Gone, list[i].Words = true, "not started: "+a.Words
		}
	}
	return list
}

// amounts matches the amounts of a resource in a message of the scheduler: requested, available, total.
var amounts = regexp.MustCompile(`\(R: (\d+) A: \d+ T: (\d+)\)`)

// noRoom reports whether the scheduler did not start a job for a reason that ends with time.
func noRoom(text string) bool {
	if m := amounts.FindStringSubmatch(text); m != nil {
		asked, _ := strconv.Atoi(m[1])
		all, _ := strconv.Atoi(m[2])
		return asked <= all
	}
	return slices.ContainsFunc([]string{"Not enough ", "Insufficient amount of ", "No available resources",
		"Job would conflict "},
		func(reason string) bool { return strings.HasPrefix(text, reason) })
}

// Undo reports false: starts cannot be undone.
func (Starts) Undo(model.Order) (model.Order, bool) { return model.Order{}, false }

// Chained is true: each start needs the success of the previous one.
func (Starts) Chained() bool { return true }

// Read asks the server for the states of jobs.
func (Starts) Read(ctx context.Context, run exporter.Runner) (*exporter.Live, error) {
	return readLive(ctx, run, func(j *listed) map[string]string { return map[string]string{jobState: j.State} })
}
