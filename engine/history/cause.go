package history

import (
	"strings"
	"sync"

	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
)

// A judge finds the cause of each decision, in the order of the plan: what jobs before it took, or lack as
// well, is why a job has a lower priority rather than a full cluster.
type judge struct {
	pbs      bool
	jobs     map[uint32]*model.Job
	claims   map[claim]uint32 // who, before the job at hand, was first to take or to lack something
	reserved map[string]uint32
	first    uint32 // the first job before with a reservation

	instances []model.QueueInstance
	slots     int                        // of all of them
	shared    map[*model.Reason]*verdict // of lists of reasons, by their first
	held      map[*model.Reason]bool     // whether such a list holds a job back
	gate      func() *schedule.Gate
	never     func(*model.Job) bool
}

// A claim is a resource at a place; the place is empty for somewhere.
type claim struct{ place, resource string }

func newJudge(s *model.Snapshot, p *model.Plan) *judge {
	j := &judge{pbs: s.PBS != nil, jobs: map[uint32]*model.Job{}, claims: map[claim]uint32{},
		reserved: map[string]uint32{},
		shared:   map[*model.Reason]*verdict{}, held: map[*model.Reason]bool{}}
	j.gate = sync.OnceValue(func() *schedule.Gate { return schedule.NewGate(s) })
	j.instances = s.Instances
	for i := range s.Instances {
		j.slots += s.Instances[i].Slots
	}
	for i := range s.Jobs {
		if _, known := j.jobs[s.Jobs[i].Number]; !known {
			j.jobs[s.Jobs[i].Number] = &s.Jobs[i]
		}
	}
	return j
}

// takes reports whether the scheduler takes the job into its order at all: it is not held back before.
func (j *judge) takes(d *model.Decision) bool {
	if j.pbs && !d.Tried {
		return false
	}
	if len(d.Why) == 0 {
		return true
	}
	held, known := j.held[&d.Why[0]]
	for i := 0; i < len(d.Why) && !known && !held; i++ {
		held = d.Why[i].Kind.HoldsBack()
	}
	j.held[&d.Why[0]] = held
	return !held
}

// decide completes a standing by a decision about the job, and notes what the job claims.
func (j *judge) decide(d *model.Decision, st *model.Standing) {
	if d.Verdict == model.Later {
		st.Start = d.Start
	}
	switch {
	case d.Verdict == model.Now || st.Cause != model.CauseStarts:
	case d.Verdict == model.Never && j.takes(d) && j.never != nil && j.jobs[d.Job] != nil && j.never(j.jobs[d.Job]):
		st.Cause = model.CauseMisfit
		return // what it lacks is in nobody's way
	default:
		v := j.verdict(d)
		st.Cause, st.Object, st.Lacks = v.cause, v.object, v.resource
		var over claim
		st.Rival, over = j.rival(d, v)
		if st.Rival != 0 && v.cause != model.CauseReserved {
			st.Cause, st.Object, st.Lacks = model.CausePriority, over.place, over.resource
		}
	}
	j.note(d)
}

// A verdict is which of a decision's reasons is the cause: the one of the place that comes nearest to taking the job.
type verdict struct {
	cause            model.Cause
	object, resource string
	short            bool    // another time would do: what is lacking is in use
	claims           []claim // everything that is short
	noted            bool    // the claims are among those of jobs before
}

// verdict finds the cause among the reasons. Reasons are shared between jobs that ask for the same.
func (j *judge) verdict(d *model.Decision) *verdict {
	if len(d.Why) == 0 {
		return &verdict{cause: model.CauseUnknown}
	}
	if v, known := j.shared[&d.Why[0]]; known && !ofState(d.Why) {
		return v
	}
	best := verdict{cause: model.CauseUnknown}
	rank := len(nearness)
	closed := j.allClosed(d.Why)
	for i := range d.Why {
		if closed && d.Why[i].Kind == model.ReasonStopped {
			continue
		}
		v := j.read(&d.Why[i], d.Job)
		best.claims = append(best.claims, v.claims...)
		if n, known := nearness[v.cause]; known && n < rank {
			rank = n
			best.cause, best.object, best.resource, best.short = v.cause, v.object, v.resource, v.short
		}
	}
	if rank > nearness[model.CauseBusy] && !j.pbs {
		best = j.silent(d.Job, d.Why, best)
	}
	j.shared[&d.Why[0]] = &best
	return &best
}

