package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Moment is a job in one snapshot.
type Moment struct {
	Snapshot int64
	TakenAt  time.Time
	Jobs     int // number of jobs in the snapshot
	Job      model.Job
	Standing *model.Standing // nil if the job does not wait, or the snapshot has no analysis
}

// History reads all moments of the jobs with one number in a cluster, by time. A cluster reuses numbers after a
// while; Job.Submitted distinguishes such jobs.
func (s *Store) History(ctx context.Context, cluster string, number uint32) (moments []Moment, err error) {
	err = s.transaction(ctx, toRead, func(t *tx) {
		infos, with := s.catalog.of(t, cluster), t.snapshotsWith(number)
		h := jobFollower{tx: t, number: number, standings: map[int64][]part{}}
		for _, a := range recordsOf[analysisRow](t, kindAnalysis, with) {
			h.standings[a.id] = a.value.Parts
		}
		for _, i := range infos {
			if with[i.ID] && t.err == nil {
				moments = h.moment(moments, i)
			}
		}
	})
	return moments, s.named(err, "history of job %d", number)
}

// A jobFollower follows one job through the snapshots.
type jobFollower struct {
	*tx
	number    uint32
	standings map[int64][]part // of the snapshots' analyses
}

// moment adds the moments of the job in a snapshot. There are several if several jobs have the number.
func (h *jobFollower) moment(to []Moment, info storedInfo) []Moment {
	var jobs []storedJob
	var standings []model.Standing
	if h.pick(byNoun(h.parts(info.parts))[jobNoun], ".Number", &jobs); len(jobs) > 0 {
		h.pick(h.standings[info.ID], ".Job", &standings)
	}
	if h.err != nil {
		h.err = inSnapshot(info.ID, h.err)
		return nil
	}
	slices.SortFunc(jobs, func(a, b storedJob) int { return cmp.Compare(a.Place, b.Place) })
	for i := range jobs {
		m := Moment{Snapshot: info.ID, TakenAt: info.TakenAt, Jobs: info.Jobs, Job: jobs[i].job()}
		if len(standings) > 0 && waits(&m.Job) {
			m.Standing = &standings[0]
		}
		to = append(to, m)
	}
	return to
}

// waits reports whether a job or one of its tasks waits.
func waits(j *model.Job) bool {
	return j.PBS != nil || slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Pending() })
}

// pick reads the elements of parts that have the job's number in field. Parts are sorted by this field.
func (h *jobFollower) pick(parts []part, field string, to any) {
	i, found := slices.BinarySearchFunc(parts, int64(h.number), func(p part, n int64) int { return cmp.Compare(p.Key, n) })
	if !found {
		i--
	}
	if i < 0 {
		return
	}
	if data := h.block(parts[i].Hash); h.err == nil {
		h.err = pickFrom(data, field, int64(h.number), reflect.ValueOf(to).Elem())
	}
}

// pickFrom sets a slice to the packed elements that have a number. They are next to each other.
func pickFrom(data []byte, field string, number int64, slice reflect.Value) error {
	c, n, err := openPack(data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	from, to := n, 0
	if _, there := c.columns[field]; !there && number == 0 { // the format omits a column of zeros
		from, to = 0, n
	}
	err = c.readInts(field, n, func(i int, v int64) {
		if v == number {
			from, to = min(from, i), max(to, i+1)
		}
	})
	if err == nil && from < to {
		slice.Set(reflect.MakeSlice(slice.Type(), to-from, to-from))
		err = c.elements(slice, n, from)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}
