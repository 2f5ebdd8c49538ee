package slurm

import (
	"math"
	"time"

	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

// A Translation is the job order of a Grid Engine cluster in Slurm's words.
type Translation struct {
	From      *model.Snapshot
	Config    model.SlurmConfig // without settings and members, see Configuration
	Policy    multifactor.Policy
	HalfLife  time.Duration // PriorityDecayHalfLife; 0 if usage never decays
	Members   map[Member]*multifactor.Assoc
	Range     float64   // of urgency, assumed by the weights
	Seen      []float64 // range in each run
	RangeFrom string    // the run with this range
	Ledger    []migrate.Entry
	Names     migrate.Names
	Steps     []migrate.Step

	scale    float64 // what one of prio is in priority
	said     map[[2]string]migrate.Rule
	owners   map[string]map[string]bool // of jobs, by project, "" for none
	member   map[string]string          // departments of users, as their jobs had them
	shares   float64                    // part of the tickets that the share tree gives out
	priority map[Member]uint32          // of associations, where functional or override tickets count
}

// Translate translates the job order of a history, the oldest run first. lines are those of the last run's
// files. Numbers come from the first seen runs.
func Translate(h synthesis.History, seen int, base *migrate.Translation) *Translation {
	last := h[len(h)-1]
	t := &Translation{From: last.Snapshot, said: map[[2]string]migrate.Rule{}, priority: map[Member]uint32{}}
	t.Config = model.SlurmConfig{Cluster: clusterName(last.Snapshot), At: last.At, Nodes: nodesOf(last.Snapshot)}
	t.Config.Site.Furthest = furthest
	t.owners, t.member = ownersOf(h), departmentsOf(h)
	t.measure(h, seen)
	t.weigh()
	g := t.grow(last.Snapshot, last.At, true)
	t.Config.Root, t.Members = g.root, g.users
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
		if d < 1e-5 || run.Result.Empty() {
			t.Seen = append(t.Seen, math.NaN())
			continue
		}
		t.Seen = append(t.Seen, d)
		if i < seen {
			t.Range, t.RangeFrom = d, run.Name
		}
	}
}

// most is the approximate sum of all weights: a quarter of the greatest priority, which no sum of factors
// then reaches.
const most = 1 << 30

// weigh makes the weights.
func (t *Translation) weigh() {
	p, w := &t.From.Policy, &t.Policy
	sum := p.WeightPriority + p.WeightUrgency + p.WeightTicket
	if sum <= 0 {
		t.say("sched_conf", "weight_priority", migrate.NoEffect, "", "no policy orders jobs: Slurm also uses the "+
			"order of submission")
		return
	}
	t.scale = t.scaleFor(sum)
	t.weighRequests()
	t.weighAge()
	t.shares = sharesOf(p)
	w.Fairshare, w.Assoc = whole(t.scale*p.WeightTicket*t.shares), whole(t.scale*p.WeightTicket*(1-t.shares))
	t.HalfLife = p.HalfTime
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

// least is what the weights sum to at least: fine enough for a quarter of a millionth of Grid Engine's priority.
const least = 1 << 22

// scaleFor is what one of prio is in priority, of policies with a sum of weights: as much as there is room
// for, but where a second of waiting counts for much, as little as makes room for a long wait.
func (t *Translation) scaleFor(sum float64) float64 {
	p := &t.From.Policy
	second := p.WeightUrgency * p.WeightWaitingTime / t.Range
	return max(least/sum, min(most/sum, most/(second*longest.Seconds())))
}

// urgent is what one of urgency is in priority.
func (t *Translation) urgent() float64 { return t.scale * t.From.Policy.WeightUrgency / t.Range }

// weighAge makes the weight of age: a second of waiting is weight_waiting_time of urgency. PriorityMaxAge
// is in minutes.
func (t *Translation) weighAge() {
	w := &t.Policy
	second := t.urgent() * t.From.Policy.WeightWaitingTime
	if second <= 0 {
		return
	}
	w.MaxAge = max(time.Minute, time.Duration(min(longest.Seconds(), most/second))*time.Second/time.Minute*time.Minute)
	w.Age = whole(min(most, second*w.MaxAge.Seconds()))
}
