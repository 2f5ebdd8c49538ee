package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qprism/adapters/notify"
	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// An alert is told when it begins, and again only after it was over.
type alert struct {
	Kind string `json:"kind"`          // one of cadence.AlertKinds, or cadence.BrokenIntention
	Of   string `json:"job,omitempty"` // the job that it is about, or the sentence
	Text string `json:"text"`
	Over bool   `json:"over,omitempty"` // it was told of before, and is over
}

func (a alert) key() string { return show.Joined(" ", a.Kind, a.Of) }

// kindsOf are the kinds of alert that each task can begin or end.
var kindsOf = map[string][]string{"capture": {"capture", "never", "waits", cadence.BrokenIntention},
	"audit": {"unexplained"}, "diff": {"order"}, "push": {"push"}}

// memory is what serve remembers between runs, in a file beside the store.
type memory struct {
	Holds    map[string]time.Time `json:"holds"`    // alerts that were told and are not over, since when
	Failures int                  `json:"failures"` // captures in a row
	Foreseen map[string]time.Time `json:"foreseen"` // when a job was to start, as was forecast when it was first seen
}

// alerting wraps a task: afterwards it sends the alerts that the task noted.
func (s *Served) alerting(task string, do taskFunc) taskFunc {
	if s.alerts == nil || kindsOf[task] == nil {
		return do
	}
	return func(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
		s.found, s.over = nil, nil
		figures, err := do(ctx, stop)
		if _, skipped := errors.AsType[*cadence.SkippedError](err); !skipped && ctx.Err() == nil {
			if failed := s.afterwards(ctx, task, err); failed != nil {
				s.log.Error("alerts", "task", task, "why", failed.Error())
			}
		}
		return figures, err
	}
}

func (s *Served) note(a alert) { s.found = append(s.found, a) }

// wants reports whether a kind of alert is configured.
func (s *Served) wants(kind string) bool {
	return s.alerts != nil && slices.Contains(s.alerts.Of, kind)
}

// afterwards sends new alerts and forgets old ones. What could not be sent is sent the next time.
func (s *Served) afterwards(ctx context.Context, task string, err error) error {
	t, bad := s.remembered()
	if bad != nil {
		return bad
	}
	kinds := kindsOf[task]
	if _, found := errors.AsType[*cli.DisagreementError](err); err != nil && !found {
		kinds = kinds[:1] // of all else nothing is known
		s.failed(task, t, err)
	} else if task == "capture" {
		t.Failures = 0
		if bad = errors.Join(s.noteJobs(ctx, t), s.noteIntentions(ctx, t)); bad != nil {
			return bad
		}
	}
	s.found = slices.DeleteFunc(s.found, func(a alert) bool { return !s.wants(a.Kind) || !slices.Contains(kinds, a.Kind) })
	fresh := append(t.take(s.found, kinds), s.over...)
	if len(fresh) > 0 {
		sent, failed := s.tell(ctx, fresh)
		if !sent {
			t.drop(fresh)
		}
		bad = failed
	}
	return errors.Join(bad, control.Keep(s.memoryFile(), t))
}

// failed notes a failed push, or that capture failed too often.
func (s *Served) failed(task string, t *memory, err error) {
	switch task {
	case "capture":
		if t.Failures++; t.Failures >= s.alerts.Failures {
			s.note(alert{Kind: "capture", Text: fmt.Sprintf("capture failed %d times in a row: %v", t.Failures, err)})
		}
	case "push":
		s.note(alert{Kind: "push", Text: fmt.Sprintf("push: %v", err)})
	}
}

// take records alerts, and returns those that are new. Alerts of the same kinds that were not found are over.
func (t *memory) take(found []alert, kinds []string) (fresh []alert) {
	holds := map[string]bool{}
	for _, a := range found {
		holds[a.key()] = true
		if _, known := t.Holds[a.key()]; !known {
			t.Holds[a.key()] = time.Now().UTC()
			fresh = append(fresh, a)
		}
	}
	for key := range t.Holds {
		if kind, _, _ := strings.Cut(key, " "); slices.Contains(kinds, kind) && !holds[key] {
			delete(t.Holds, key)
		}
	}
	return fresh
}

// drop forgets alerts that could not be sent, so that they are sent the next time.
func (t *memory) drop(alerts []alert) {
	for _, a := range alerts {
		if delete(t.Holds, a.key()); a.Over {
			t.Holds[a.key()] = time.Now().UTC()
		}
	}
}

