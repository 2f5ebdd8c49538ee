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
		standings := map[int64][]part{} // of the snapshots' analyses
		for _, a := range recordsOf[analysisRow](t, kindAnalysis, with) {
			standings[a.id] = a.value.Parts
		}
		f := jobFollower{t.codec, number}
		// Opening and reading blocks takes twice as long as fetching them. So the first function also opens the standings.
		ahead(t, func(send func(momentBlocks)) {
			for _, i := range infos {
				if !with[i.ID] || t.err != nil {
					continue
				}
				if b := t.momentBlocks(i, number, standings[i.ID]); t.err == nil {
					send(b)
				}
			}
		}, func(b momentBlocks) error {
			list, err := f.moments(b)
			moments = append(moments, list...)
			return err
		})
		if t.err != nil {
			moments = nil
		}
	})
	return moments, s.named(err, "history of job %d", number)
}

// momentBlocks are the blocks of a snapshot that have a job and its standing. Both are empty if there are none.
type momentBlocks struct {
	storedInfo
	job      sealedBlock
	standing []byte // opened
}

func (t *tx) momentBlocks(info storedInfo, number uint32, standings []part) momentBlocks {
	b := momentBlocks{storedInfo: info, job: t.blockWith(byNoun(t.parts(info.parts))[jobNoun], number)}
	standing := t.blockWith(standings, number)
	if t.err == nil {
		b.standing, t.err = t.codec.openIfAny(standing)
	}
	if t.err != nil {
		t.err = inSnapshot(info.ID, t.err)
	}
	return b
}

// blockWith fetches the part that can have a job's number. Parts are sorted by number.
func (t *tx) blockWith(parts []part, number uint32) (b sealedBlock) {
	i, found := slices.BinarySearchFunc(parts, int64(number), func(p part, n int64) int { return cmp.Compare(p.Key, n) })
	if !found {
		i--
	}
	if i < 0 || t.err != nil {
		return b
	}
	b, t.err = t.fetch(parts[i].Hash)
	return b
}

// A jobFollower follows one job through the snapshots.
type jobFollower struct {
	codec  *codec
	number uint32
}

// moments are the moments of the job in a snapshot. There are several if several jobs have the number.
func (f *jobFollower) moments(b momentBlocks) (list []Moment, err error) {
	var jobs []storedJob
	var standings []model.Standing
	job, err := f.codec.openIfAny(b.job)
	if err == nil {
		err = f.pick(job, ".Number", &jobs)
	}
	if err == nil {
		err = f.pick(b.standing, ".Job", &standings)
	}
	if err != nil {
		return nil, inSnapshot(b.ID, err)
	}
	slices.SortFunc(jobs, func(a, b storedJob) int { return cmp.Compare(a.Place, b.Place) })
	for i := range jobs {
		m := Moment{Snapshot: b.ID, TakenAt: b.TakenAt, Jobs: b.Jobs, Job: jobs[i].job()}
		if len(standings) > 0 && waits(&m.Job) {
			m.Standing = &standings[0]
		}
		list = append(list, m)
	}
	return list, nil
}

// waits reports whether a job or one of its tasks waits.
func waits(j *model.Job) bool {
	return j.PBS != nil || slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return t.Pending() })
}

// openIfAny opens a block, if there is one.
func (c *codec) openIfAny(b sealedBlock) ([]byte, error) {
	if b.hash == "" {
		return nil, nil
	}
	return c.open(b)
}

// pick reads the elements of an opened block that have the job's number in field. No data is no block.
func (f *jobFollower) pick(data []byte, field string, to any) error {
	if data == nil {
		return nil
	}
	return pickFrom(data, field, int64(f.number), reflect.ValueOf(to).Elem())
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
