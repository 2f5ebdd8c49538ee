package pbs_test

import (
	"context"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/exporter/pbs"
)

// TestAServerThatIsReachedFromElsewhereIsKnownByItsJobs: two servers of one name and home have jobs of the
// same numbers and owners. That all jobs that are known of the one were submitted in the same second there
// tells them apart; nothing is sent where one was not, or none is left, or only owners are known.
func TestAServerThatIsReachedFromElsewhereIsKnownByItsJobs(t *testing.T) {
	const at, later = "ann 2026-11-22T21:00:00", "ann 2026-11-22T21:00:01"
	for name, c := range map[string]struct {
		whose, other string // of the first job, and of the others
		gone         bool
		now          model.Identity
		refused      string
	}{
		"the same jobs": {whose: at, other: at},
		"the same jobs, by its short name": {whose: at, other: at,
			now: model.Identity{System: model.PBSSystem, Host: "s", Root: "/pbs"}},
		"a job that was submitted later": {whose: at, other: later,
			refused: "reach s: for the cluster that the commands reach, the identity of its installation is not " +
				"known, and another job has the number now: 3.s belongs to ann, submitted 2026-11-22T21:00:00"},
		"another owner's job": {whose: "ben 2026-11-22T21:00:00", other: at, refused: "another job has the number now"},
		"owners alone":        {whose: "ann", other: "ann", refused: "and it has no known job"},
		"no job is left": {whose: at, other: at, gone: true,
			refused: "none of its 2 known jobs exists any more"},
		"another server": {whose: at, other: at, now: model.Identity{System: model.PBSSystem, Host: "other"},
			refused: "its master is other, not s.site"},
	} {
		s, j := newQueueServer(6), &journal{}
		p := s.pusher(j)
		meant := model.Identity{System: model.PBSSystem, Host: "s.site", Root: "/pbs", Machine: "4 5"}
		now := c.now
		if now.Host == "" {
			now = model.Identity{System: model.PBSSystem, Host: "s.site", Root: "/pbs"}
		}
		p.Identify = func(context.Context) (model.Identity, error) { return now, nil }
		push := &model.Push{Kind: "qorder", Cluster: "s", Identity: meant,
			Orders: pbs.Swaps{}.Orders([]string{"3.s", "1.s"}, s.places())}
		push.Orders[0].Whose, push.Orders[0].WithWhose = c.other, c.whose
		if c.gone {
			clear(s.jobs)
		}
		before := s.places()
		_, err := p.Send(context.Background(), push)
		if moved := len(s.jobs) > 0 && s.places()[0] != before[0]; moved != (c.refused == "") ||
			(err != nil) == moved || err != nil &&
			!strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: moved %v, %v", name, moved, err)
		}
		if err != nil || c.refused != "" {
			continue
		}
		s.jobs["1.s"].owner = "ben" // another server of that name takes its place
		if _, err := p.Undo(context.Background(), 1); err == nil ||
			!strings.Contains(err.Error(), "another job has the number now") {
			t.Errorf("%s: undone elsewhere: %v", name, err)
		}
	}
}
