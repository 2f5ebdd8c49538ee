package pbs

import (
	"context"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// resourceKind begins the kind of pushes through a resource. The name of the resource follows.
const resourceKind = "qalter -l "

// SystemOf returns the System for a kind of pushes. It is nil if the kind is not one of PBS.
func SystemOf(kind string) exporter.System {
	if name, ok := strings.CutPrefix(kind, resourceKind); ok {
		return Resource{Name: name}
	}
	for _, s := range []exporter.System{Priority{}, Swaps{}, Starts{}} {
		if s.Kind() == kind {
			return s
		}
	}
	return nil
}

// way has the common methods of the four ways.
type way struct{}

// Answers reads the output of a command.
func (way) Answers(c exporter.Command, orders []model.Order, r exporter.Result) []exporter.Answer {
	return answers(c, orders, r)
}

// Undo returns the order that restores the old value of a job.
func (way) Undo(o model.Order) (model.Order, bool) { return exporter.Inverse(o), true }

// Chained is false: no command needs the success of another one.
func (way) Chained() bool { return false }

// Rights asks who is manager or operator. Only they may change or start jobs of others, or set a resource with
// flag i or r.
func (way) Rights(ctx context.Context, run exporter.Runner, _ []model.Order) (string, error) {
	return rights(ctx, run)
}

// Whose asks for the owners of jobs and their times of submission. qstat prints local time, so one host always
// prints the same text for a job.
func (way) Whose(ctx context.Context, r exporter.Runner, jobs []string) (map[string]string, error) {
	all, err := read(ctx, r)
	if err != nil {
		return nil, err
	}
	return whoseOf(all, jobs), nil
}

// readLive asks the server for the values of jobs. The server does not show how the scheduler ranks them.
func readLive(ctx context.Context, run exporter.Runner, values func(*listed) map[string]string) (
	*exporter.Live, error) {
	jobs, err := read(ctx, run)
	if err != nil {
		return nil, err
	}
	return liveOf(jobs, values), nil
}

func liveOf(jobs map[string]listed, values func(*listed) map[string]string) *exporter.Live {
	live := &exporter.Live{Jobs: make(map[string]exporter.LiveJob, len(jobs))}
	for id, j := range jobs {
		live.Jobs[id] = exporter.LiveJob{Values: values(&j), Waiting: j.waiting(), Taken: true}
	}
	return live
}
