package sqlite

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"qprism/engine/model"
)

// A noun is a long slice of a snapshot. It is stored in parts, each in its own block, so that a change costs
// only one part.
type noun struct {
	name  string
	slice reflect.Value     // can be set
	key   func(i int) int64 // key of an element; nil for its index. Elements with one key share a part
}

// nounsOf lists the long slices of a snapshot except its jobs. Everything else is one block.
func nounsOf(s *model.Snapshot) []noun {
	list := func(name string, slice any) noun { return noun{name: name, slice: reflect.ValueOf(slice).Elem()} }
	all := []noun{
		list("host", &s.Hosts),
		list("queue_instance", &s.Instances),
		list("user", &s.Users),
		list("share_report", &s.ShareReport),
		inTime("run", &s.Runs, startOfRun),
		inTime("trace", &s.Trace, func(t *model.TraceLine) time.Time { return t.At }),
		inTime("ended_task", &s.Ended, func(e *model.EndedTask) time.Time { return e.Ended }),
	}
	if s.PBS != nil {
		all = append(all, inTime("pbs_cycle", &s.PBS.Cycles, func(c *model.SchedCycle) time.Time { return c.Start }),
			inTime("pbs_accounting", &s.PBS.Accounting, func(r *model.AccountingRecord) time.Time { return r.At }))
	}
	return all
}

// inTime makes a noun whose new elements come at one end, and whose old elements leave at the other end.
func inTime[T any](name string, slice *[]T, at func(*T) time.Time) noun {
	return noun{name, reflect.ValueOf(slice).Elem(), func(i int) int64 { return at(&(*slice)[i]).UnixMicro() }}
}

func startOfRun(r *model.RunRecord) (start time.Time) {
	for _, l := range r.Lines {
		if l.Start.After(start) {
			start = l.Start
		}
	}
	return start
}

// splitSnapshot takes the jobs and the nouns out of a snapshot. rest is a copy without them.
func splitSnapshot(s *model.Snapshot) (nouns []noun, rest *model.Snapshot) {
	whole, without := *s, *s
	if s.PBS != nil {
		pbs, rest := *s.PBS, *s.PBS
		whole.PBS, without.PBS = &pbs, &rest
	}
	jobs := storedJobs(s.Jobs)
	nouns = append(nounsOf(&whole), nounOfJobs(&jobs))
	without.Jobs = nil
	for _, n := range nounsOf(&without) {
		n.slice.SetZero()
	}
	return nouns, &without
}

// A storedJob is a job and its place in the master's order. Stored jobs are sorted by number.
type storedJob struct {
	Number uint32
	Place  int
	Job    model.Job // without its number
}

const jobNoun = "job"

func nounOfJobs(all *[]storedJob) noun {
	return noun{jobNoun, reflect.ValueOf(all).Elem(), func(i int) int64 { return int64((*all)[i].Number) }}
}

// storedJobs sorts jobs by number. Jobs with the same number are sorted by place.
func storedJobs(jobs []model.Job) []storedJob {
	all := make([]storedJob, len(jobs))
	for i, j := range jobs {
		all[i] = storedJob{Number: j.Number, Place: i, Job: j}
		all[i].Job.Number = 0
	}
	slices.SortFunc(all, func(a, b storedJob) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Place, b.Place))
	})
	return all
}

// job returns the original job.
func (s *storedJob) job() model.Job {
	j := s.Job
	j.Number = s.Number
	return j
}

// The length of parts, in elements. Small parts make a change cheap, large parts compress well. Keys decide
// where a part ends. So elements that come or go change only their own part.
const (
	partLength = 128      // the average
	partWeight = 16 << 10 // the most values in nested slices of one part
)

// partEnd returns the end of the part that begins at start.
func (n noun) partEnd(start int) int {
	weight := weightOf(n.slice.Index(start))
	for i := start + 1; i < n.slice.Len(); i++ {
		key := n.keyOf(i)
		if key != n.keyOf(i-1) && (weight >= partWeight || mixBits(uint64(key))%partLength == 0) {
			return i
		}
		weight += weightOf(n.slice.Index(i))
	}
	return n.slice.Len()
}

func (n noun) keyOf(i int) int64 {
	if n.key == nil {
		return int64(i)
	}
	return n.key(i)
}

// weightOf counts the elements in the slices of a struct.
func weightOf(v reflect.Value) int {
	weight := 1
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			weight += f.Len()
		}
	}
	return weight
}

// mixBits spreads the bits of a small number over 64 (splitmix64).
func mixBits(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
