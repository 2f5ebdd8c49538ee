package act

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/dispatch"
	"qprism/engine/model"
	"qprism/exporter"
)

// A driveReport is a step in JSON: what would be done, or what became of it.
type driveReport struct {
	Cluster string       `json:"cluster"`
	At      time.Time    `json:"at"`
	Owned   int          `json:"owned"`
	Held    int          `json:"to_be_held"`
	Starts  []driveStart `json:"starts"`
	Left    []driveLeft  `json:"left"`
	Refused string       `json:"refused,omitempty"`
}

type driveStart struct {
	Job    string `json:"job"`
	Tasks  string `json:"tasks,omitempty"`
	Places string `json:"places"`
	Ahead  bool   `json:"ahead,omitempty"` // when it falls free
	State  string `json:"state"`
	Words  string `json:"words,omitempty"`
}

type driveLeft struct {
	Job   uint32 `json:"job"`
	Tasks int    `json:"tasks"`
	Why   string `json:"why"`
}

func leftJSON(list []dispatch.Left) []driveLeft {
	left := make([]driveLeft, len(list))
	for i, l := range list {
		left[i] = driveLeft{l.Job, l.Tasks, l.Why}
	}
	return left
}

// printDrive shows what a step would do.
func printDrive(out show.Output, s *subject.Subject, r *dispatch.Result, fresh, owned int, unsafe error) error {
	var refusal *exporter.RefusalError
	if out.Format == "json" {
		j := driveReport{Cluster: s.Cluster, At: r.Plan.RunAt, Owned: owned, Held: fresh, Left: leftJSON(r.Left), Starts: []driveStart{}}
		for _, st := range starts(s, r) {
			j.Starts = append(j.Starts, driveStart{Job: st.Job, Tasks: startTasks(st.Array, st.Tasks), Places: st.Places, Ahead: st.Ahead,
				State: string(model.OrderPlanned)})
		}
		if errors.As(unsafe, &refusal) {
			j.Refused = refusal.Why
		}
		return out.JSON(j)
	}
	out.Terminal = true
	out.Say("%s, %s %s%s; the run at %s", show.Printable(nameOfCluster(s.Cluster)), s.Batch.Product(),
		show.Printable(subject.Release(s.Snapshot)), subject.Taken(out, s.Snapshot), out.Moment(r.Plan.RunAt))
	out.Say("")
	out.Say("%s decided about, %d of them not held yet.", jobsAre(owned), fresh)
	out.Say("")
	t := show.Sheet{Columns: show.Columns(">job", "tasks", "starts on", "fills first")}
	for _, st := range starts(s, r) {
		places := st.Places
		if st.Ahead {
			places += ", when that falls free"
		}
		t.Add(st.Job, startTasks(st.Array, st.Tasks), places, inList(st.First))
	}
	if len(r.Starts)+len(r.Ahead) > 0 {
		if err := out.Sheet(t); err != nil {
			return err
		}
		out.Say("")
	}
	sayLeft(out, r)
	return sayUnsent(out, unsafe)
}

// sayUnsent says that nothing was sent, and whether it would be.
func sayUnsent(out show.Output, unsafe error) error {
	var refusal *exporter.RefusalError
	switch {
	case errors.As(unsafe, &refusal):
		out.Say("--apply would send nothing: %s.", refusal.Why)
	case unsafe != nil:
		out.Say("--apply would send nothing: %v.", unsafe)
	default:
		out.Say("Nothing was sent. --apply captures the cluster anew and does it, step by step; --apply --once makes one step.")
	}
	return nil
}

func nameOfCluster(cluster string) string {
	if cluster == "" {
		return "unnamed cluster"
	}
	return cluster
}

func jobsAre(n int) string {
	if n == 1 {
		return "1 job is"
	}
	return fmt.Sprintf("%d jobs are", n)
}

func startTasks(array bool, tasks model.TaskSet) string {
	if !array {
		return ""
	}
	return tasks.String()
}

func inList(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return listedNames(list)
}

// listedNames names the first of some names.
func listedNames(names []string) string {
	const most = 4
	text := ""
	for i, n := range names {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(names)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += show.Printable(n)
	}
	return text
}

// sayLeft says which starts of the plan are left out, and why.
func sayLeft(out show.Output, r *dispatch.Result) {
	const most = 10
	for i, l := range r.Left {
		if i == most {
			out.Say("… and %d more are left for later.", len(r.Left)-most)
			break
		}
		out.Say("job %s is left for later: %s.", strconv.FormatUint(uint64(l.Job), 10), l.Why)
	}
	if len(r.Left) > 0 {
		out.Say("")
	}
}

// printStarts says what became of the starts of a step.
func printStarts(out show.Output, s *subject.Subject, orders []model.Start, r *dispatch.Result) error {
	ahead := map[string]bool{}
	for _, st := range r.Ahead {
		ahead[strconv.FormatUint(uint64(st.Job), 10)] = true
	}
	if out.Format == "json" {
		j := driveReport{Cluster: s.Cluster, At: s.TakenAt, Starts: []driveStart{}, Left: leftJSON(r.Left)}
		for _, o := range orders {
			j.Starts = append(j.Starts, driveStart{Job: o.Job, Tasks: o.Tasks, Places: o.Places, Ahead: ahead[o.Job], State: string(o.State),
				Words: o.Words})
		}
		return out.JSON(j)
	}
	out.Terminal = true
	if len(orders) == 0 {
		out.Say("%s: nothing to start", out.Moment(s.TakenAt))
		return nil
	}
	t := show.Sheet{Columns: show.Columns(">job", "tasks", "decided", "state", "what happened")}
	for _, o := range orders {
		t.Add(o.Job, o.Tasks, o.Places, string(o.State), o.Words)
	}
	return out.Sheet(t)
}
