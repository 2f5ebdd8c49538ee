package pbs

import (
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// inferZone finds out how far the local times of the bundle are from UTC, where MANIFEST does not say:
// qstat prints local times, and queue_rank and accounting records have the same moments in seconds since
// 1970. Where nothing tells, the snapshot says so.
func inferZone(r *reader) error {
	if r.zoned {
		return nil
	}
	scratch := newReader(r.Bundle, Options{KeepGoing: true})
	if scratch.collectHints() != nil {
		return nil // what is wrong with the files, the reading proper says
	}
	if offset, ok := scratch.hints.Best(); ok {
		r.setOffset(offset)
	} else if scratch.local || r.atLocal {
		r.Snap.Location = source.UnknownZone
	}
	if r.atLocal {
		_, offset := r.Snap.TakenAt.In(r.zone).Zone()
		r.Snap.TakenAt = r.Snap.TakenAt.Add(-time.Duration(offset) * time.Second)
	}
	return nil
}

// collectHints reads what shows moments twice: jobs, and their accounting records.
func (r *reader) collectHints() error {
	for _, step := range []func(*reader) error{readResources, readJobs, readLogs} {
		if err := step(r); err != nil {
			return err
		}
	}
	created := map[string]time.Time{}
	for i := range r.pbs.Accounting {
		a := &r.pbs.Accounting[i]
		if at := model.PBSTime(a.Value("end")); a.Type == "E" {
			r.hints.Add(a.At, at) // a record is written in local time
		}
		if at := model.PBSTime(a.Value("ctime")); !at.IsZero() {
			created[a.ID] = at
		}
	}
	for i := range r.Snap.Jobs {
		j := &r.Snap.Jobs[i]
		r.hints.Add(r.localOf(j.Submitted), created[j.PBS.ID])
		const early = 1_000_000_000_000_000 // the year 2001 in microseconds: smaller ranks are counters
		if j.PBS.QueueRank > early {
			r.hints.Add(r.localOf(j.PBS.Queued), time.UnixMicro(j.PBS.QueueRank))
		}
	}
	return nil
}

// localOf is a moment that was read from a local time, and the zero time where all moments are in seconds since 1970.
func (r *reader) localOf(at time.Time) time.Time {
	if !r.local {
		return time.Time{}
	}
	return at
}
