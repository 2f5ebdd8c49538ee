package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// kinds are the recorded jobs: user, project and requests. The first kind stands for the jobs of the user with
// the most usage in the pattern, and so on.
var kinds = []struct{ name, user, project, asks string }{
	{"more2", "userc", "project3", ""},
	{"placerout1", "userb", "project2", "license1=2,mem_free=2048M,"},
	{"plain", "userb", "project1", ""},
	{"simulA1", "usera", "project1", "license1=1,"},
	{"more", "userc", "project2", "license1=1,mem_free=3G,"},
	{"syn", "userc", "project3", "license2=1,"},
	{"syn2", "usera", "project4", "license2=1,mem_free=1G,"},
}

// The cluster has 32 slots, and the pattern has 240 processors. This is the number of processors for one slot.
const (
	processorsPerSlot = 6
	slotsPerHost      = 8
)

// A newJob is a job that a user submits in the month.
type newJob struct {
	kind  int
	at    time.Time
	slots int
	runs  time.Duration
	asked time.Duration
}

// jobsOfMonth are the jobs of the month, in the order in which they come.
func jobsOfMonth(p *pattern) (list []newJob) {
	r := rand.New(rand.NewPCG(1, 9))
	for kind := range kinds {
		h := &p.users[kind]
		for hour := begin; hour.Before(begin.Add(length)); hour = hour.Add(time.Hour) {
			for wait := r.ExpFloat64(); wait < h.sessions*p.share(hour); wait += r.ExpFloat64() {
				list = append(list, session(h, kind, hour.Add(time.Duration(r.IntN(3600))*time.Second), r)...)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b newJob) int { return a.at.Compare(b.at) })
	return list
}

// session are the jobs of a session that begins at a moment.
func session(h *userPattern, kind int, at time.Time, r *rand.Rand) (list []newJob) {
	for range int(math.Round(h.jobs.draw(r))) {
		runs := math.Ceil(h.seconds.draw(r))
		asked := math.Ceil(max(h.asked.draw(r), runs)/60) * 60
		list = append(list, newJob{kind: kind, at: at,
			slots: min(int(math.Ceil(h.processors.draw(r)/processorsPerSlot)), slotsPerHost),
			runs:  time.Duration(runs) * time.Second, asked: time.Duration(asked) * time.Second})
		at = at.Add(time.Duration(h.gaps.draw(r)) * time.Second)
	}
	return list
}

// line is the job as a lab has it.
func (c *newJob) line() string {
	k := &kinds[c.kind]
	pe := ""
	if c.slots > 1 {
		pe = fmt.Sprintf("-pe smp %d ", c.slots)
	}
	return fmt.Sprintf("%s %s: qsub -N %s -P %s %s-l %sh_rt=%d job.sh", clock(c.at), k.user, k.name, k.project, pe, k.asks,
		int(c.asked.Seconds()))
}

// clock is a time as labs have it, from the day on which the month begins.
func clock(t time.Time) string {
	d := t.Sub(begin.Truncate(24 * time.Hour))
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

// cluster is the recorded cluster with more hosts, slots and licences, as lines of a lab. Its runs were
// called by hand, once in two hours: here the scheduler has the interval that it has after an installation.
func cluster() string {
	var b strings.Builder
	fmt.Fprintf(&b, "day %s\nhosts node03 node04\nhost global "+
		"complex_values=license1=32,license2=8\nqueue all.q slots=%d\nset schedule_interval 0:0:15\n",
		begin.Format(time.DateOnly), slotsPerHost)
	for i, memory := range []string{"32G", "16G", "32G", "16G"} {
		fmt.Fprintf(&b, "host node%02d complex_values=mem_free=%s\n", i+1, memory)
	}
	return b.String()
}
