package next

import (
	"fmt"

	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/explain"
	"qprism/engine/model"
)

// A standing is where a job stands among those that wait, and what that is made of, in a line.
type standing struct {
	Place          int    `json:"place"` // from 1
	Waiting        int    `json:"waiting"`
	DecidingValues string `json:"made_of"`
	Before         string `json:"next_before,omitempty"` // the waiting job next before it
}

// standingOf returns the place that explain shows. It is nil for a job that does not wait in turn, and if the
// place is unknown.
func standingOf(s *subject.Subject, id string) *standing {
	sc, err := s.Batch.Scene()
	if err != nil {
		return listed(s, id)
	}
	if id, err = s.Batch.InScene(id); err != nil {
		return nil
	}
	e, err := sc.Explain(id)
	if err != nil || e.State == explain.Running {
		return nil
	}
	p := &standing{Place: e.Place, Waiting: e.Waiting, DecidingValues: queue.DecidingValues(e)}
	if e.Since != nil && !e.Next {
		p.Place, p.Waiting = e.Since.Place, e.Since.Waiting
	}
	if p.Place == 0 {
		return nil
	}
	if e.Ahead != nil {
		p.Before = e.Ahead.ID
	}
	return p
}

// listed is the place of a job by the priorities that the master printed.
func listed(s *subject.Subject, id string) *standing {
	j, err := s.Batch.Find(id)
	if err != nil {
		return nil
	}
	a, err := s.Batch.Ranking("pri")
	if err != nil {
		return nil
	}
	var p standing
	last := (*model.Job)(nil)
	for _, r := range a.Jobs {
		if !r.Waits || r.Job == last {
			continue
		}
		last = r.Job
		if p.Waiting++; r.Job == j && p.Place == 0 {
			p.Place, p.DecidingValues = p.Waiting, "prio "+r.Cell("prio").Text+", as printed by the master"
		}
	}
	if p.Place == 0 {
		return nil
	}
	return &p
}

// text is the standing in words.
func (p *standing) text() string {
	return fmt.Sprintf("%d of %d; %s", p.Place, p.Waiting, show.Printable(p.DecidingValues))
}
