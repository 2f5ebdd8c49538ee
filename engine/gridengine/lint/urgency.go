package lint

import (
	"fmt"
	"math"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// slotUrgency is the urgency of one slot.
func (l *linter) slotUrgency() float64 {
	for _, r := range l.urgent() {
		if r.Name == "slots" {
			return r.urgency
		}
	}
	return 0
}

const (
	slowSlot   = 24 * time.Hour // in which waiting should make up for a slot
	wantSlots  = 4              // what the remedy makes waiting worth
	wantWithin = 4 * time.Hour
)

// waitingTooSlow finds a waiting time that is to keep small jobs from starving, and takes days to make up for a slot.
func waitingTooSlow(l *linter) []lint.Trap {
	w, slot := l.policy.WeightWaitingTime, l.slotUrgency()
	if w <= 0 || slot <= 0 || l.policy.WeightUrgency <= 0 || lint.Seconds(slot/w) <= slowSlot {
		return nil
	}
	second := wantWithin.Seconds() / wantSlots
	low, fast := lint.Rounded(w*second), lint.Rounded(slot/second)
	return []lint.Trap{{
		Name: "waiting-too-slow",
		What: fmt.Sprintf("waiting time has little effect compared with slots. A wait of %s counts as much as "+
			"one slot, and a wait of %s as much as %d slots (weight_waiting_time %s, urgency of slots %s)",
			lastingSeconds(slot/w), lastingSeconds(wantSlots*slot/w), wantSlots, lint.Number(w), lint.Number(slot)),
		Place: l.Sched("weight_waiting_time"),
		Effect: fmt.Sprintf("%s. Perhaps you want a wait of %s to count as much as %d slots. Then set the urgency "+
			"of slots to %s, or weight_waiting_time to %s. Waiting time also grows while a job is held. So a chain of "+
			"jobs (-hold_jid) that you submit together stays before jobs submitted later", l.behind(), lint.Lasting(wantWithin), wantSlots,
			low, fast),
		Fix: []string{setUrgency("slots", low), setSched("weight_waiting_time", fast)},
	}}
}

// behind says how long the job of least resource urgency has to wait until it passes the one of most.
func (l *linter) behind() string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, j := range l.waiting() {
		least, most = min(least, j.Urgency.Resource), max(most, j.Urgency.Resource)
	}
	if most-least < urgency.Epsilon || len(l.waiting()) == 0 {
		return "all waiting jobs have the same resource urgency now"
	}
	return fmt.Sprintf("after %s of waiting, a job with resource urgency %s passes new jobs with resource urgency %s",
		lastingSeconds((most-least)/l.policy.WeightWaitingTime), lint.Rounded(least), lint.Rounded(most))
}

// runningStretchUrgency finds a scale that the waiting time of long-running jobs stretches until it cannot
// tell waiting jobs apart.
func runningStretchUrgency(l *linter) []lint.Trap {
	total := func(j *priority.Job) float64 { return j.Urgency.Total }
	longest := most(l.waiting(), func(j *priority.Job) float64 { return j.Urgency.Waiting })
	scale := l.view.Result.Urgency
	spread, whole := spreadOf(l.waiting(), total), scale.Hi-scale.Lo
	// had nothing that runs been there for longer than what waits
	asLong := spreadOf(l.all, func(j *priority.Job) float64 {
		return j.Urgency.Total - max(0, j.Urgency.Waiting-longest)
	})
	if l.policy.WeightWaitingTime <= 0 || l.policy.WeightUrgency == 0 ||
		!(spread > urgency.Epsilon && whole >= 10*spread && asLong <= whole/2) {
		return nil
	}
	return []lint.Trap{{
		Name: "running-jobs-stretch-urgency",
		What: "running jobs are part of the urgency scale and their waiting time keeps growing, so the " +
			"waiting jobs get nearly equal values",
		Place: l.Sched("weight_waiting_time"),
		Effect: fmt.Sprintf("the urgencies of all jobs differ by up to %s, those of waiting jobs only by up to %s. "+
			"Between waiting jobs, weight_urgency %s has the effect of %s", lint.Rounded(whole), lint.Rounded(spread),
			lint.Number(l.policy.WeightUrgency), lint.Rounded(l.policy.WeightUrgency*spread/whole)),
		Fix: []string{setSched("weight_waiting_time", "0"),
			setSched("weight_urgency", lint.Rounded(l.policy.WeightUrgency*whole/spread))},
	}}
}

// spreadOf is the difference between the greatest and the smallest value of jobs; 0 without jobs.
func spreadOf(jobs []*priority.Job, value func(*priority.Job) float64) float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for _, j := range jobs {
		least, most = min(least, value(j)), max(most, value(j))
	}
	return max(0, most-least)
}

