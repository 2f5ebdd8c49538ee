package cycle

import (
	"math/bits"
	"slices"
	"strings"
)

// Bits of a job's preempt status.
const (
	normalJob = 1 << iota
	overFairshare
	overQueueLimit
	overServerLimit
	express
	qrunJob
)

// levelNames are the words of preempt_prio.
var levelNames = map[string]int{
	"normal_jobs": normalJob, "fairshare": overFairshare, "queue_softlimits": overQueueLimit,
	"server_softlimits": overServerLimit, "express_queue": express,
}

// A level is an entry of preempt_prio: a combination of bits, and the priority of the jobs that have them.
type level struct {
	bits, priority int
}

// Preempt priorities go down from the highest, that of a job asked for with qrun.
const (
	highestLevel = 100_000
	levelStep    = 1_000
)

// parseLevels reads preempt_prio. Combinations of more bits are looked for first.
func parseLevels(text string) (levels []level, normal int) {
	levels = []level{{qrunJob, highestLevel}}
	priority := highestLevel - levelStep
	for _, entry := range splitValues(text) {
		b, ok := 0, true
		for _, word := range strings.Split(entry, "+") {
			bit, known := levelNames[word]
			b, ok = b|bit, ok && known && b&bit == 0
		}
		if ok {
			levels = append(levels, level{b, priority})
			priority -= levelStep
		}
	}
	slices.SortStableFunc(levels, func(a, b level) int {
		if n := bits.OnesCount(uint(b.bits)) - bits.OnesCount(uint(a.bits)); n != 0 {
			return n
		}
		return b.priority - a.priority
	})
	for _, l := range levels {
		if l.bits == normalJob {
			return levels, l.priority
		}
	}
	return levels, 0
}

// setLevel finds the preempt priority of a job.
func (w *world) setLevel(c *claim) {
	c.level, c.bits = 0, w.statusBits(c)
	for _, l := range w.levels {
		if c.bits&l.bits != l.bits {
			continue
		}
		c.level = l.priority
		if l.bits&express != 0 {
			c.level += c.queue.priority
		}
		break
	}
	if c.level == 0 {
		c.bits, c.level = normalJob, w.normal
	}
}

func (w *world) statusBits(c *claim) (b int) {
	if w.qrun != "" && (c.id == w.qrun || c.arrayID == w.qrun) {
		b |= qrunJob
	}
	if c.queue.priority >= w.sched.PreemptQueuePrio {
		b |= express
	}
	if n := c.entity; n != nil && w.tree.Root.Usage*float64(n.Perc) < n.Usage {
		b |= overFairshare
	}
	if b |= w.overSoft(c); b == 0 {
		return normalJob
	}
	return b
}

// markSoft notes which soft limits the entities of a job are over.
func (w *world) markSoft(c *claim) {
	s := c.subject()
	c.queue.counts.markSoft(&s, &c.queue.limits, w.limited, overQueueLimit)
	w.server.counts.markSoft(&s, &w.server.limits, w.limited, overServerLimit)
}

// overSoft are the soft limits that a job's entities are over.
func (w *world) overSoft(c *claim) int {
	s := c.subject()
	return w.server.counts.overSoft(&s, &w.server.limits, w.limited) | c.queue.counts.overSoft(&s, &c.queue.limits, w.limited)
}

// changeLevels finds the levels anew of all jobs that share soft limits with one that started or ended.
func (w *world) changeLevels(c *claim) {
	if !w.policy.Preemptive || len(w.server.limits.soft) == 0 && len(c.queue.limits.soft) == 0 {
		return
	}
	shared := [kinds]bool{}
	for k := perUser; k <= perProject; k++ {
		shared[k] = c.queue.limits.has[k] || w.server.limits.has[k]
	}
	mine := c.subject().entities
	change := func(o *claim) {
		for k, e := range o.subject().entities {
			if shared[k] && e == mine[k] {
				w.setLevel(o)
				return
			}
		}
	}
	if w.jobs == nil {
		for _, o := range w.running {
			change(o)
		}
		change(c)
	}
	for _, o := range w.jobs {
		change(o)
	}
}
