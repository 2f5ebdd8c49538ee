package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
)

// writeSchedule writes the lines that params MONITOR=1 makes the scheduler append to its schedule file, schedule(5):
// job:task:state:start:duration:level:object:resource:amount. Up to release 8 times are in seconds, from 9 on in microseconds.
func writeSchedule(w io.Writer, s *model.Snapshot, lines []model.ScheduleLine) error {
	out := bufio.NewWriter(w)
	unit := time.Second
	if p := s.Release.Product; p == "OCS" || p == "GCS" {
		unit = time.Microsecond
	}
	for _, l := range lines {
		start, duration := lineTimes(l, unit)
		fmt.Fprintf(out, "%d:%d:%s:%d:%d:%s:%s:%s:%f\n", l.Job, l.Task, l.State, start, duration, l.Level, l.Object, l.Resource, l.Amount)
	}
	return out.Flush()
}

// lineTimes are a line's start and duration as the file counts them. In seconds they are 32-bit numbers: what has no end
// ends in the last of them.
func lineTimes(l model.ScheduleLine, unit time.Duration) (start, duration int64) {
	if unit == time.Microsecond {
		start, duration = l.Start.UnixMicro(), l.Duration.Microseconds()
		if l.Duration == model.Forever {
			duration = math.MaxUint32 * int64(time.Second/time.Microsecond)
		}
		return start, duration
	}
	start, duration = l.Start.Unix(), int64(l.Duration/time.Second)
	if l.Duration == model.Forever {
		duration = math.MaxUint32 - start
	}
	return start, min(duration, math.MaxUint32-start)
}

func (s gridEngine) writeSchedule(w io.Writer, lines []model.ScheduleLine) error {
	return writeSchedule(w, s.Snapshot, lines)
}

// pictured is a plan of Grid Engine that can be drawn.
func (s gridEngine) pictured(p *model.Plan) *model.Plan { return pictured(s.Snapshot, p) }

// pictured is a plan with what its picture needs besides: all queue instances, idle ones too, and where the scheduler books
// nothing over time, because max_reservation is 0, the slots of what runs and starts.
func pictured(s *model.Snapshot, p *model.Plan) *model.Plan {
	full := *p
	full.Utilization = slices.Clone(p.Utilization)
	known := map[string]bool{}
	for _, u := range p.Utilization {
		if u.Level == "Q" && u.Resource == "slots" {
			known[u.Object] = true
		}
	}
	for i := range s.Instances {
		if q := &s.Instances[i]; !known[q.Name] && q.Slots > 0 {
			full.Utilization = append(full.Utilization, model.Utilization{Level: "Q", Object: q.Name, Resource: "slots", Total: float64(q.Slots)})
		}
	}
	if len(p.Lines) == 0 {
		full.Lines = slotLines(s, p, forecast.NewClock(&s.Policy, 0))
	}
	return &full
}

// slotLines are lines for the slots of all that runs, as long as a clock says, and of what a plan starts or reserves for.
func slotLines(s *model.Snapshot, p *model.Plan, clock forecast.Clock) []model.ScheduleLine {
	var lines []model.ScheduleLine
	instances := instancesOf(s)
	jobs := map[uint32]*model.Job{}
	add := func(l model.ScheduleLine, grants []model.Grant) {
		for _, g := range grants {
			l.Level, l.Object, l.Resource, l.Amount = "Q", g.Instance, "slots", float64(g.Slots)
			lines = append(lines, l)
		}
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		jobs[j.Number] = j
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if !t.Started.IsZero() && t.Started.Before(p.RunAt) {
				add(model.ScheduleLine{Job: j.Number, Task: firstTask(t), State: "RUNNING", Start: t.Started, Duration: clock.LengthAfter(j, named(instances, t.Granted), p.RunAt.Sub(t.Started))}, spread(t))
			}
		}
	}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if state := map[model.Verdict]string{model.Now: "STARTING", model.Later: "RESERVING"}[d.Verdict]; state != "" && jobs[d.Job] != nil {
			length := d.Duration
			if length == model.Forever { // as far as the scheduler knows; a queue may end it
				length = clock.Length(jobs[d.Job], named(instances, d.Slots))
			}
			add(model.ScheduleLine{Job: d.Job, Task: firstTask(&model.Task{IDs: d.Tasks}), State: state, Start: d.Start, Duration: length}, d.Slots)
		}
	}
	return lines
}

// spread are the slots of a running task; where the bundle does not say how they are spread, all are with its master task.
func spread(t *model.Task) []model.Grant {
	if len(t.Granted) == 1 && t.Granted[0].Slots == 0 {
		return []model.Grant{{Instance: t.Granted[0].Instance, Slots: t.Slots}}
	}
	return t.Granted
}

func instancesOf(s *model.Snapshot) map[string]*model.QueueInstance {
	m := make(map[string]*model.QueueInstance, len(s.Instances))
	for i := range s.Instances {
		m[s.Instances[i].Name] = &s.Instances[i]
	}
	return m
}

// named are the queue instances of grants.
func named(instances map[string]*model.QueueInstance, grants []model.Grant) []*model.QueueInstance {
	var list []*model.QueueInstance
	for _, g := range grants {
		if q := instances[g.Instance]; q != nil {
			list = append(list, q)
		}
	}
	return list
}
