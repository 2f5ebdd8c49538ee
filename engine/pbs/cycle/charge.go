package cycle

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/resource"
)

// A Charge is what fairshare charges an entity when a cycle begins: the usage of its running jobs since the
// last cycle. No listing shows the numbers that the scheduler saw then, because hosts report usage only from
// time to time. So Likely is an estimate, between Least and Most.
type Charge struct {
	Entity              string
	Least, Likely, Most float64 // in units of fairshare_usage_res
}

// Charges are the charges of the cycle at a moment, by entity; none without fair_share.
func Charges(s *model.Snapshot, at time.Time) []Charge {
	r := newRun(s, Options{At: at})
	if s.PBS == nil {
		return nil
	}
	r.accrue()
	return r.charges
}

// estimateCharges estimates the charges of running jobs, if no earlier cycle is remembered.
func (r *run) estimateCharges(f *formula.Job) {
	w, sums := r.world, map[string]Charge{}
	if r.opts.Memory != nil || !w.Policy.FairShare || f == nil {
		return
	}
	last := r.lastCycle()
	for _, c := range w.Running {
		if c.Entity == nil || c.Starting {
			continue
		}
		u, sum := r.usageOf(c, last), sums[c.Entity.Name]
		value := func(scale usage) float64 { return f.Usage(r.usedBy(c, scale)) }
		sum.Entity = c.Entity.Name
		sum.Least += max(0, value(u.now[0])-value(u.last[2]))
		sum.Likely += max(0, value(u.now[1])-value(u.last[1]))
		sum.Most += max(0, value(u.now[2])-value(u.last[0]))
		sums[c.Entity.Name] = sum
	}
	r.charges = slices.SortedFunc(maps.Values(sums), func(a, b Charge) int { return cmp.Compare(a.Entity, b.Entity) })
}

// chargesByEntity is what each entity is charged: what the options say, else the estimate.
func (r *run) chargesByEntity() map[string]float64 {
	if r.opts.Charged != nil {
		return r.opts.Charged
	}
	owed := map[string]float64{}
	for _, c := range r.charges {
		owed[c.Entity] = c.Likely
	}
	return owed
}

// A lookedAt is when the scheduler looked at the jobs last.
type lastLook struct {
	at    clock.Seconds // never where nothing tells
	known bool          // the log tells; else it was then, or later
}

// lastCycle is that of the newest cycle of the log. Without a log it is the newest start of a job at the
// earliest; and just now where the server calls its scheduler, as it does for each job that comes or ends.
func (r *run) lastCycle() lastLook {
	w := r.world
	last, taken := lastLook{at: clock.Never}, w.Snapshot.TakenAt.Unix()
	for i := range w.PBS.Cycles {
		if at := w.PBS.Cycles[i].Start; at.Unix() <= taken && at.Unix() < w.Now {
			last = lastLook{at.Unix(), true}
		}
	}
	if last.known {
		return last
	}
	for _, c := range w.Running {
		if c.Started != clock.Never && c.Started <= taken && (last.at == clock.Never || c.Started > last.at) {
			last.at = c.Started
		}
	}
	if w.PBS.Server.Scheduling && last.at != clock.Never {
		last.at = taken
	}
	return last
}

// A usage is how much of a job's time counts: seconds of walltime and of cput.
type usage struct{ walltime, cput float64 }

// A grown is what a job had used when the scheduler looked last, and will have used when it looks again:
// the least, the likely, the most.
type usageRange struct{ last, now [3]usage }

// mostPollDelay is how long a host may keep to itself what a job has used ($max_check_poll of pbs_mom).
const mostPollDelay = 120

// reportDelay is the longest delay in seconds between a job's start in the server and on its host. It is
// also the longest delay between a measurement on the host and its arrival in the server.
const reportDelay = 2

// usageOf bounds the usage of a running job at both moments. Processors that a job has can use no more than their time.
func (r *run) usageOf(c *cluster.Claim, last lastLook) (g usageRange) {
	w := r.world
	shown := usage{r.usedOf(c, "walltime"), r.usedOf(c, "cput")}
	cpus := max(1, r.usedOf(c, "ncpus"))
	taken := w.Snapshot.TakenAt.Unix()
	g.now = [3]usage{shown, shown, shown}
	if ran := float64(w.Now - c.Started); c.Started != clock.Never && ran > shown.walltime {
		g.now[2] = usage{ran, shown.cput + cpus*(ran-shown.walltime)}
	}
	back := func(by float64) usage {
		part := max(0, shown.walltime-by)
		return usage{part, max(0, shown.cput-cpus*(shown.walltime-part))}
	}
	since := float64(max(0, taken-last.at))
	likely := max(0, shown.walltime-since)
	g.last = [3]usage{{}, {likely, scaled(shown.cput, likely, shown.walltime)}, shown}
	switch {
	case last.at == clock.Never:
		g.last[1] = shown
	case last.known && c.Started != clock.Never && c.Started >= last.at: // it had not run yet
		g.last = [3]usage{}
	case last.known:
		g.last[0] = back(since + mostPollDelay)
		if c.Started != clock.Never && float64(c.Started)+shown.walltime+reportDelay < float64(last.at) &&
			!r.wasSuspended(c.ID) {
			g.last[1] = shown // the host reported it before the last cycle, which charged it (P46)
		}
	}
	return g
}

// wasSuspended reports whether accounting has a suspension of a job. Its walltime stood still then, so its
// start and its walltime do not tell when the host measured it.
func (r *run) wasSuspended(id string) bool {
	if r.suspended == nil {
		r.suspended = map[string]bool{}
		for i := range r.world.PBS.Accounting {
			if a := &r.world.PBS.Accounting[i]; a.Type == "z" {
				r.suspended[a.ID] = true
			}
		}
	}
	return r.suspended[id]
}

// scaled is a part of an amount, as much of it as the part is of the whole.
func scaled(amount, part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return amount * part / whole
}

// usedOf is how much a job shows to have used of a resource.
func (r *run) usedOf(c *cluster.Claim, name string) float64 {
	if i, known := r.world.Res.Index[name]; known {
		if n := resource.Find(c.Used, i); n != nil {
			return n.Amount
		}
		if n := resource.Find(c.Asked, i); n != nil && name == "ncpus" {
			return n.Amount
		}
	}
	return 0
}

// usedBy is what a job has used with other times; nothing where these are 0, as of a job that shows no usage yet.
func (r *run) usedBy(c *cluster.Claim, u usage) []model.Amount {
	if u == (usage{}) {
		return nil
	}
	res := r.world.Res
	list := append([]model.Amount{{Name: "walltime", Value: u.walltime}, {Name: "cput", Value: u.cput}},
		res.Amounts(c.Used)...)
	if len(c.Used) == 0 {
		list = append(list, res.Amounts(c.Asked)...)
	}
	return list
}
