package view

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
)

// bookings are what uses the slots of which place when: what "plan" and "forecast" say, in few bytes.
type bookings struct {
	From   time.Time    `json:"from"`
	Unit   string       `json:"unit"` // slots, of PBS ncpus
	Groups []placeGroup `json:"groups"`
	Places []place      `json:"places"`
	Jobs   [][3]string  `json:"jobs"`   // id, owner, and why it waits
	Blocks [][]any      `json:"blocks"` // place, job, task, kind, start and end in seconds from From, amount; no end is null

	indexOf map[string]int // of a place
	jobOf   map[string]int // of an id
	why     map[string]string
}

// A placeGroup is a host group, or places of one queue that are equally large.
type placeGroup struct {
	Name   string `json:"name"`
	Places []int  `json:"places"`
}

// A place is a queue instance, of PBS a vnode.
type place struct {
	Name  string  `json:"name"`
	Total float64 `json:"total"` // null where it is not known
}

// kinds of blocks by the words of a plan.
var kinds = map[string]string{"STARTING": "starting", "RESERVING": "reserved", "SUSPENDED": "suspended"}

// plannedBookings has the fields of a plan in JSON that the bookings need.
type plannedBookings struct {
	RunAt     time.Time `json:"run_at"`
	Decisions []struct {
		Job any
		Why []struct{ Text string }
	}
	Gantt []struct {
		Level, Object, Resource string
		Total                   *float64
		Intervals               []struct {
			Job, Task  uint32
			State      string
			Start, End time.Time
			Amount     float64
		}
	}
}

// predictedBookings has the fields of a forecast in JSON that the bookings need.
type predictedBookings struct {
	Starts []struct {
		Job        any
		Task       uint32
		Start, End time.Time
		Slots      []struct {
			Queue, Vnode string
			Slots        float64
		}
	}
}

// bookedAs answers one of two questions. booked shows bookings of the next run. likely shows running jobs and
// the starts of a forecast.
func bookedAs(question string) func(*Site, context.Context, *Answers, *Cluster, *Moment) (*packed, error) {
	return func(_ *Site, ctx context.Context, a *Answers, _ *Cluster, m *Moment) (*packed, error) {
		return a.bookings(ctx, m, question)
	}
}

// bookings answers one of these two questions from the answers of commands.
func (a *Answers) bookings(ctx context.Context, m *Moment, question string) (*packed, error) {
	if p := a.known(question); p != nil { // the answers of commands are long: they are not read again
		return p, nil
	}
	var planned plannedBookings
	var predicted predictedBookings
	err := a.decode(ctx, &planned, "plan")
	if err == nil && question == "likely" {
		err = a.decode(ctx, &predicted, "forecast")
	}
	if err != nil {
		return nil, err
	}
	return a.about(ctx, m, question, func(about *subject.Subject) ([]byte, error) {
		b := newBookings(about, &planned)
		b.addPlan(about, &planned, question == "likely")
		b.addForecast(about, &predicted)
		b.group(about.Snapshot)
		return show.Marshal(b)
	})
}

// decode reads the JSON output of a command about the moment.
func (a *Answers) decode(ctx context.Context, to any, command string) error {
	p, err := a.command(ctx, "json", command)
	if err != nil {
		return err
	}
	return json.NewDecoder(p.open()).Decode(to)
}

func newBookings(s *subject.Subject, p *plannedBookings) *bookings {
	why := map[string]string{}
	for i := range p.Decisions {
		if d := &p.Decisions[i]; len(d.Why) > 0 {
			why[idOf(d.Job)] = d.Why[0].Text
		}
	}
	return &bookings{From: p.RunAt, why: why, Unit: s.Batch.Words().Resource, Groups: []placeGroup{}, Places: []place{},
		Jobs: [][3]string{}, Blocks: [][]any{}, indexOf: map[string]int{}, jobOf: map[string]int{}}
}

// addPlan adds the bookings of a plan, except its starts if there is a forecast.
func (b *bookings) addPlan(s *subject.Subject, p *plannedBookings, onlyRunning bool) {
	w, jobs := s.Batch.Words(), s.JobsByNumber()
	for _, r := range p.Gantt {
		if r.Level != w.Level || r.Resource != w.Resource {
			continue
		}
		at := b.place(r.Object)
		if r.Total != nil {
			b.Places[at].Total = *r.Total
		}
		for _, i := range r.Intervals {
			kind := cmp.Or(kinds[i.State], "running")
			if j := jobs[i.Job]; j != nil && (!onlyRunning || kind == "running" || kind == "suspended") {
				b.add(at, j.KnownAs(), j.Owner, i.Task, kind, i.Start, i.End, i.Amount)
			}
		}
	}
}

