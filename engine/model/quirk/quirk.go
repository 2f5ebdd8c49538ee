package quirk

import "qprism/engine/model"

// A Quirk is something that releases do, but their manual does not say or denies.
type Quirk struct {
	ID    string // as in reports and comments, "Q17"
	From  string // the releases that introduced it, by their names in package compat; their successors have it, too
	Until string // the releases that removed it
	In    func(*model.Quirks) *bool
	What  string
}

// Priority lists the quirks of the first part of a run, which ranks jobs. Vectors and recordings of 8.1.9
// prove them.
var Priority = []Quirk{
	{"Q1", "6.1", "", func(q *model.Quirks) *bool { return &q.PendingWeightsOverAll },
		"for waiting tasks, the four functional weights are normalized over all four categories, used " +
			"or not; for running tasks, only over used categories"},
	{"Q2", "6.1", "", func(q *model.Quirks) *bool { return &q.SecondPass },
		"share-tree tickets of running tasks come from a second pass over running tasks only"},
	{"Q3", "6.1", "", func(q *model.Quirks) *bool { return &q.MaximumOverPasses },
		"ntckts divides by the highest tickets of both passes, so a running task can have less than 1 " +
			"although no task shows more tickets"},
	{"Q4", "6.1", "", func(q *model.Quirks) *bool { return &q.SelectionOffset },
		"0.001 is added to sums of functional shares while a waiting task is chosen, and stays with " +
			"tasks beyond max_functional_jobs_to_schedule (Q5)"},
	{"Q6", "6.1", "", func(q *model.Quirks) *bool { return &q.UrgencyMaximumPositive },
		"the highest urgency starts at the smallest positive number: jobs with negative urgency never get 1"},
	{"Q7", "6.1", "", func(q *model.Quirks) *bool { return &q.UnsignedWaiting },
		"waiting time is an unsigned difference: a job submitted in the future has waited for 136 years"},
	{"Q9", "6.1", "", func(q *model.Quirks) *bool { return &q.JobConsumableTimesN },
		"a resource that a job consumes once counts its urgency once per slot"},
	{"Q16", "6.1", "", func(q *model.Quirks) *bool { return &q.TasksByFreeSlots },
		"in an array job, at most one more task gets tickets than there are free slots"},
	{"Q18", "6.1", "", func(q *model.Quirks) *bool { return &q.StaleTemplate },
		"new tasks of a job with rescheduled tasks keep an old prio"},
	{"Q20", "6.1", "", func(q *model.Quirks) *bool { return &q.TruncatedJobShare },
		"share-tree tickets of running jobs with -js are rounded down to whole tickets"},
	{"Q21", "6.1", "", func(q *model.Quirks) *bool { return &q.SiblingTarget },
		"share-tree tickets of waiting tasks follow the target among the siblings of the topmost branch that is not alone"},
	{"Q22", "8.1.9", "", func(q *model.Quirks) *bool { return &q.DiluteByPE },
		"a parallel job takes as much from those ranked after it as its least number of slots, running ones too"},
	{"Q24", "6.1", "", func(q *model.Quirks) *bool { return &q.LinearDecay },
		"decay per minute is 1 - ln2/halftime: a little less than half is left after halftime"},
	{"Q39", "8.1.9", "", func(q *model.Quirks) *bool { return &q.ZeroInstancesExcludes },
		"with max_aj_instances 0, no task without -tc starts"},
	{"Q40", "6.1", "", func(q *model.Quirks) *bool { return &q.FirstRangeOnly },
		"a limit on running tasks of an array job only shortens its first ranges of task numbers"},
	{"Q52", "6.1", "8.1.9", func(q *model.Quirks) *bool { return &q.OldDilution },
		"only waiting tasks are ranked in the share tree, behind the number of running ones"},
	{"O10", "9.1", "", func(q *model.Quirks) *bool { return &q.PosixAtSubmit },
		"npprior is computed when a job is submitted or altered, so held and just started jobs show it too"},
	{"O9", "9.0", "", func(q *model.Quirks) *bool { return &q.FractionalClock },
		"waiting time is the whole seconds between submission and run, and the time to a deadline has a " +
			"fraction: both clocks are read to the microsecond"},
	{"Q53", "6.1", "8.1.9 9.0", func(q *model.Quirks) *bool { return &q.DecayAll },
		"usage of users and projects also decays with each of their waiting tasks"},
}

