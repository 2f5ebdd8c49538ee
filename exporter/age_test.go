package exporter_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
)

// A clocked master has a clock.
type clocked struct {
	*master
	now time.Time
}

func (c clocked) Run(ctx context.Context, commands [][]string) ([]exporter.Result, error) {
	if commands[0][0] == "date" {
		return []exporter.Result{{Out: strconv.FormatInt(c.now.Unix(), 10) + "\n"}}, nil
	}
	return c.master.Run(ctx, commands)
}

// TestOrdersGoByTheClockOfTheMaster: the clock of the one who pushes is two hours ahead, or behind, and neither refuses a fresh snapshot
// nor lets one of another time pass.
func TestOrdersGoByTheClockOfTheMaster(t *testing.T) {
	for name, c := range map[string]struct {
		here, taken time.Duration // from the master's clock
		sent        bool
	}{
		"a clock here that is ahead":    {2 * time.Hour, -5 * time.Second, true},
		"a clock here that is behind":   {-2 * time.Hour, -5 * time.Second, true},
		"a snapshot of two hours hence": {0, 2 * time.Hour, false},
		"one of the clock here":         {2 * time.Hour, 2 * time.Hour, false},
		"an old one":                    {-time.Hour, -time.Hour, false},
	} {
		m := newMaster(4)
		m.schedule()
		p := newPusher(m, newJournal())
		p.Runner, p.Now = clocked{m, noon}, func() time.Time { return noon.Add(c.here) }
		p.Limits.Await = 0
		p.Planned = &model.Snapshot{TakenAt: noon.Add(c.taken), Policy: model.Policy{ScheduleInterval: 15 * time.Second}}
		_, err := p.Send(context.Background(), reversed(t, m))
		var old *exporter.StaleError
		var refusal *exporter.RefusalError
		if errors.As(err, &old) == c.sent || errors.As(err, &refusal) == c.sent || (len(m.altered()) > 0) != c.sent {
			t.Errorf("%s: sent %v, %v", name, m.altered(), err)
		}
	}
}