func (b *bookings) addForecast(s *subject.Subject, f *predictedBookings) {
	owners := map[string]string{}
	for i := range s.Jobs {
		owners[s.Jobs[i].KnownAs()] = s.Jobs[i].Owner
	}
	for _, start := range f.Starts {
		id := idOf(start.Job)
		for _, slots := range start.Slots {
			b.add(b.place(cmp.Or(slots.Queue, slots.Vnode)), id, owners[id], start.Task, "predicted",
				start.Start, start.End, slots.Slots)
		}
	}
}

// idOf is a job as JSON has it, a number or an id of PBS.
func idOf(job any) string {
	if n, number := job.(float64); number {
		return show.Number32(uint32(n))
	}
	return fmt.Sprint(job)
}

// place is the index of a place.
func (b *bookings) place(name string) int {
	at, known := b.indexOf[name]
	if !known {
		at = len(b.Places)
		b.indexOf[name], b.Places = at, append(b.Places, place{Name: name})
	}
	return at
}

func (b *bookings) add(at int, id, owner string, task uint32, kind string, start, end time.Time, amount float64) {
	job, known := b.jobOf[id]
	if !known {
		job = len(b.Jobs)
		b.jobOf[id], b.Jobs = job, append(b.Jobs, [3]string{id, owner, b.why[id]})
	}
	var until any
	if !end.IsZero() {
		until = int64(end.Sub(b.From).Seconds())
	}
	b.Blocks = append(b.Blocks, []any{at, job, task, kind, int64(start.Sub(b.From).Seconds()), until, amount})
}

// group puts places into groups: the smallest host group with several hosts but not all; otherwise by queue and
// size.
func (b *bookings) group(s *model.Snapshot) {
	groupOf, all := hostGroupOf(s), map[string][]int{}
	for i := range b.Places {
		p := &b.Places[i]
		queue, host, instance := strings.Cut(p.Name, "@")
		if !instance {
			queue, host = "", p.Name
		}
		name := groupOf[host]
		if name == "" {
			name = strings.TrimSpace(fmt.Sprintf("%s %s × %g", queue, b.Unit, p.Total))
		} else if queue != "" {
			name = queue + name
		}
		all[name] = append(all[name], i)
	}
	if len(all) == 1 {
		all = b.byUse()
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Groups = append(b.Groups, placeGroup{name, all[name]})
	}
}

// byUse are groups of places that are used alike now.
func (b *bookings) byUse() map[string][]int {
	used, groups := make([]float64, len(b.Places)), map[string][]int{}
	for _, block := range b.Blocks {
		if until, ends := block[5].(int64); block[4].(int64) <= 0 && (!ends || until > 0) {
			used[block[0].(int)] += block[6].(float64)
		}
	}
	for i := range b.Places {
		name := "partly in use now"
		switch {
		case used[i] == 0:
			name = "free now"
		case used[i] >= b.Places[i].Total:
			name = "full now"
		}
		groups[name] = append(groups[name], i)
	}
	return groups
}

// hostGroupOf is the smallest host group of each host that has several hosts but not all of them.
func hostGroupOf(s *model.Snapshot) map[string]string {
	members, of := map[string][]string{}, map[string]string{}
	for _, g := range s.HostGroups {
		members[g.Name] = g.Members
	}
	size := map[string]int{}
	for _, g := range s.HostGroups {
		hosts := hostsOf(members, g.Name, map[string]bool{})
		if size[g.Name] = len(hosts); len(hosts) < 2 || len(hosts) >= len(s.Hosts) {
			continue
		}
		for host := range hosts {
			if of[host] == "" || size[g.Name] < size[of[host]] {
				of[host] = g.Name
			}
		}
	}
	return of
}

// hostsOf are the hosts of a host group and of the groups in it.
func hostsOf(members map[string][]string, group string, seen map[string]bool) map[string]bool {
	hosts := map[string]bool{}
	if seen[group] {
		return hosts
	}
	seen[group] = true
	for _, name := range members[group] {
		if !strings.HasPrefix(name, "@") {
			hosts[name] = true
			continue
		}
		for host := range hostsOf(members, name, seen) {
			hosts[host] = true
		}
	}
	return hosts
}