// mostTold is how many alerts a message lists.
const mostTold = 50

func (s *Served) tell(ctx context.Context, fresh []alert) (sent bool, err error) {
	var text strings.Builder
	for i, a := range fresh {
		if i == mostTold {
			fmt.Fprintf(&text, "… and %d more\n", len(fresh)-i)
			break
		}
		fmt.Fprintln(&text, show.Printable(a.Text))
	}
	body, err := json.Marshal(struct {
		Cluster string    `json:"cluster"`
		At      time.Time `json:"at"`
		Alerts  []alert   `json:"alerts"`
	}{s.Name, time.Now().UTC(), fresh})
	if err != nil {
		return false, err
	}
	first, _, _ := strings.Cut(show.Printable(fresh[0].Text), ";")
	if len(fresh) > 1 {
		first = show.Plural(len(fresh), "alert") + ", " + first
	}
	w := notify.Ways{Mail: s.alerts.Mail, Command: s.alerts.Command, Webhook: s.alerts.Webhook}
	return w.Send(ctx, notify.Message{Subject: "qprism: " + s.Name + ": " + first, Text: text.String(), JSON: body})
}

// noteJobs notes jobs that can never run, or wait much longer than forecast.
func (s *Served) noteJobs(ctx context.Context, t *memory) error {
	if !s.wants("never") && !s.wants("waits") {
		return nil
	}
	i, look, err := s.look(ctx)
	if err != nil || look.Batch.Guesses() != nil {
		return err
	}
	var waiting []*model.Job
	for k := range look.Jobs {
		j := &look.Jobs[k]
		switch {
		case !j.Waits():
		case look.NeverRuns(j):
			s.note(alert{Kind: "never", Of: j.KnownAs(),
				Text: fmt.Sprintf("job %s of %s can never run with the current configuration; %s",
					j.KnownAs(), j.Owner, s.asks("why", j, i.ID))})
		default:
			waiting = append(waiting, j)
		}
	}
	if s.wants("waits") {
		return s.noteWaits(ctx, t, look, i.ID, waiting)
	}
	return nil
}

// leastWait is the shortest wait of an alert: three times a forecast of seconds means nothing.
const leastWait = time.Hour

// noteWaits notes jobs that wait many times longer than the forecast when they were first seen.
func (s *Served) noteWaits(ctx context.Context, t *memory, look *subject.Subject, snapshot int64,
	waiting []*model.Job) error {
	foreseen := map[string]time.Time{}
	news := false
	for _, j := range waiting {
		at, known := t.Foreseen[foreseenKey(j)]
		foreseen[foreseenKey(j)] = at
		news = news || !known
		if waited := look.TakenAt.Sub(j.Submitted); known && !at.IsZero() &&
			waited.Seconds() > s.alerts.Waits*max(at.Sub(j.Submitted), leastWait).Seconds() {
			s.note(alert{Kind: "waits", Of: j.KnownAs(), Text: fmt.Sprintf(
				"job %s of %s has waited for %s; the first forecast was a wait of %s; %s",
				j.KnownAs(), j.Owner, show.SpanText(waited), show.SpanText(at.Sub(j.Submitted)), s.asks("why", j, snapshot))})
		}
	}
	if news {
		starts := next.LikelyStarts(ctx, look)
		for _, j := range waiting {
			if _, known := t.Foreseen[foreseenKey(j)]; !known {
				foreseen[foreseenKey(j)] = starts[j.KnownAs()]
			}
		}
	}
	t.Foreseen = foreseen
	return nil
}

// foreseenKey identifies a job, as its number may come again.
func foreseenKey(j *model.Job) string { return fmt.Sprintf("%s %d", j.KnownAs(), j.Submitted.Unix()) }

// asks is the command that explains more about a job.
func (s *Served) asks(command string, j *model.Job, snapshot int64) string {
	return fmt.Sprintf("qprism %s %s --snapshot %d --store %s", command, j.KnownAs(), snapshot, cli.ShellWord(s.Store))
}

func (s *Served) memoryFile() string { return filepath.Join(beside(s.Deps), s.Name+".alerts.json") }

func (s *Served) remembered() (*memory, error) {
	t := &memory{}
	err := control.Kept(s.memoryFile(), t)
	if t.Holds == nil {
		t.Holds = map[string]time.Time{}
	}
	return t, err
}
