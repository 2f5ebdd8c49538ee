package cluster

import (
	"math/bits"
	"slices"
	"strings"

	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/resource"
)

// Bits of a job's preempt status.
const (
	NormalJob = 1 << iota
	overFairshare
	overQueueLimit
	overServerLimit
	Express
	qrunJob
)

// LevelNames are the words of preempt_prio.
var LevelNames = map[string]int{
	"normal_jobs": NormalJob, "fairshare": overFairshare, "queue_softlimits": overQueueLimit,
	"server_softlimits": overServerLimit, "express_queue": Express,
}

// A Level is an entry of preempt_prio: a combination of bits, and the priority of jobs with these bits.
type Level struct {
	bits, Priority int
}

// Preempt priorities go down from the highest, that of a job asked for with qrun.
const (
	highestLevel = 100_000
	levelStep    = 1_000
)

// ParseLevels reads preempt_prio. Combinations of more bits are checked first.
func ParseLevels(text string) (levels []Level, normal int) {
	levels = []Level{{qrunJob, highestLevel}}
	priority := highestLevel - levelStep
	for _, entry := range resource.SplitValues(text) {
		b, ok := 0, true
		for _, word := range strings.Split(entry, "+") {
			bit, known := LevelNames[word]
			b, ok = b|bit, ok && known && b&bit == 0
		}
		if ok {
			levels = append(levels, Level{b, priority})
			priority -= levelStep
		}
	}
	slices.SortStableFunc(levels, func(a, b Level) int {
		if n := bits.OnesCount(uint(b.bits)) - bits.OnesCount(uint(a.bits)); n != 0 {
			return n
		}
		return b.Priority - a.Priority
	})
	for _, l := range levels {
		if l.bits == NormalJob {
			return levels, l.Priority
		}
	}
	return levels, 0
}

// SetLevel finds the preempt priority of a job.
func (w *World) SetLevel(c *Claim) {
	c.Level, c.Bits = 0, w.statusBits(c)
	for _, l := range w.Levels {
		if c.Bits&l.bits != l.bits {
			continue
		}
		c.Level = l.Priority
		if l.bits&Express != 0 {
			c.Level += c.Queue.Priority
		}
		break
	}
	if c.Level == 0 {
		c.Bits, c.Level = NormalJob, w.Normal
	}
}

func (w *World) statusBits(c *Claim) (b int) {
	if w.Qrun != "" && (c.ID == w.Qrun || c.ArrayID == w.Qrun) {
		b |= qrunJob
	}
	if c.Queue.Priority >= w.Sched.PreemptQueuePrio {
		b |= Express
	}
	if n := c.Entity; n != nil && w.Tree.Root.Usage*float64(n.Perc) < n.Usage {
		b |= overFairshare
	}
	if b |= w.overSoft(c); b == 0 {
		return NormalJob
	}
	return b
}

// MarkSoft records which soft limits the entities of a job exceed.
func (w *World) MarkSoft(c *Claim) {
	s := c.Subject()
	c.Queue.Counts.MarkSoft(&s, &c.Queue.Limits, w.Limited, overQueueLimit)
	w.Server.Counts.MarkSoft(&s, &w.Server.Limits, w.Limited, overServerLimit)
}

// overSoft are the soft limits that a job's entities are over.
func (w *World) overSoft(c *Claim) int {
	s := c.Subject()
	return w.Server.Counts.OverSoft(&s, &w.Server.Limits, w.Limited) | c.Queue.Counts.OverSoft(
		&s, &c.Queue.Limits, w.Limited)
}

// changeLevels finds the levels anew of all jobs that share soft limits with one that started or ended.
func (w *World) changeLevels(c *Claim) {
	if !w.Policy.Preemptive || len(w.Server.Limits.Soft) == 0 && len(c.Queue.Limits.Soft) == 0 {
		return
	}
	shared := [limit.Kinds]bool{}
	for k := limit.PerUser; k <= limit.PerProject; k++ {
		shared[k] = c.Queue.Limits.Has[k] || w.Server.Limits.Has[k]
	}
	mine := c.Subject().Entities
	change := func(o *Claim) {
		for k, e := range o.Subject().Entities {
			if shared[k] && e == mine[k] {
				w.SetLevel(o)
				return
			}
		}
	}
	if w.Jobs == nil {
		for _, o := range w.Running {
			change(o)
		}
		change(c)
	}
	for _, o := range w.Jobs {
		change(o)
	}
	if w.Jobs != nil {
		w.CountLevels()
	}
}

// CountLevels counts the running jobs by preempt priority: when a cycle begins, and again after each start or end of a
// job for which a soft limit holds (P50).
func (w *World) CountLevels() {
	w.LevelCounts = map[int]int{}
	for _, c := range w.Running {
		if !c.NoPreemption {
			w.LevelCounts[c.Level]++
		}
	}
}
