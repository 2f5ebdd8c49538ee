package compat

import (
	"slices"

	"qprism/engine/model"
)

// A Quirk is something that releases do and their manual does not say, or denies. Which have it, releases say: each what it changes of
// the one before it.
type Quirk struct {
	ID   string // as in reports and comments, "Q17"
	What string
	set  func(*model.Quirks)
}

// Quirks are all that are known; the profile "fixed" has none.
var Quirks = slices.Concat(Priorities, Dispatching)

// Priorities are those of the first half of a run, which ranks jobs; vectors and recordings of 8.1.9 prove them.
var Priorities = []Quirk{
	{"Q1", "the four weights of functional categories are parts of one over all four for pending tasks, used or not; for running ones over used categories",
		func(q *model.Quirks) { q.PendingWeightsOverAll = true }},
	{"Q2", "share-tree tickets of running tasks come from a second pass that sees running tasks only", func(q *model.Quirks) { q.SecondPass = true }},
	{"Q3", "ntckts divides by the greatest number of tickets of both passes, so that a running task can have less than 1 though nobody shows more",
		func(q *model.Quirks) { q.MaximumOverPasses = true }},
	{"Q4", "0.001 is added to sums of functional shares while a pending task is chosen, and stays with tasks beyond max_functional_jobs_to_schedule (Q5)",
		func(q *model.Quirks) { q.SelectionOffset = true }},
	{"Q6", "the greatest urgency starts at the smallest positive number: jobs of negative urgency are never normalized to 1", func(q *model.Quirks) { q.UrgencyMaximumPositive = true }},
	{"Q7", "waiting time is an unsigned difference: a submission in the future waits for 136 years", func(q *model.Quirks) { q.UnsignedWaiting = true }},
	{"Q9", "a resource that is consumed once for the job counts its urgency once for each slot", func(q *model.Quirks) { q.JobConsumableTimesN = true }},
	{"Q16", "of an array, no more tasks get tickets than there are free slots, and one", func(q *model.Quirks) { q.TasksByFreeSlots = true }},
	{"Q18", "the new tasks of a job that also has rescheduled ones keep an old prio", func(q *model.Quirks) { q.StaleTemplate = true }},
	{"Q20", "share-tree tickets of running jobs with -js are cut to whole tickets", func(q *model.Quirks) { q.TruncatedJobShare = true }},
	{"Q21", "share-tree tickets of pending tasks follow the target among the siblings of the topmost branch that is not alone",
		func(q *model.Quirks) { q.SiblingTarget = true }},
	{"Q22", "a parallel job takes as much from those ranked after it as its least number of slots, running ones too", func(q *model.Quirks) { q.DiluteByPE = true }},
	{"Q24", "decay for a minute is 1 - ln2/halftime: a little less than half is left after halftime", func(q *model.Quirks) { q.LinearDecay = true }},
	{"Q39", "max_aj_instances 0 without -tc lets no task start", func(q *model.Quirks) { q.ZeroInstancesExcludes = true }},
	{"Q40", "a limit on running tasks of an array only cuts the first ranges of its numbers", func(q *model.Quirks) { q.FirstRangeOnly = true }},
	{"Q52", "only pending tasks are ranked in the share tree, behind the number of running ones", func(q *model.Quirks) { q.OldDilution = true }},
	{"O10", "npprior is computed when a job is submitted or altered, so that held and just started jobs show it too", func(q *model.Quirks) { q.PosixAtSubmit = true }},
	{"O9", "waiting time is the whole seconds between submission and run, and the time to a deadline has a fraction: both clocks are read to the microsecond",
		func(q *model.Quirks) { q.FractionalClock = true }},
	{"Q53", "usage of users and projects decays with each of their pending tasks as well", func(q *model.Quirks) { q.DecayAll = true }},
}

