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

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
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

func (s pbsOutlook) writeSchedule(io.Writer, []model.ScheduleLine) error {
	return errors.New("PBS has no schedule file, so that there is no --format schedule; json and csv have the plan")
}

// adapt takes the column of tasks away, because ids name subjobs, and calls slots what they are.
func (pbsOutlook) adapt(t *sheet) {
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
func (s pbsOutlook) tally(p *model.Plan) string {
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

// pictured is a plan of PBS that can be drawn.
func (s pbsOutlook) pictured(p *model.Plan) *model.Plan { return cycle.Booked(s.Snapshot, p) }