// silent is the verdict where what refuses a job is for good, or closed: a run says nothing of queue
// instances that it did not look at, because they were full. If there are any that would take the job, it
// waits for them.
func (j *judge) silent(job uint32, why []model.Reason, v verdict) verdict {
	named := map[string]bool{}
	for i := range why {
		switch why[i].Level {
		case "H", "Q":
			named[why[i].Object] = true
		default:
			if kinds[why[i].Kind] != "" { // holds everywhere
				return v
			}
		}
	}
	for i := range j.instances {
		q := &j.instances[i]
		if named[q.Name] || named[q.Host] || named[q.Queue] || q.Slots == 0 || strings.ContainsAny(q.State, "uEasAdSDCo") {
			continue
		}
		if _, bars := j.gate().Bars(j.jobs[job], q.Name); bars {
			continue
		}
		if !v.short {
			v = verdict{cause: model.CauseBusy, object: q.Name, resource: slots, short: true}
		}
		v.claims = append(v.claims, claim{q.Name, slots})
	}
	return v
}

// ofState reports whether a PBS job is passed over for its state, which jobs do not share.
func ofState(why []model.Reason) bool {
	return why[0].Kind == "" || why[0].Kind == model.ReasonJobState
}

// allClosed reports whether every queue instance is closed, and none just full, so that a run ends before a job's turn.
func (j *judge) allClosed(why []model.Reason) bool {
	n := 0
	for i := range why {
		if k := why[i].Kind; k == model.ReasonQueueState || k == model.ReasonLoad || k == model.ReasonCalendar {
			n++
		}
	}
	return len(j.instances) > 0 && n >= len(j.instances)
}

// nearness orders causes: of several places that refuse a job for different reasons, the one is told that
// comes nearest to taking it. What holds for the job itself comes first; then what is free but kept for
// others; a quota, which is checked when all else fits; what is in use; what a host or a closed queue
// forbids; and last what no time mends.
var nearness = map[model.Cause]int{model.CauseError: 0, model.CauseHold: 1, model.CauseDependency: 2,
	model.CauseTime:      3,
	model.CauseTaskLimit: 4,
	model.CauseAdvance:   5, model.CausePriority: 6, model.CauseReserved: 7, model.CauseQuota: 8,
	model.CauseBusy: 9, model.CauseHost: 10,
	model.CauseClosed: 11, model.CauseMisfit: 12}

// read puts one reason into the terms of causes.
func (j *judge) read(r *model.Reason, job uint32) verdict {
	v := verdict{cause: kinds[r.Kind], object: r.Object, resource: r.Resource}
	switch {
	case r.Kind == "", r.Kind == model.ReasonJobState:
		v.cause = j.stateOf(job)
	case r.Reserved:
		v.cause = model.CauseReserved
	case r.Never:
		v.cause = model.CauseMisfit
	case v.cause == model.CauseMisfit && r.Later:
		v.cause, v.short = model.CauseBusy, true
	case v.cause == model.CauseBusy:
		v.short = true
	case r.Kind == model.ReasonPESlots && j.couldFit(r):
		v.cause, v.short = model.CauseBusy, true
	}
	if v.short {
		v.claims = claimsOf(r)
	}
	if v.cause == model.CauseBusy && r.Level == "H" && r.Resource != slots && r.Resource != "" {
		v.cause = model.CauseHost
	}
	return v
}

// couldFit reports whether the cluster has the requested number of slots at all.
func (j *judge) couldFit(r *model.Reason) bool {
	n, err := model.ParseNumber(r.Asked)
	return err == nil && n <= float64(j.slots)
}

const slots = "slots"

// claimsOf are what a reason says is short. Slots are short at a place, and somewhere.
func claimsOf(r *model.Reason) []claim {
	switch {
	case r.Kind == model.ReasonStopped, r.Kind == model.ReasonPESlots, r.Object == "" && r.Resource == "":
		return []claim{{resource: slots}}
	case r.Kind == model.ReasonFull:
		return []claim{{r.Object, slots}}
	}
	return []claim{{r.Object, r.Resource}}
}

// stateOf is the cause of a PBS job that the scheduler passes over for its state.
func (j *judge) stateOf(job uint32) model.Cause {
	b := j.jobs[job]
	switch {
	case b == nil || b.PBS == nil:
		return model.CauseUnknown
	case b.PBS.State == "W":
		return model.CauseTime
	case b.PBS.State == "H" && b.PBS.Depend != "":
		return model.CauseDependency
	case b.PBS.State == "H":
		return model.CauseHold
	}
	return model.CauseUnknown
}

