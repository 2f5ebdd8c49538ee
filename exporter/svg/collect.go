package svg

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// rowsOf makes the rows of a plan. leftOut says what the picture does not show.
func rowsOf(p *model.Plan, now time.Time) (rows []*row, leftOut []string) {
	c := &collector{present: now, now: second(now), places: map[[3]string]*row{}, arrays: arrays(p)}
	for i := range p.Utilization {
		u := &p.Utilization[i]
		c.row(u.Level, u.Object, u.Resource).total = finite(u.Total)
	}
	for _, l := range p.Lines {
		c.book(l)
	}
	for i := range p.Utilization {
		c.rest(&p.Utilization[i])
	}
	rows = slices.DeleteFunc(c.rows, func(r *row) bool { return !r.worthwhile() })
	slices.SortFunc(rows, byPlace)
	rows, leftOut = choose(rows)
	return rows, slices.Concat(c.notes(), leftOut, dropBlocks(rows))
}

// finite returns an amount that can be drawn, or 0.
func finite(v float64) float64 {
	if !(v > 1e-9) || v > 1e18 {
		return 0
	}
	return v
}

// A collector gathers the rows of a plan.
type collector struct {
	present time.Time
	now     int64 // the same in Unix seconds
	rows    []*row
	places  map[[3]string]*row
	arrays  map[uint32]bool
	outside []string // jobs with a reservation at a time that no picture can show
}

func (c *collector) row(level, object, resource string) *row {
	at := [3]string{level, object, resource}
	r := c.places[at]
	if r == nil {
		r = &row{level: level, object: object, resource: resource, now: c.present}
		c.places[at] = r
		c.rows = append(c.rows, r)
	}
	return r
}

// arrays returns the jobs with more than one task in the plan. Their blocks also name the task.
func arrays(p *model.Plan) map[uint32]bool {
	first, many := map[uint32]uint32{}, map[uint32]bool{}
	for _, l := range p.Lines {
		if task, seen := first[l.Job]; seen && task != l.Task || l.Task > 1 {
			many[l.Job] = true
		}
		first[l.Job] = l.Task
	}
	return many
}

// book makes a block from a line.
func (c *collector) book(l model.ScheduleLine) {
	r := c.row(l.Level, l.Object, l.Resource)
	b := block{job: l.Job, task: l.Task, name: name(l, c.arrays[l.Job]), class: class(l), from: second(l.Start),
		to: end(l), amount: l.Amount}
	switch {
	case finite(b.amount) == 0 || b.job == 0 || b.to <= b.from:
		return
	case b.class == "reserving" && (b.from < c.now-day || b.from > c.now+farthest):
		c.outside = append(c.outside, fmt.Sprintf("job %s is reserved for %s", b.name,
			l.Start.In(c.present.Location()).Format(time.DateTime)))
		return
	}
	r.blocks = append(r.blocks, b)
}

func name(l model.ScheduleLine, array bool) string {
	if array {
		return fmt.Sprintf("%d.%d", l.Job, l.Task)
	}
	return strconv.FormatUint(uint64(l.Job), 10)
}

func class(l model.ScheduleLine) string {
	switch l.State {
	case starting, reserving, suspended, Predicted:
		return strings.ToLower(l.State)
	}
	return "running"
}

// farthest is how far ahead a picture can show a reservation. Reservations behind a job without end are at the
// end of time.
const farthest = 20 * 365 * day

// second returns a moment as Unix time, within a few centuries.
func second(t time.Time) int64 { return min(max(t.Unix(), -1<<33), 1<<33) }

// end returns the second in which a booking ends. The last second of a 32-bit time means for ever.
func end(l model.ScheduleLine) int64 {
	to := second(l.Start) + int64(l.Duration/time.Second)
	if l.Duration == model.Forever || to >= math.MaxUint32 {
		return endless
	}
	return to
}

// rest adds bookings of a utilization that no line has: closed calendars, advance reservations.
func (c *collector) rest(u *model.Utilization) {
	r := c.row(u.Level, u.Object, u.Resource)
	booked := sums(r.blocks)
	for i, s := range u.Steps {
		from, to := second(s.At), int64(endless)
		if i+1 < len(u.Steps) {
			to = second(u.Steps[i+1].At)
		}
		for from < to && to > c.now {
			used, until := booked.at(from)
			until = min(until, to)
			if more := finite(s.Amount - used); more > 1e-6*s.Amount && until > from {
				r.add(block{class: "other", from: from, to: until, amount: more})
			}
			from = until
		}
	}
}

// add adds a block. If the last block continues, add makes it longer.
func (r *row) add(b block) {
	if n := len(r.blocks); n > 0 {
		if last := &r.blocks[n-1]; last.class == b.class && last.to == b.from && last.amount == b.amount {
			last.to = b.to
			return
		}
	}
	r.blocks = append(r.blocks, b)
}

// notes says which reservations no picture can show.
func (c *collector) notes() []string { return enumerate("Not shown: ", slices.Compact(c.outside)) }

// beyond says which reservations begin after the period of the picture.
func beyond(a axis, rows []*row) []string {
	late := map[string]int64{}
	for _, r := range rows {
		for i := range r.blocks {
			if b := &r.blocks[i]; b.class == "reserving" && b.from > a.to {
				late[b.name] = b.from
			}
		}
	}
	var list []string
	for _, name := range slices.SortedFunc(maps.Keys(late),
		func(x, y string) int { return cmp.Or(cmp.Compare(late[x], late[y]), model.CompareNames(x, y)) }) {
		list = append(list, fmt.Sprintf("job %s for %s", name, time.Unix(late[name], 0).In(a.zone).Format(time.DateTime)))
	}
	return enumerate("Reserved after the end of the picture: ", list)
}

// enumerate prints the first elements of a list, and the number of the others. It is empty for an empty list.
func enumerate(what string, list []string) []string {
	const named = 4
	switch {
	case len(list) == 0:
		return nil
	case len(list) > named:
		return []string{fmt.Sprintf("%s%s and %d more.", what, strings.Join(list[:named], ", "), len(list)-named)}
	}
	return []string{what + strings.Join(list, ", ") + "."}
}
