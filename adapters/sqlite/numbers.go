package sqlite

import (
	"encoding/binary"
	"slices"

	"qprism/engine/model"
)

// The numbers of a snapshot's jobs have their own record. It has ranges: the distance from the previous range,
// and the length. So a history reads only the snapshots that have the job.

// numbersOf returns the numbers of the jobs as ranges.
func numbersOf(jobs []model.Job) []byte {
	numbers := make([]uint32, len(jobs))
	for i := range jobs {
		numbers[i] = jobs[i].Number
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	out := []byte{} // must not be nil, because nil is stored as NULL
	next := uint32(0)
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0]+uint32(n) {
			n++
		}
		out = binary.AppendUvarint(out, uint64(numbers[0]-next))
		out = binary.AppendUvarint(out, uint64(n))
		next = numbers[n-1]
		numbers = numbers[n:]
	}
	return out
}

// hasNumber reports whether ranges contain a number.
func hasNumber(ranges []byte, number uint32) bool {
	in, at := input{data: ranges}, uint64(0)
	for len(in.data) > 0 && !in.bad {
		at += in.uvarint()
		n := in.uvarint()
		if uint64(number) < at {
			return false
		}
		if uint64(number) < at+n {
			return true
		}
		at += max(n, 1) - 1
	}
	return false
}

// snapshotsWith returns the ids of the snapshots that have a job with this number.
func (t *tx) snapshotsWith(number uint32) map[int64]bool {
	with := map[int64]bool{}
	t.everyRecord(kindNumbers, func(r rawRecord) error {
		if hasNumber(r.body, number) {
			with[r.id] = true
		}
		return nil
	})
	return with
}

// renumber computes the numbers of snapshots that have no record of them.
func (t *tx) renumber() {
	raw, _ := t.rawRecordsAfter(kindSnapshot, 0)
	for _, r := range raw {
		if t.findRaw(kindNumbers, r.id) != nil || t.err != nil {
			continue
		}
		if snap := t.snapshot(r.id); t.err == nil {
			t.setBody(kindNumbers, r.id, numbersOf(snap.Jobs))
		}
		if t.err != nil {
			t.err = inSnapshot(r.id, t.err)
		}
	}
}
