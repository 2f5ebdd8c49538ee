package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/model"
	"qprism/importer"
	pbsfiles "qprism/importer/pbs"
)

// openPBS is PBS, the open and the commercial one. Torque's listings are read too, but its scheduler is another one.
type openPBS struct{ *subject }

// pbsRules is the release whose scheduler is followed.
const pbsRules = "23.06.06"

// plan plans the cycle at a moment, and says of the jobs that the scheduler does not look at why.
func (s openPBS) plan(at time.Time) *model.Plan {
	p := cycle.Run(s.Snapshot, cycle.Options{At: at})
	p.Decisions = append(p.Decisions, cycle.Aside(s.Snapshot)...)
	return p
}

func (s openPBS) lacks(policy bool) error {
	if s.System == model.Torque {
		return errors.New("what Torque's scheduler does is not planned: its listings are read, and its jobs stored")
	}
	var parts []string
	if !policy && !s.PBS.SchedConfig.Present {
		parts = append(parts, "the scheduler's configuration (sched_config; --policy FILE gives it)")
	}
	if len(s.Queues) == 0 {
		parts = append(parts, "the queues (qstat_Qf.json)")
	}
	if len(s.Hosts) == 0 {
		parts = append(parts, "the vnodes (pbsnodes_av.json)")
	}
	if len(parts) == 0 {
		return nil
	}
	return fmt.Errorf("a cycle cannot be planned: the bundle lacks %s; scripts/capture-pbs.sh makes a full one on the server's host", enumerated(parts))
}

// enumerated lists things: "a, b and c".
func enumerated(list []string) string {
	last := len(list) - 1
	if last <= 0 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// replacePolicy puts the sched_config of a file into the snapshot. What the scheduler would log about its lines is warned of.
func (s openPBS) replacePolicy(path string, warn io.Writer) error {
	conf, fair, err := pbsfiles.ReadSchedConfig(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	var problem *importer.Problem
	if errors.As(err, &problem) {
		problem.File = path
	}
	if err != nil {
		return err
	}
	for _, l := range conf.Lines {
		if l.Error != "" {
			fmt.Fprintf(warn, "qprism: %s:%d: %s: %s\n", path, l.Line, printable(l.Name), printable(l.Error))
		}
	}
	own := *s.PBS
	own.SchedConfig, own.Fairshare.Policy = conf, fair
	s.PBS = &own
	return nil
}

func (s openPBS) writeSchedule(io.Writer, []model.ScheduleLine) error {
	return errors.New("PBS has no schedule file, so that there is no --format schedule; json and csv have the plan")
}

// adapt takes the column of tasks away, because ids name subjobs, and calls slots what they are.
func (openPBS) adapt(t *sheet) {
	for i, c := range t.columns {
		switch c.name {
		case "slots":
			t.columns[i].name = "ncpus"
		case "hosts":
			t.columns[i].name = "vnodes"
		case "job":
			t.columns[i].right = false
		}
	}
	t.drop("task")
}

// drop takes a column away.
func (s *sheet) drop(name string) {
	i := slices.IndexFunc(s.columns, func(c column) bool { return c.name == name })
	if i < 0 {
		return
	}
	s.columns = slices.Delete(s.columns, i, i+1)
	for k := range s.rows {
		s.rows[k] = slices.Delete(s.rows[k], i, i+1)
	}
}

// tally counts the verdicts, and says whom the cycle preempts.
func (s openPBS) tally(p *model.Plan) string {
	starts, tops, waits := 0, 0, 0
	for i := range p.Decisions {
		switch p.Decisions[i].Verdict {
		case model.Now:
			starts++
		case model.Later:
			tops++
		case model.Never:
			waits++
		}
	}
	text := fmt.Sprintf("Jobs that start: %d; top jobs, for which vnodes are kept: %d; others that wait: %d.", starts, tops, waits)
	for _, v := range p.Preempted {
		text += fmt.Sprintf("\nJob %s is preempted by %s for %s.", v.ID, v.Method, v.For)
	}
	return text
}

// pictured is a plan with the processors of every vnode, and what runs, starts and is planned on them.
func (s openPBS) pictured(p *model.Plan) *model.Plan {
	full := *p
	for i := range s.Hosts {
		h := &s.Hosts[i]
		total, _ := model.Text(h.Capacity, "ncpus")
		if n, ok := model.PBSAmount(total); ok && n > 0 {
			full.Utilization = append(full.Utilization, model.Utilization{Level: "H", Object: h.Name, Resource: "ncpus", Total: n})
		}
	}
	full.Lines = append(s.runningLines(p.RunAt), p.Lines...)
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if state := map[model.Verdict]string{model.Now: "STARTING", model.Later: "RESERVING"}[d.Verdict]; state != "" {
			full.Lines = append(full.Lines, cpuLines(model.ScheduleLine{Job: d.Job, Task: firstTask(&model.Task{IDs: d.Tasks}), State: state, Start: d.Start, Duration: d.Duration}, d.Slots)...)
		}
	}
	return &full
}

// runningLines are lines for the processors of what runs, up to its walltime.
func (s openPBS) runningLines(at time.Time) (lines []model.ScheduleLine) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.PBS == nil || j.PBS.State != "R" || j.PBS.ExecVnode == "" {
			continue
		}
		l := model.ScheduleLine{Job: j.Number, Task: max(1, j.PBS.Index), State: "RUNNING", Start: j.PBS.Started, Duration: cycle.Length(j)}
		if l.Duration != model.Forever && !l.Start.Add(l.Duration).After(at) {
			l.Duration = at.Sub(l.Start) + time.Second // over its time: the scheduler takes it to end at once
		}
		lines = append(lines, cpuLines(l, cycle.Grants(j.PBS.ExecVnode))...)
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