// rival is the first job in the order that takes or lacks what the job lacks, and what that is; of what is
// reserved, the one it is kept for.
func (j *judge) rival(d *model.Decision, v *verdict) (job uint32, over claim) {
	if v.cause == model.CauseReserved {
		if n, known := j.reserved[v.object]; known {
			return n, over
		}
		return j.first, over
	}
	if v.cause != model.CauseBusy && v.cause != model.CauseHost || !v.short {
		return 0, over
	}
	for _, c := range v.claims {
		n, known := j.claims[c]
		switch {
		case !known || n == d.Job:
			continue
		case j.pbs && c.resource == slots: // it has none
			c.resource = ""
		}
		return n, c
	}
	return 0, over
}

// note keeps what the job takes or lacks, for those behind it.
func (j *judge) note(d *model.Decision) {
	add := func(place, resource string) {
		if _, known := j.claims[claim{place, resource}]; !known {
			j.claims[claim{place, resource}] = d.Job
		}
	}
	for _, g := range d.Slots {
		if d.Verdict == model.Later {
			j.reserve(d.Job, g.Instance)
			continue
		}
		add(g.Instance, slots)
		add("", slots)
		if j.pbs {
			add("", "ncpus") // select asks for them, and is no list of requests
		}
		if b := j.jobs[d.Job]; b != nil {
			for _, r := range b.Hard {
				add(hostOf(g.Instance), r.Resource)
				add(g.Instance, r.Resource)
				add(model.GlobalHost, r.Resource)
				add("", r.Resource)
			}
		}
	}
	if d.Verdict != model.Now {
		v := j.verdict(d)
		for i := 0; i < len(v.claims) && !v.noted; i++ {
			add(v.claims[i].place, v.claims[i].resource)
		}
		v.noted = true
	}
}

func (j *judge) reserve(job uint32, instance string) {
	if j.first == 0 {
		j.first = job
	}
	for _, place := range []string{instance, hostOf(instance)} {
		if _, known := j.reserved[place]; !known {
			j.reserved[place] = job
		}
	}
}

// hostOf is the host of a queue instance, "all.q@node01"; a vnode is its own.
func hostOf(instance string) string {
	for i := range len(instance) {
		if instance[i] == '@' {
			return instance[i+1:]
		}
	}
	return instance
}

// kinds are the causes that the kinds of reasons stand for; what is short is CauseBusy, whoever has it.
var kinds = map[model.ReasonKind]model.Cause{
	model.ReasonHold: model.CauseHold, model.ReasonError: model.CauseError, model.ReasonDependency: model.CauseDependency,
	model.ReasonExecutionTime: model.CauseTime, model.ReasonTaskLimit: model.CauseTaskLimit,
	model.ReasonFilter:    model.CauseQuota,
	model.ReasonUserLimit: model.CauseQuota,
	model.ReasonAdvance:   model.CauseAdvance, model.ReasonQueueState: model.CauseClosed,
	model.ReasonLoad: model.CauseHost,
	model.ReasonFull: model.CauseBusy, model.ReasonCalendar: model.CauseClosed, model.ReasonQueueList: model.CauseMisfit,
	model.ReasonQueueType: model.CauseMisfit, model.ReasonAccess: model.CauseMisfit,
	model.ReasonProject: model.CauseMisfit,
	model.ReasonPE:      model.CauseMisfit, model.ReasonPESlots: model.CauseMisfit,
	model.ReasonCheckpoint: model.CauseMisfit,
	model.ReasonForced:     model.CauseMisfit, model.ReasonUnknown: model.CauseMisfit,
	model.ReasonNoRequest: model.CauseMisfit,
	model.ReasonResource:  model.CauseMisfit, model.ReasonExclusive: model.CauseBusy, model.ReasonQuota: model.CauseQuota,
	model.ReasonReschedule: model.CauseBusy, model.ReasonStopped: model.CauseBusy,
	model.ReasonStale: model.CauseUnknown,
	model.ReasonLimit: model.CauseQuota, model.ReasonDedicated: model.CauseClosed, model.ReasonPrime: model.CauseClosed,
	model.ReasonShares: model.CauseQuota, model.ReasonThreshold: model.CausePriority,
	model.ReasonReserved: model.CauseReserved,
	model.ReasonRefused:  model.CauseError, model.ReasonStrictOrder: model.CausePriority,
	model.ReasonPlacementSet: model.CauseBusy,
}
