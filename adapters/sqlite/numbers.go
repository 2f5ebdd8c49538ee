package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"slices"

	"qprism/engine/model"
)

// The numbers of a snapshot's jobs are a record of their own: ranges, each as the distance from the one before and its
// length. A history reads only the snapshots that have the job.

// numbersOf are the numbers of the jobs, in ranges.
func numbersOf(jobs []model.Job) []byte {
	numbers := make([]uint32, len(jobs))
	for i := range jobs {
		numbers[i] = jobs[i].Number
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	out := []byte{} // not nil, which is stored as none
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

// hasNumber reports whether a number is in ranges.
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

// snapshotsWith are the ids of the snapshots that have a job of this number.
func snapshotsWith(ctx context.Context, db queryer, number uint32) (map[int64]bool, error) {
	raw, err := allRecords(ctx, db, kindNumbers)
	if err != nil {
		return nil, err
	}
	with := map[int64]bool{}
	for _, r := range raw {
		if err := r.check(kindNumbers); err != nil {
			return nil, err
		}
		if hasNumber(r.body, number) {
			with[r.id] = true
		}
	}
	return with, nil
}

// renumber makes the numbers anew of snapshots that have none.
func (s *Store) renumber(ctx context.Context, conn *sql.Conn) error {
	raw, _, err := rawRecords(ctx, conn, kindSnapshot)
	if err != nil {
		return err
	}
	l := newLoader(ctx, conn, s.codec)
	for _, r := range raw {
		have, err := findRaw(ctx, conn, kindNumbers, r.id)
		if err != nil {
			return err
		}
		if have != nil {
			continue
		}
		snap, err := l.snapshot(r.id)
		if err == nil {
			err = setBody(ctx, conn, kindNumbers, r.id, numbersOf(snap.Jobs))
		}
		if err != nil {
			return inSnapshot(r.id, err)
		}
	}
	return nil
}