// Dispatch lists the quirks of the second part of a run, which places jobs. Recordings of 8.1.9 and the
// situations in docs prove them.
var Dispatch = []Quirk{
	{"D1", "6.2u5", "", func(q *model.Quirks) *bool { return &q.StaleTags },
		"a queue instance that a sequential search chose earlier in the run stays a candidate of later " +
			"reservations, at time 0 or another job's time"},
	{"D2", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.SharedTags },
		"when a queue instance is free and how many slots it has at last share one place, so that one " +
			"can be taken for the other"},
	{"D3", "6.1", "", func(q *model.Quirks) *bool { return &q.StopWhenFull },
		"a run ends when no queue instance is free: in a full cluster, it makes at most one reservation"},
	{"D4", "6.1", "", func(q *model.Quirks) *bool { return &q.ClosedStayOpen },
		"after a failed attempt to reserve, full and closed queue instances stay among the open ones"},
	{"D5", "6.1", "", func(q *model.Quirks) *bool { return &q.LoadAlarmForgotten },
		"queue instances left out for the load that new jobs bring come back with the next attempt to reserve"},
	{"D6", "6.2u5", "9.0", func(q *model.Quirks) *bool { return &q.RejectForGood },
		"a category found once without any possible reservation never gets one while it lives"},
	{"D7", "6.1", "", func(q *model.Quirks) *bool { return &q.ShorterLimit },
		"the lower of h_rt and s_rt is the run time; the manual says the higher"},
	{"D11", "6.1", "", func(q *model.Quirks) *bool { return &q.EarlierGapsIgnored },
		"a reservation starts after the last use of each resource; the scheduler ignores earlier gaps"},
	{"D13", "6.1", "", func(q *model.Quirks) *bool { return &q.FirstPEDecides },
		"other parallel environments that match are tried only at the time that the first one was found free"},
	{"D14", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.RangeCheckStops },
		"once one number of slots could run later, the scheduler no longer checks the other numbers of the range for this"},
	{"D15", "6.1", "", func(q *model.Quirks) *bool { return &q.AdaptiveRange },
		"how a range of slots is searched depends on searches before"},
	{"D16", "6.1", "", func(q *model.Quirks) *bool { return &q.SlotsRemembered },
		"the numbers of slots tried for a category stay those of its first search in the run"},
	{"D17", "6.1", "", func(q *model.Quirks) *bool { return &q.UnsuitableKeepsSlot },
		"a queue instance known to be unsuitable for a category can be granted one slot of a parallel job"},
	{"D18", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.MasterLast },
		"of several queue instances on the host of the master task, the last granted one is named first " +
			"and gets the master task"},
	{"D22", "6.1", "", func(q *model.Quirks) *bool { return &q.ExclusiveUseIgnored },
		"a job that does not request an exclusive resource can get a reservation where another job has " +
			"it exclusively with one slot"},
	{"D29", "6.1", "", func(q *model.Quirks) *bool { return &q.FileSizeByData },
		"a cluster queue is rejected for a job that requests more s_fsize than the queue's s_data"},
	{"D19", "6.1", "", func(q *model.Quirks) *bool { return &q.SoftOrderStays },
		"a failed search of a parallel job with soft requests leaves the queue instances sorted by them"},
	{"D20", "6.1", "", func(q *model.Quirks) *bool { return &q.UnsortedTail },
		"the scheduler tries full and closed queue instances last for reservations, whatever their sequence number"},
	{"D68", "6.1", "", func(q *model.Quirks) *bool { return &q.HostOrderStays },
		"a parallel search leaves the hosts in its own order, and the next ranks them as if they still stood by load"},
	{"D69", "6.1", "", func(q *model.Quirks) *bool { return &q.EmptyReservation },
		"a parallel job that would fit later but at no moment that is looked at counts as reserved for, " +
			"without a slot, in 2038"},
	{"D70", "6.2u5", "", func(q *model.Quirks) *bool { return &q.AdvancePE },
		"a parallel job in an advance reservation gets the parallel environment of the reservation, whichever it requests"},
	{"D21", "6.1", "9.0", func(q *model.Quirks) *bool { return &q.LeftoverMaster },
		"a queue instance that could not take a master task is left out for all jobs after the next start"},
	{"D72", "8.1.9", "", func(q *model.Quirks) *bool { return &q.AdjustmentsLost },
		"a search that places a parallel job more than once loses job_load_adjustments: nothing is left " +
			"out for the load that it brings"},
	{"D23", "6.1", "", func(q *model.Quirks) *bool { return &q.LastLimitDecides },
		"of several limits in a quota rule, only the last one decides when a reservation can start"},
	{"D24", "6.1", "", func(q *model.Quirks) *bool { return &q.ReversedLimit },
		"a limit on a resource that is not consumable rejects every parallel job that requests it"},
	{"D28", "6.1", "", func(q *model.Quirks) *bool { return &q.ClosingForgetsBookings },
		"a closing time of a calendar forgets bookings across its end"},
	{"D38", "6.1", "", func(q *model.Quirks) *bool { return &q.ReservationTakesNewTask },
		"a reservation for a rescheduled task takes a new task of the job out of the run"},
	{"D62", "6.1", "", func(q *model.Quirks) *bool { return &q.QueueLimitBlocksQuota },
		"a queue instance whose own limits a parallel job exceeds makes the quota rules that it counts " +
			"in deny the job all others that do"},
	{"D66", "6.1", "", func(q *model.Quirks) *bool { return &q.FirstQuotaSetHides },
		"of several quota sets the first that leaves a parallel job nothing now hides the others, and " +
			"what is hidden leaves nothing later"},
	{"D73", "6.2u5", "", func(q *model.Quirks) *bool { return &q.ZeroQuotaLeavesSlot },
		"a quota rule that allows no slots, or with max_reservation 0 no more, leaves a parallel job one slot of " +
			"each instance that is skipped for it"},
	{"D61", "6.1", "9.0", func(q *model.Quirks) *bool { return &q.QueueSuspendUnreported },
		"the master does not tell the scheduler of tasks that their queue suspends: they count as " +
			"running until something else changes them"},
	{"O1", "9.0", "", func(q *model.Quirks) *bool { return &q.TicketsMoveJobs },
		"a running job whose waiting tasks got tickets moves behind all others in the scheduler's list, " +
			"and so in the schedule file"},
	{"O12", "9.0", "", func(q *model.Quirks) *bool { return &q.InfinityEnds },
		"INFINITY as a run time means 136 years: jobs that wait behind it get reservations"},
	{"O16", "9.0", "", func(q *model.Quirks) *bool { return &q.GlobalByGrant },
		"what a parallel job takes of the cluster as a whole is booked with each queue instance that it " +
			"is granted, not at once"},
	{"O17", "9.0", "", func(q *model.Quirks) *bool { return &q.GrantsByHost },
		"the queue instances of one host that a parallel job is granted stand together"},
	{"O18", "9.0", "", func(q *model.Quirks) *bool { return &q.QuotaOrderStays },
		"quota sets keep their order; in older releases, each start and end of a task moves the sets " +
			"that count it behind all others"},
	{"D45", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.UnsignedSlots },
		"a negative number of free slots counts as a very large number in a parallel search"},
}
