// Package slurm translates the order of jobs of a Grid Engine cluster to Slurm's multifactor priority: weights of slurm.conf(5),
// accounts and users with their shares as sacctmgr(1) loads them, and QOS for limits. It is experimental: it follows Slurm's
// documentation, and no Slurm server has been asked.
//
// Of the three policies (sge_priority(5)), -p becomes nice, to the unit. Waiting time becomes age, slots and countable resources
// become TRES weights; Grid Engine divides their sum by the range of all jobs, which is frozen here. The share tree becomes
// accounts with fair share, functional and override tickets become priorities of associations; that tickets are divided among a
// user's jobs has no counterpart.
package slurm

import (
	"math"
	"slices"
	"time"

	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

// A Translation is the order of jobs of a Grid Engine cluster in Slurm's words.
type Translation struct {
	From      *model.Snapshot
	Policy    multifactor.Policy
	HalfLife  time.Duration // PriorityDecayHalfLife; 0 for usage that never decays
	NiceUnit  int64         // what one step of -p takes from nice
	Tree      *multifactor.Assoc
	Members   map[Member]*multifactor.Assoc
	Priority  map[Member]uint32 // of associations, where functional or override tickets count
	QOS       []QOS
	Range     float64   // of urgency, that the weights are made for
	Seen      []float64 // in each run
	RangeFrom string    // the run that it is taken from
	Submit    []Option
	Ledger    []migrate.Entry
	Names     migrate.Names
	Steps     []migrate.Step

	scale  float64 // what one of prio is in priority
	said   map[[2]string]saying
	owners map[string]map[string]bool // of jobs, by project, "" for none
	totals map[string]float64
	member map[string]string // departments of users, as their jobs had them
	shares float64           // part of the tickets that the share tree gives out

	features map[string]float64 // urgency of resources without amounts
	quals    map[string]float64 // factor of each QOS
}

// A QOS is a quality of service.
type QOS struct {
	Name     string
	Priority uint32 // 0 for none
	Limits   []model.Setting
}

// An Option says how a job is submitted.
type Option struct {
	GridEngine, Slurm, Note string
}

// Translate translates the order of jobs of a history, the oldest run first; lines are those of the last one's files. Numbers
// are taken from the runs that may be looked at, the seen ones.
func Translate(h synthesis.History, seen int, base *migrate.Translation) *Translation {
	last := h[len(h)-1]
	t := &Translation{From: last.Snapshot, said: map[[2]string]saying{}, Priority: map[Member]uint32{}, totals: capacities(last.Snapshot)}
	t.owners, t.member = ownersOf(h), departmentsOf(h)
	t.measure(h, seen)
	t.weigh(h)
	g := t.grow(last.Snapshot, last.At, true)
	t.Tree, t.Members = g.root, g.users
	t.priorities()
	t.limits()
	t.account(base)
	t.tellSteps()
	return t
}

// ownersOf are those who have jobs, by project.
func ownersOf(h synthesis.History) map[string]map[string]bool {
	owners := map[string]map[string]bool{}
	for _, run := range h {
		for i := range run.Snapshot.Jobs {
			j := &run.Snapshot.Jobs[i]
			if owners[j.Project] == nil {
				owners[j.Project] = map[string]bool{}
			}
			owners[j.Project][j.Owner] = true
		}
	}
	return owners
}

// departmentsOf are those of users with jobs; the newest counts. They may be there by a group.
func departmentsOf(h synthesis.History) map[string]string {
	of := map[string]string{}
	for _, run := range h {
		for i := range run.Snapshot.Jobs {
			if j := &run.Snapshot.Jobs[i]; j.Department != "" {
				of[j.Owner] = j.Department
			}
		}
	}
	return of
}

// measure freezes the range of urgency: that of the newest run that may be looked at and has one.
func (t *Translation) measure(h synthesis.History, seen int) {
	t.Range = 1
	for i, run := range h {
		d := run.Result.Urgency.Hi - run.Result.Urgency.Lo
		if d < 1e-5 || len(run.Result.Jobs) == 0 {
			t.Seen = append(t.Seen, math.NaN())
			continue
		}
		t.Seen = append(t.Seen, d)
		if i < seen {
			t.Range, t.RangeFrom = d, run.Name
		}
	}
}

// most is what all weights sum to, about: a quarter of the greatest priority, so that no sum of factors gets there.
const most = 1 << 30

// weigh makes the weights.
func (t *Translation) weigh(h synthesis.History) {
	p, w := &t.From.Policy, &t.Policy
	sum := p.WeightPriority + p.WeightUrgency + p.WeightTicket
	if sum <= 0 {
		t.say("sched_conf", "weight_priority", migrate.NoEffect, "", "no policy orders jobs: Slurm goes by submission too")
		return
	}
	t.scale = most / sum
	t.NiceUnit = int64(math.Round(t.scale * p.WeightPriority / 2048))
	w.Partition = whole(1024 * float64(t.NiceUnit)) // so that nice never takes more than there is
	t.weighUrgency(h)
	t.shares = sharesOf(p)
	w.Fairshare, w.Assoc = whole(t.scale*p.WeightTicket*t.shares), whole(t.scale*p.WeightTicket*(1-t.shares))
	w.FairTree = false
	t.HalfLife = p.HalfTime
	t.tellWeights()
}

// sharesOf is the part of all tickets that the share tree gives out.
func sharesOf(p *model.Policy) float64 {
	share, functional := float64(p.ShareTreeTickets), float64(p.FunctionalTickets)
	if share+functional == 0 {
		return 0
	}
	return share / (share + functional)
}

func whole(v float64) uint32 { return uint32(math.Round(max(0, min(v, math.MaxUint32)))) }

// longest is the greatest PriorityMaxAge: age grows evenly until then.
const longest = 28 * 24 * time.Hour

// weighUrgency makes weights of age and TRES: one of urgency is this much of priority.
func (t *Translation) weighUrgency(h synthesis.History) {
	p, w := &t.From.Policy, &t.Policy
	unit := t.scale * p.WeightUrgency / t.Range
	if p.WeightWaitingTime > 0 && unit > 0 {
		w.MaxAge = longest
		if most < unit*p.WeightWaitingTime*longest.Seconds() {
			w.MaxAge = time.Duration(most/(unit*p.WeightWaitingTime)*float64(time.Second)) / time.Minute * time.Minute
		}
		w.MaxAge = max(w.MaxAge, time.Minute)
		w.Age = whole(unit * p.WeightWaitingTime * w.MaxAge.Seconds())
	}
	for _, r := range t.From.Resources {
		u, err := model.ParseNumber(r.Urgency)
		if err != nil || u == 0 {
			continue
		}
		t.weighResource(r, u, unit)
	}
	slices.SortFunc(w.TRES, func(a, b multifactor.Weight) int { return cmpNames(a.Name, b.Name) })
	w.Total = t.totals
	t.qualities(h, unit)
}

// weighResource makes the weight of a resource with an urgency: of all there is in the cluster.
func (t *Translation) weighResource(r model.Resource, urgency, unit float64) {
	name := t.tresOf(r)
	all := t.totals[name]
	switch {
	case unit == 0 || name == "" && Holds(r.Name): // see qualities
		return
	case !Holds(r.Name):
		t.say("complex", r.Name, migrate.Lost, "", "Slurm takes no such name for a resource: give it another one, and PriorityWeightTRES for it")
	case urgency < 0:
		t.say("complex", r.Name, migrate.Lost, "", "weights are never negative: ask such jobs for --nice")
	case all == 0:
		t.say("complex", r.Name, migrate.Lost, "", "no host has any: there is nothing to weigh it by")
	default:
		if v := whole(unit * urgency * all); v > 0 {
			t.Policy.TRES = append(t.Policy.TRES, multifactor.Weight{Name: name, Value: float64(v)})
		}
		t.say("complex", r.Name, migrate.Approximate, "PriorityWeightTRES "+name, "as exact as the frozen range of urgency; requests count for the whole job")
	}
}
