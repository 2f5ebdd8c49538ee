package gridengine

import (
	"time"

	"qprism/importer/source"
)

// inferZone finds out how far the local times of the bundle are from UTC, where MANIFEST does not say: qstat prints local times, and
// qstat -j the same moments in seconds since 1970. Where nothing tells, the snapshot says so.
func inferZone(r *reader) error {
	if r.zoned {
		return nil
	}
	scratch := newReader(r.Bundle, Options{KeepGoing: true})
	err := readJobs(scratch) // what is wrong with the files, the reading proper says
	if offset, ok := scratch.hints.Best(); err == nil && ok {
		r.setOffset(offset)
	} else if scratch.localTimes || r.takenLocal {
		r.Snap.Location = source.UnknownZone
	}
	if r.takenLocal {
		r.Snap.TakenAt = r.Snap.TakenAt.Add(-r.offset)
	}
	return nil
}

// hint takes note of a moment that one file prints as a local time and another in seconds since 1970.
func (r *reader) hint(local, unix time.Time) { r.hints.Add(local.Add(r.offset), unix) }
