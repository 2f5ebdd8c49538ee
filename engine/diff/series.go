package diff

import "qprism/engine/model"

// A Series compares the runs between consecutive snapshots. It keeps only the last snapshot.
type Series struct {
	Options
	last   *model.Snapshot
	memory *memory // of the scheduler when it was taken
}

// NewSeries starts a series, of orders or plans. A forecast needs all snapshots at once.
func NewSeries(o Options) *Series { return &Series{Options: o.bounded()} }

// Next compares the runs between the last snapshot and this one. events are those of the reporting file in
// between.
func (s *Series) Next(next *model.Snapshot, events []model.JobEvent) (runs []Run) {
	s.Events = events
	for _, one := range s.steps(next) {
		runs = append(runs, one.compare())
	}
	return runs
}

// steps are the runs up to the next snapshot.
func (s *Series) steps(next *model.Snapshot) []*step {
	before := s.last
	if s.last = next; before == nil {
		return nil
	}
	list := steps(before, next, s.memory, s.Options)
	s.memory = list[len(list)-1].remembers()
	return list
}
