package view

import (
	"context"
	"time"

	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/delay"
	"qprism/engine/history"
	"qprism/engine/model"
)

// A load is how full the cluster is: what "timeline" prints of this moment, and the work that "why" prints
// of the last job.
type load struct {
	Slots   *int64      `json:"slots"` // of all queue instances; of PBS: CPUs of vnodes
	Used    *int64      `json:"used"`
	Waiting []loadCause `json:"waiting"`
	Last    *string     `json:"last"`    // the last job in dispatch order that waits for its turn; empty for none, null if unknown
	Backlog *delay.Work `json:"backlog"` // the work before that job; null if nothing waits or the bundle does not say
	Unit    string      `json:"unit"`    // of the work: slot-hours, of PBS processor-hours
}

// A loadCause is how many jobs and tasks wait for one cause.
type loadCause struct {
	Cause string `json:"cause"`
	Jobs  int64  `json:"jobs"`
	Tasks int64  `json:"tasks"`
}

// load says how full the cluster is.
func (s *Site) load(ctx context.Context, a *Answers, _ *Cluster, m *Moment) (*packed, error) {
	return a.about(ctx, m, "load", func(about *subject.Subject) ([]byte, error) {
		return show.Marshal(loadOf(a, about))
	})
}

func loadOf(a *Answers, s *subject.Subject) *load {
	found := past.Analyze(s.Snapshot).Load
	l := &load{Waiting: []loadCause{}, Unit: s.Batch.Words().Work}
	if found.Slots > 0 {
		l.Slots, l.Used = &found.Slots, &found.Used
	}
	for _, w := range found.Waiting {
		l.Waiting = append(l.Waiting, loadCause{string(w.Cause), w.Jobs, w.Tasks})
	}
	l.addBacklog(a, s)
	return l
}

// addBacklog adds the work before the last job that waits in turn. Held jobs do not count.
func (l *load) addBacklog(a *Answers, s *subject.Subject) {
	p, err := a.nextRun(s)
	if err != nil {
		return
	}
	l.Last = new("")
	jobs := s.JobsByNumber()
	for i := len(p.Decisions) - 1; i >= 0; i-- {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || d.Verdict == model.Now || !delay.TriedInTurn(d.Why) {
			continue
		}
		l.Last, l.Backlog = new(subject.JobText(d)), s.Batch.Delay(p, j, 0).Ahead
		return
	}
}

// A busyHosts is how full the hosts were in the 30 days before a moment, by the snapshots of the store.
type busyHosts struct {
	Times   []time.Time `json:"times"`   // of the last snapshot of each interval; intervals have about equally many
	Samples int         `json:"samples"` // snapshots that were read: all, or many that are evenly chosen
	Rows    []busyRow   `json:"rows"`    // by name
}

// A busyRow is a host, or several with names that follow each other.
type busyRow struct {
	First string     `json:"first"`
	Last  string     `json:"last"`
	Hosts int        `json:"hosts"`
	Mean  *float64   `json:"mean"` // the part of their slots in use, the mean of all samples; null where none has them
	Used  []*float64 `json:"used"` // the same of each interval
}

// Limits of what the page shows.
const (
	mostBusySamples = 1500 // reading more takes seconds
	mostBusyCells   = 60
	mostBusyRows    = 40
)

// busy says how full the hosts were.
func (s *Site) busy(ctx context.Context, a *Answers, c *Cluster, m *Moment) (*packed, error) {
	return a.of(ctx, "busy", func() ([]byte, error) {
		b, err := s.busyOver(ctx, chosenMoments(c, m))
		if err != nil {
			return nil, err
		}
		return show.Marshal(b)
	})
}

// chosenMoments are stored moments of the 30 days before one, evenly chosen; the last one is that moment.
func chosenMoments(c *Cluster, m *Moment) (chosen []Moment) {
	var all []Moment
	for _, o := range c.Moments {
		if o.snapshot != 0 && !o.TakenAt.After(m.TakenAt) && o.TakenAt.After(m.TakenAt.AddDate(0, 0, -30)) {
			all = append(all, o)
		}
	}
	n := min(len(all), mostBusySamples)
	for i := range n {
		chosen = append(chosen, all[(i+1)*len(all)/n-1])
	}
	return chosen
}

func (s *Site) busyOver(ctx context.Context, moments []Moment) (*busyHosts, error) {
	b := &busyHosts{Times: []time.Time{}, Samples: len(moments), Rows: []busyRow{}}
	if len(moments) == 0 {
		return b, nil
	}
	store, err := subject.OpenStore(s.deps)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	uses := make([]map[string]history.HostUse, len(moments))
	var hosts []history.HostUse // of the last moment
	for i, m := range moments {
		snap, err := store.HostsOf(ctx, m.snapshot)
		if err != nil {
			return nil, err
		}
		hosts, uses[i] = history.UseByHost(snap), map[string]history.HostUse{}
		for _, u := range hosts {
			uses[i][u.Host] = u
		}
	}
	cells := min(len(moments), mostBusyCells)
	for i := range cells {
		b.Times = append(b.Times, moments[(i+1)*len(moments)/cells-1].TakenAt)
	}
	rows := min(len(hosts), mostBusyRows)
	for i := range rows {
		b.Rows = append(b.Rows, rowOf(hosts[i*len(hosts)/rows:(i+1)*len(hosts)/rows], uses, cells))
	}
	return b, nil
}

// rowOf adds up some hosts in each sample, and takes the means of intervals and of all.
func rowOf(hosts []history.HostUse, uses []map[string]history.HostUse, cells int) busyRow {
	parts := make([]*float64, len(uses))
	for i, use := range uses {
		parts[i] = partOf(hosts, use)
	}
	row := busyRow{First: hosts[0].Host, Last: hosts[len(hosts)-1].Host, Hosts: len(hosts), Mean: meanOf(parts)}
	for i := range cells {
		row.Used = append(row.Used, meanOf(parts[i*len(parts)/cells:(i+1)*len(parts)/cells]))
	}
	return row
}

// partOf returns the part of some hosts' slots that is in use. It is nil if unknown.
func partOf(hosts []history.HostUse, use map[string]history.HostUse) *float64 {
	slots, used := int64(0), int64(0)
	for _, h := range hosts {
		slots += use[h.Host].Slots
		used += use[h.Host].Used
	}
	if slots == 0 {
		return nil
	}
	return new(float64(used) / float64(slots))
}

// meanOf is the mean of those that are known.
func meanOf(parts []*float64) *float64 {
	sum, n := 0.0, 0
	for _, p := range parts {
		if p != nil {
			sum, n = sum+*p, n+1
		}
	}
	if n == 0 {
		return nil
	}
	return new(sum / float64(n))
}
