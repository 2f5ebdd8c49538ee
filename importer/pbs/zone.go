package pbs

import (
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// inferZone finds the distance of the bundle's local times from UTC, if MANIFEST does not have it. qstat prints
// local times. queue_rank and accounting records have the same moments in seconds since 1970. If nothing shows
// the distance, the snapshot says so.
func inferZone(r *reader) error {
	if r.zoned {
		return nil
	}
	scratch := newReader(r.Bundle, Options{KeepGoing: true})
	if scratch.collectHints() != nil {
		return nil // the main reading will report errors in the files
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

// collectHints reads jobs and accounting records, which show moments twice.
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
			r.hints.Add(a.At, at) // the time of a record is local
		}
		if at := model.PBSTime(a.Value("ctime")); !at.IsZero() {
			created[a.ID] = at
		}
	}
	for i := range r.Snap.Jobs {
		j := &r.Snap.Jobs[i]
		r.hints.Add(r.localOf(j.Submitted), created[j.PBS.ID])
		const early = 1_000_000_000_000_000 // the year 2001 in microseconds; smaller ranks are counters
		if j.PBS.QueueRank > early {
			r.hints.Add(r.localOf(j.PBS.Queued), time.UnixMicro(j.PBS.QueueRank))
		}
	}
	return nil
}

// localOf returns a moment that was read from a local time. It is the zero time if all moments are in seconds
// since 1970.
func (r *reader) localOf(at time.Time) time.Time {
	if !r.local {
		return time.Time{}
	}
	return at
}
