package compat

import (
	"slices"

	"qprism/engine/model"
)

// A Quirk is something that a release does and its manual does not say, or denies.
type Quirk struct {
	ID       string // as in reports and comments, "Q17"
	What     string
	Releases []string // profiles that have it
	set      func(*model.Quirks)
}

var (
	both     = []string{"8.1.9", "6.2u5"}
	only819  = []string{"8.1.9"}
	only62u5 = []string{"6.2u5"}
)

// Quirks are those that priorities know, proved by vectors and recordings of 8.1.9; the profile "fixed" has none.
var Quirks = []Quirk{
	{"Q1", "the four weights of functional categories are parts of one over all four for pending tasks, used or not; for running ones over used categories",
		both, func(q *model.Quirks) { q.PendingWeightsOverAll = true }},
	{"Q2", "share-tree tickets of running tasks come from a second pass that sees running tasks only", both, func(q *model.Quirks) { q.SecondPass = true }},
	{"Q3", "ntckts divides by the greatest number of tickets of both passes, so that a running task can have less than 1 though nobody shows more",
		both, func(q *model.Quirks) { q.MaximumOverPasses = true }},
	{"Q4", "0.001 is added to sums of functional shares while a pending task is chosen, and stays with tasks beyond max_functional_jobs_to_schedule (Q5)",
		both, func(q *model.Quirks) { q.SelectionOffset = true }},
	{"Q6", "the greatest urgency starts at the smallest positive number: jobs of negative urgency are never normalized to 1", both, func(q *model.Quirks) { q.UrgencyMaximumPositive = true }},
	{"Q7", "waiting time is an unsigned difference: a submission in the future waits for 136 years", both, func(q *model.Quirks) { q.UnsignedWaiting = true }},
	{"Q9", "a resource that is consumed once for the job counts its urgency once for each slot", both, func(q *model.Quirks) { q.JobConsumableTimesN = true }},
	{"Q16", "of an array, no more tasks get tickets than there are free slots, and one", both, func(q *model.Quirks) { q.TasksByFreeSlots = true }},
	{"Q18", "the new tasks of a job that also has rescheduled ones keep an old prio", both, func(q *model.Quirks) { q.StaleTemplate = true }},
	{"Q20", "share-tree tickets of running jobs with -js are cut to whole tickets", both, func(q *model.Quirks) { q.TruncatedJobShare = true }},
	{"Q21", "share-tree tickets of pending tasks follow the target among the siblings of the topmost branch that is not alone",
		both, func(q *model.Quirks) { q.SiblingTarget = true }},
	{"Q22", "a parallel job takes as much from those ranked after it as its least number of slots, running ones too", only819, func(q *model.Quirks) { q.DiluteByPE = true }},
	{"Q24", "decay for a minute is 1 - ln2/halftime: a little less than half is left after halftime", both, func(q *model.Quirks) { q.LinearDecay = true }},
	{"Q39", "max_aj_instances 0 without -tc lets no task start", only819, func(q *model.Quirks) { q.ZeroInstancesExcludes = true }},
	{"Q40", "a limit on running tasks of an array only cuts the first ranges of its numbers", both, func(q *model.Quirks) { q.FirstRangeOnly = true }},
	{"old-dilution", "only pending tasks are ranked in the share tree, behind the number of running ones", only62u5, func(q *model.Quirks) { q.OldDilution = true }},
	{"decay-all", "usage of users and projects decays with each of their pending tasks as well", only62u5, func(q *model.Quirks) { q.DecayAll = true }},
}

// Profile is what a release does: all quirks that it has.
func Profile(release string) (q model.Quirks) {
	for _, k := range Quirks {
		if slices.Contains(k.Releases, release) {
			k.set(&q)
		}
	}
	return q
}

// Without is a profile without one of its quirks.
func Without(release, id string) (q model.Quirks) {
	for _, k := range Quirks {
		if slices.Contains(k.Releases, release) && k.ID != id {
			k.set(&q)
		}
	}
	return q
}
