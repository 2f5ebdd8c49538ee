package view

import (
	"context"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/history"
)

// A busyHosts is how full the hosts were in the 30 days before a moment, by the snapshots of the store.
type busyHosts struct {
	Times []time.Time `json:"times"` // of the snapshots, evenly chosen
	Rows  []busyRow   `json:"rows"`  // by name
}

// A busyRow is a host, or several with names that follow each other.
type busyRow struct {
	First string     `json:"first"`
	Last  string     `json:"last"`
	Hosts int        `json:"hosts"`
	Used  []*float64 `json:"used"` // the part of their slots in use at each time; null where a snapshot has none of them
}

// Bounds of what is shown.
const (
	mostBusyTimes = 60
	mostBusyRows  = 40
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
	n := min(len(all), mostBusyTimes)
	for i := range n {
		chosen = append(chosen, all[(i+1)*len(all)/n-1])
	}
	return chosen
}

// busyOver reads the hosts of each moment.
func (s *Site) busyOver(ctx context.Context, moments []Moment) (*busyHosts, error) {
	b := &busyHosts{Times: []time.Time{}, Rows: []busyRow{}}
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
		b.Times = append(b.Times, m.TakenAt)
	}
	rows := min(len(hosts), mostBusyRows)
	for i := range rows {
		b.Rows = append(b.Rows, rowOf(hosts[i*len(hosts)/rows:(i+1)*len(hosts)/rows], uses))
	}
	return b, nil
}

// rowOf adds up some hosts at each time.
func rowOf(hosts []history.HostUse, uses []map[string]history.HostUse) busyRow {
	row := busyRow{First: hosts[0].Host, Last: hosts[len(hosts)-1].Host, Hosts: len(hosts), Used: make([]*float64, len(uses))}
	for i, use := range uses {
		slots, used := int64(0), int64(0)
		for _, h := range hosts {
			slots += use[h.Host].Slots
			used += use[h.Host].Used
		}
		if slots > 0 {
			part := float64(used) / float64(slots)
			row.Used[i] = &part
		}
	}
	return row
}
