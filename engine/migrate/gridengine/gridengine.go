// Package gridengine translates the order of jobs of a PBS cluster to Grid Engine: a job_sort_formula that is linear in known
// terms becomes weights, urgencies and a share tree, limits become quotas. A formula that is not linear is refused, and the
// refusal says which part of it is to blame.
//
// Grid Engine blends three numbers between 0 and 1 (sge_priority(5)). Of a linear formula, job_priority becomes the posix
// priority; eligible_time, requests and queues become urgency; a fairshare term becomes tickets. Urgency is normalized from the
// least to the greatest of all jobs: alone that keeps the order exactly, beside another policy its weight is the range that the
// history has, so that both weigh as they do in the formula as long as the range stays.
package gridengine

import (
	"fmt"

	"qprism/engine/migrate"
	"qprism/engine/model"
)

// A Translation is the order of jobs and the limits of a PBS cluster in Grid Engine's words.
type Translation struct {
	From, To *model.Snapshot // To has Policy, Resources, ShareTree, Users, Projects, Quotas and the global host
	Formula  string          // as PBS has it; made up from its other options where it has none
	Terms    []Term          // what became of the terms of the formula
	Range    Range           // of urgency
	Submit   []Option        // how jobs are submitted that PBS took otherwise
	Ledger   []migrate.Entry
	Steps    []migrate.Step

	scale  float64 // of urgencies: they are the formula's numbers times this
	queues map[string]float64
}

// A Term is a term of the formula and what stands for it.
type Term struct {
	Name   string
	Times  float64 // the number before it
	Policy string  // "npprior", "nurg" or "ntckts"
	Into   string  // "urgency 1000 of slots"
}

// A Range is the distance from the least to the greatest urgency of all jobs, in units of the formula.
type Range struct {
	Value float64   // that weight_urgency stands for
	Seen  []float64 // in each snapshot of the history; NaN where all jobs are alike
	Alone bool      // no other policy counts: the order does not depend on it
}

// An Option says how a job is submitted.
type Option struct {
	PBS, GridEngine, Note string
}

// A Refusal is why a formula cannot be translated.
type Refusal struct {
	Formula string
	Part    string
	Column  int // of the part in the formula, from 1; 0 for no place
	Why     string
}

func (r *Refusal) Error() string {
	place := ""
	if r.Column > 0 {
		place = fmt.Sprintf(" at column %d", r.Column)
	}
	return fmt.Sprintf("job_sort_formula %s: %s%s %s: Grid Engine adds terms, each a number times something that it knows of a job, and knows nothing like it",
		quoted(r.Formula), quoted(r.Part), place, r.Why)
}

// quoted is a text in double quotes, shortened where it is long.
func quoted(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// Translate translates the newest snapshot of a history, the last one. The error is a *Refusal.
func Translate(history []*model.Snapshot) (*Translation, error) {
	from := history[len(history)-1]
	t := &Translation{From: from, To: &model.Snapshot{Cluster: from.Cluster, Release: target, TakenAt: from.TakenAt, Location: from.Location}, queues: map[string]float64{}}
	t.To.Policy = defaults()
	t.To.PEs = []model.PE{{Name: ParallelEnvironment, Slots: 999999, AllocationRule: "$fill_up", ControlSlaves: true, UrgencySlots: "min"}}
	if err := t.order(); err != nil {
		return nil, err
	}
	t.weigh(history)
	t.shareTree()
	t.limits()
	t.reservation()
	t.account()
	t.tellSteps()
	return t, nil
}

// target is the release whose files are written.
var target = model.Release{Product: "SGE", Version: "8.1.9"}

// ParallelEnvironment is the one that jobs of several processors ask for.
const ParallelEnvironment = "pbs"

// defaults is sched_conf(5) of a new cell, with no policy that orders jobs.
func defaults() model.Policy {
	return model.Policy{
		Algorithm: "default", ScheduleInterval: 15e9, QueueSort: "load", LoadFormula: "np_load_avg",
		LoadAdjustments: []model.Setting{{Name: "np_load_avg", Value: "0.50"}}, LoadAdjustmentDecay: 450e9,
		SchedulerJobInfo: "true", DefaultDuration: model.Forever,
		HalfTime: 168 * 3600e9, UsageWeights: []model.Amount{{Name: "cpu", Value: 1}, {Name: "mem"}, {Name: "io"}}, CompensationFactor: 5,
		WeightUser: 0.25, WeightProject: 0.25, WeightDepartment: 0.25, WeightJob: 0.25,
		ShareOverrideTickets: true, ShareFunctionalShares: true, MaxFunctionalJobs: 200, ReportPendingTickets: true, MaxPendingTasks: 50,
		Hierarchy: "OFS",
	}
}