// urgencyNeverPositive finds negative urgencies without positive ones (quirk Q6).
func urgencyNeverPositive(l *linter) []lint.Trap {
	scale := l.view.Result.Urgency
	if !l.Quirks.UrgencyMaximumPositive || l.policy.WeightUrgency == 0 ||
		!(scale.Hi < urgency.Epsilon && scale.Lo < -urgency.Epsilon) {
		return nil
	}
	best, top := math.Inf(-1), math.Inf(-1)
	for _, j := range l.all {
		best, top = max(best, j.Urgency.Norm), max(top, j.Urgency.Total)
	}
	if top > -urgency.Epsilon {
		return nil
	}
	place := l.Sched("weight_waiting_time")
	for _, r := range l.urgent() {
		if r.urgency < 0 {
			place = l.First("complex.txt", r.Name)
			break
		}
	}
	return []lint.Trap{{
		Name:  "urgency-never-positive",
		What:  "every job's urgency is below 0, but the scale still ends at 0: the most urgent job does not get nurg 1",
		Place: place,
		Effect: fmt.Sprintf("the lowest urgency is %s, and the most urgent of %s has nurg %s",
			lint.Rounded(scale.Lo), lint.Many(len(l.all), "job"), lint.Rounded(best)),
		Fix: []string{setUrgency("slots", "1000")},
	}}
}

// jobResourceTimesSlots finds resources that are consumed once a job, and whose urgency counts once a slot (quirk Q9).
func jobResourceTimesSlots(l *linter) (traps []lint.Trap) {
	if !l.Quirks.JobConsumableTimesN || l.policy.WeightUrgency == 0 {
		return nil
	}
	for _, r := range l.urgent() {
		if r.Consumable != model.ConsumeJob || !r.Type.Numeric() {
			continue
		}
		wide := those(l.waiting(), func(j *priority.Job) bool {
			return lint.Asks(j.Job, r.Name) && urgency.RequestedSlots(j.Job, l.PEs) > 1
		})
		effect := fmt.Sprintf("no waiting parallel job requests %s", r.Name)
		if len(wide) > 0 {
			n := urgency.RequestedSlots(wide[0].Job, l.PEs)
			effect = fmt.Sprintf("%s it: %s. The urgency of job %d counts it %d times",
				lint.Many(len(wide), "waiting parallel job")+" "+lint.Verb(len(wide), "requests", "request"),
				numbers(wide), wide[0].Job.Number, n)
		}
		traps = append(traps, lint.Trap{
			Name:   "job-resource-times-slots",
			What:   fmt.Sprintf("a job consumes %s once, but its urgency %s counts once per slot", r.Name, r.Urgency),
			Place:  l.First("complex.txt", r.Name),
			Effect: effect,
			Fix:    []string{setUrgency(r.Name, "0")},
		})
	}
	return traps
}

// memoryOutweighs finds urgencies of memory: they count for each byte.
func memoryOutweighs(l *linter) (traps []lint.Trap) {
	others := 1.0
	for _, r := range l.urgent() {
		if r.Type != model.TypeMemory {
			others = max(others, math.Abs(r.urgency))
		}
	}
	for _, r := range l.urgent() {
		u := r.urgency
		if r.Type != model.TypeMemory || math.Abs(u)*gigabyte < 1000*others || l.policy.WeightUrgency == 0 {
			continue
		}
		asked := those(l.waiting(), func(j *priority.Job) bool { return lint.Asks(j.Job, r.Name) })
		effect := "no waiting job requests it now"
		if len(asked) > 0 {
			part := u * amount(asked[0].Job, r.Name) * float64(urgency.RequestedSlots(asked[0].Job, l.PEs))
			effect = fmt.Sprintf("job %d gets urgency %s for its memory, and %s for all its other requests",
				asked[0].Job.Number, lint.Rounded(part),
				lint.Rounded(asked[0].Urgency.Resource-part))
		}
		traps = append(traps, lint.Trap{
			Name: "memory-outweighs",
			What: fmt.Sprintf("the urgency %s of %s applies per byte: a gigabyte adds %s and outweighs "+
				"all other resources", r.Urgency,
				r.Name, lint.Rounded(u*gigabyte)),
			Place:  l.First("complex.txt", r.Name),
			Effect: effect,
			Fix:    []string{setUrgency(r.Name, lint.Rounded(u/gigabyte))},
		})
	}
	return traps
}

const gigabyte = 1 << 30

// amount is what a job asks for of a resource.
func amount(j *model.Job, resource string) float64 {
	for _, r := range j.Hard {
		if r.Resource == resource {
			return r.Amount
		}
	}
	return 0
}
