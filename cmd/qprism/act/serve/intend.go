package serve

import (
	"context"
	"fmt"
	"time"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/trial"
	"qprism/engine/intend"
)

// noteIntentions notes sentences that are not true for the newest snapshot, and those that are true again. If a
// sentence cannot be checked, its state stays.
func (s *Served) noteIntentions(ctx context.Context, t *memory) error {
	if !s.wants(cadence.BrokenIntention) {
		return nil
	}
	list, err := trial.ReadIntentions(s.alerts.Intend)
	if err != nil {
		return err
	}
	i, look, err := s.look(ctx)
	if err != nil {
		return err
	}
	var now []intend.Intention
	for k := range list {
		if list[k].Kind != intend.Gets {
			now = append(now, list[k])
			continue
		}
		o, err := s.got(ctx, look, list[k])
		if err != nil {
			return err
		}
		s.noteVerdict(t, &o.Intention, o.Answer, o.Why, i.ID)
	}
	for _, v := range next.CheckNow(ctx, look, now) {
		s.noteVerdict(t, &v.Intention, v.Answer, v.Why, i.ID)
	}
	return nil
}

func (s *Served) noteVerdict(t *memory, i *intend.Intention, answer intend.Answer, why string, snapshot int64) {
	a := alert{Kind: cadence.BrokenIntention, Of: i.Text}
	_, held := t.Holds[a.key()]
	switch {
	case answer == intend.Fails:
		a.Text = fmt.Sprintf("%q does not hold: %s; qprism intend --say %s --snapshot %d --store %s",
			i.Text, why, cli.ShellWord(i.Text), snapshot, cli.ShellWord(s.Store))
		s.note(a)
	case answer == intend.Unknown && held:
		s.note(a)
	case held:
		a.Text, a.Over = fmt.Sprintf("%q holds again: %s", i.Text, why), true
		s.over = append(s.over, a)
	}
}

// aWeek is the period of a sentence that names none.
const aWeek = 7 * 24 * time.Hour

// got checks a sentence about usage against the tasks that ran up to the newest snapshot.
func (s *Served) got(ctx context.Context, look *subject.Subject, i intend.Intention) (*intend.Over, error) {
	if i.Span == 0 {
		i.Span = aWeek
	}
	from := look.TakenAt.Add(-i.Span)
	store, err := subject.OpenStore(s.Deps)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	ended, err := subject.EndedSince(ctx, store, look, from)
	if err != nil {
		return nil, err
	}
	past := intend.NewPast([]intend.Intention{i}, from)
	past.Add(intend.Input{Snapshot: look.Snapshot}, ended)
	return &past.Verdicts()[0], nil
}
