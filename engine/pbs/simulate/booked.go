package simulate

import (
	"slices"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
)

// Booked adds to a plan the processors of every vnode, and the running, starting and planned jobs on them.
// The bookings have the form of lines in a Grid Engine schedule file, because PBS has no file of this kind.
func Booked(s *model.Snapshot, p *model.Plan) *model.Plan {
	full := *p
	full.Utilization = slices.Clone(p.Utilization)
	for i := range s.Hosts {
		h := &s.Hosts[i]
		total, _ := model.Text(h.Capacity, "ncpus")
		if n, ok := model.PBSAmount(total); ok && n > 0 {
			full.Utilization = append(full.Utilization, model.Utilization{Level: "H", Object: h.Name,
				Resource: "ncpus", Total: n})
		}
	}
	full.Lines = append(runningLines(s, p.RunAt), p.Lines...)
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if state := map[model.Verdict]string{model.Now: "STARTING", model.Later: "RESERVING"}[d.Verdict]; state != "" {
			l := model.ScheduleLine{Job: d.Job, Task: model.FirstTask(d.Tasks), State: state,
				Start: d.Start, Duration: d.Duration}
			full.Lines = append(full.Lines, cpuLines(l, d.Slots)...)
		}
	}
	return &full
}

// runningLines are lines for the processors of what runs, up to its walltime.
func runningLines(s *model.Snapshot, at time.Time) (lines []model.ScheduleLine) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || j.PBS.State != "R" || j.PBS.ExecVnode == "" {
			continue
		}
		l := model.ScheduleLine{Job: j.Number, Task: max(1, j.PBS.Index), State: "RUNNING",
			Start: j.PBS.Started, Duration: Length(j)}
		if l.Duration != model.Forever && !l.Start.Add(l.Duration).After(at) {
			l.Duration = at.Sub(l.Start) + time.Second // over its time: the scheduler takes it to end at once
		}
		lines = append(lines, cpuLines(l, accounting.Grants(j.PBS.ExecVnode))...)
	}
	return lines
}

func cpuLines(l model.ScheduleLine, grants []model.Grant) (lines []model.ScheduleLine) {
	for _, g := range grants {
		l.Level, l.Object, l.Resource, l.Amount = "H", g.Instance, "ncpus", float64(g.Slots)
		lines = append(lines, l)
	}
	return lines
}
