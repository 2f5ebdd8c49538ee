package lint

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/lint"
	"qprism/engine/model"
)

// inTorque are the checks of what Torque's server says, whichever scheduler it has.
var inTorque = []func(*pbsLinter) []lint.Trap{schedulingOff, queuesStopped, runtimesUnknown}

// checkTorque looks at what a Torque server tells its scheduler. How that orders jobs no bundle shows.
func checkTorque(in lint.Input) *lint.Report {
	l := &pbsLinter{Input: in, Snapshot: in.Snapshot, pbs: in.Snapshot.PBS, at: in.At}
	r := &lint.Report{Words: []lint.Word{
		{About: "order", Says: "unknown: its scheduler (pbs_sched, Maui, Moab) decides, and no bundle " +
			"has the files of that scheduler"},
		{About: "queues", Says: l.queueWords()},
	}}
	for _, check := range inTorque {
		r.Add(check(l))
	}
	return r
}

func (l *pbsLinter) queueWords() string {
	var list []string
	for _, q := range l.Queues {
		text := q.Name
		if q.PBS != nil && !q.PBS.Started {
			text += " (stopped)"
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return "not in the bundle"
	}
	return strings.Join(list, ", ")
}

// queued are the ids of jobs in state Q that a condition holds for.
func (l *pbsLinter) queued(holds func(*model.Job) bool) (ids []string) {
	for i := range l.Jobs {
		if j := &l.Jobs[i]; j.PBS != nil && j.PBS.State == "Q" && holds(j) {
			ids = append(ids, j.PBS.ID)
		}
	}
	return ids
}

// schedulingOff finds a server that does not call its scheduler.
func schedulingOff(l *pbsLinter) []lint.Trap {
	if text, said := model.Text(l.pbs.Server.Attributes, "scheduling"); !said || !strings.EqualFold(text, "false") {
		return nil
	}
	n := len(l.queued(func(*model.Job) bool { return true }))
	return []lint.Trap{{
		Name:   "scheduling-off",
		What:   "the server does not call its scheduler: no job starts, even if resources are free",
		Place:  l.setting("server", "server", "scheduling"),
		Effect: fmt.Sprintf("%s %s", lint.Many(n, "job"), lint.Verb(n, "waits", "wait")),
		Fix:    []string{qmgr("set server scheduling = True")},
	}}
}

// queuesStopped finds queues that take jobs and start none.
func queuesStopped(l *pbsLinter) (traps []lint.Trap) {
	for _, q := range l.Queues {
		if q.PBS == nil || q.PBS.Started || !q.PBS.Enabled {
			continue
		}
		jobs := l.queued(func(j *model.Job) bool { return j.PBS.Queue == q.Name })
		if len(jobs) == 0 {
			continue
		}
		traps = append(traps, lint.Trap{
			Name:   "queue-stopped",
			What:   fmt.Sprintf("queue %s accepts jobs but starts none", q.Name),
			Place:  l.setting("queues", "queue "+q.Name, "started"),
			Effect: fmt.Sprintf("the queue has %s: %s", lint.Many(len(jobs), "waiting job"), lint.Few(jobs)),
			Fix:    []string{qmgr("set queue %s started = True", q.Name)},
		})
	}
	return traps
}

// runtimesUnknown finds jobs whose end no scheduler can know: nothing can be reserved behind them, and none
// of them backfilled. A listing that shows no request of any job, as the table that qstat prints for
// people, does not tell.
func runtimesUnknown(l *pbsLinter) []lint.Trap {
	jobs := l.queued(func(j *model.Job) bool { return !lint.Asks(j, "walltime") })
	if len(jobs) == 0 || !slices.ContainsFunc(l.Jobs, func(j model.Job) bool { return len(j.Hard) > 0 }) {
		return nil
	}
	return []lint.Trap{{
		Name: "walltimes-unknown",
		What: "jobs request no walltime, and there is no default: a scheduler can neither plan a start " +
			"after such jobs nor backfill them",
		Place:  l.setting("server", "server", "resources_default.walltime"),
		Effect: fmt.Sprintf("%s: %s", lint.Many(len(jobs), "waiting job"), lint.Few(jobs)),
		Fix:    []string{qmgr("set server resources_default.walltime = 24:00:00")},
	}}
}