// Dispatching are those of the second half, which places jobs; recordings of 8.1.9 and situations of a page prove them.
var Dispatching = []Quirk{
	{"D1", "a queue instance that a sequential search chose earlier in the run stays a candidate of later reservations, at time 0 or another job's time",
		func(q *model.Quirks) { q.StaleTags = true }},
	{"D2", "when a queue instance is free and how many slots it has at last share one place, so that one can be taken for the other",
		func(q *model.Quirks) { q.SharedTags = true }},
	{"D3", "a run ends when no queue instance is free: of a full cluster at most one reservation is made",
		func(q *model.Quirks) { q.StopWhenFull = true }},
	{"D4", "after an attempt to reserve that fails, full and closed queue instances stay among the open ones",
		func(q *model.Quirks) { q.ClosedStayOpen = true }},
	{"D5", "queue instances left out for the load that new jobs bring come back with the next attempt to reserve",
		func(q *model.Quirks) { q.AlarmForgotten = true }},
	{"D6", "a category found once without any possible reservation never gets one while it lives",
		func(q *model.Quirks) { q.RejectForGood = true }},
	{"D7", "of h_rt and s_rt the smaller one is the run time, where the manual says the greater one",
		func(q *model.Quirks) { q.ShorterLimit = true }},
	{"D11", "a reservation starts behind the last use of each resource; gaps before that are not looked at",
		func(q *model.Quirks) { q.LastCrossing = true }},
	{"D13", "other parallel environments that match are tried only at the time that the first one was found free",
		func(q *model.Quirks) { q.FirstPEDecides = true }},
	{"D14", "once a number of slots could run later, the other numbers of the range are not checked for that any more",
		func(q *model.Quirks) { q.CareLost = true }},
	{"D15", "how a range of slots is searched depends on searches before",
		func(q *model.Quirks) { q.AdaptiveRange = true }},
	{"D16", "the numbers of slots tried for a category stay those of its first search in the run",
		func(q *model.Quirks) { q.SlotsRemembered = true }},
	{"D17", "a queue instance known to be unsuitable for a category can be granted one slot of a parallel job",
		func(q *model.Quirks) { q.IgnoredKeepsSlot = true }},
	{"D18", "of several queue instances on the host of the master task the one granted last is named first and so becomes the master's",
		func(q *model.Quirks) { q.MasterLast = true }},
	{"D22", "a job that does not ask for an exclusive resource is reserved for where one slot of another job has it exclusively",
		func(q *model.Quirks) { q.ExclusiveUnseen = true }},
	{"D29", "a cluster queue is ruled out for a job that asks for more s_fsize than its s_data",
		func(q *model.Quirks) { q.FileSizeByData = true }},
	{"D19", "a failed search of a parallel job with soft requests leaves the queue instances sorted by them",
		func(q *model.Quirks) { q.SoftOrderStays = true }},
	{"D20", "full and closed queue instances are tried last for reservations, whatever their sequence number",
		func(q *model.Quirks) { q.UnsortedTail = true }},
	{"D21", "a queue instance that could not take a master task is left out for all jobs after the next start",
		func(q *model.Quirks) { q.LeftoverMaster = true }},
	{"D23", "of several limits in a quota rule the last one alone says when a reservation can start",
		func(q *model.Quirks) { q.LastLimitDecides = true }},
	{"D24", "a limit on a resource that is not consumable denies every parallel job that asks for it",
		func(q *model.Quirks) { q.ReversedLimit = true }},
	{"D28", "a closing time of a calendar forgets what is booked across its end",
		func(q *model.Quirks) { q.ClosingForgets = true }},
	{"D38", "a reservation for a rescheduled task takes a new task of the job out of the run",
		func(q *model.Quirks) { q.ReservedTakesNew = true }},
	{"D62", "a queue instance whose own limits a parallel job exceeds makes the quota rules that it counts in deny the job all others that do",
		func(q *model.Quirks) { q.QuotaSeesQueue = true }},
	{"D61", "the master does not tell the scheduler of tasks that their queue suspends: they count as running until something else changes them",
		func(q *model.Quirks) { q.QueueSuspendUntold = true }},
	{"O1", "a running job whose waiting tasks got tickets moves behind all others in the scheduler's list, and so in the schedule file",
		func(q *model.Quirks) { q.TicketsMoveJobs = true }},
	{"D45", "a negative number of free slots counts as a very large one in a parallel search",
		func(q *model.Quirks) { q.UnsignedSlots = true }},
}
