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
		"ntckts is the tickets divided by the highest number of tickets in both passes, so a running task " +
			"can have less than 1 although no task shows more tickets"},
	{"Q4", "6.1", "", func(q *model.Quirks) *bool { return &q.SelectionOffset },
		"while the scheduler chooses a waiting task, it adds 0.001 to sums of functional shares; tasks " +
			"beyond max_functional_jobs_to_schedule keep this error (Q5)"},
	{"Q6", "6.1", "", func(q *model.Quirks) *bool { return &q.UrgencyMaximumPositive },
		"the highest urgency starts at the smallest positive number: jobs with negative urgency never get 1"},
	{"Q7", "6.1", "", func(q *model.Quirks) *bool { return &q.UnsignedWaiting },
		"waiting time is an unsigned difference: a job submitted in the future has waited for 136 years"},
	{"Q9", "6.1", "", func(q *model.Quirks) *bool { return &q.JobConsumableTimesN },
		"if a job consumes a resource only once, the urgency of the resource still counts once per slot"},
	{"Q16", "6.1", "", func(q *model.Quirks) *bool { return &q.TasksByFreeSlots },
		"in an array job, at most one more task gets tickets than there are free slots"},
	{"Q18", "6.1", "", func(q *model.Quirks) *bool { return &q.StaleTemplate },
		"new tasks of a job with rescheduled tasks keep an old prio"},
	{"Q20", "6.1", "", func(q *model.Quirks) *bool { return &q.TruncatedJobShare },
		"share-tree tickets of running jobs with -js are rounded down to whole tickets"},
	{"Q21", "6.1", "", func(q *model.Quirks) *bool { return &q.SiblingTarget },
		"for waiting tasks, share-tree tickets depend on the targets in the topmost level of the tree that " +
			"has several branches, not on the levels above"},
	{"Q22", "8.1.9", "", func(q *model.Quirks) *bool { return &q.DiluteByPE },
		"a parallel job, also a running one, lowers the share-tree tickets of the jobs ranked after it as if " +
			"it were as many tasks as its least number of slots"},
	{"Q24", "6.1", "", func(q *model.Quirks) *bool { return &q.LinearDecay },
		"decay per minute is 1 - ln2/halftime: a little less than half is left after halftime"},
	{"Q39", "8.1.9", "", func(q *model.Quirks) *bool { return &q.ZeroInstancesExcludes },
		"with max_aj_instances 0, no task without -tc starts"},
	{"Q40", "6.1", "", func(q *model.Quirks) *bool { return &q.FirstRangeOnly },
		"a limit on running tasks of an array job only shortens its first ranges of task numbers"},
	{"Q52", "6.1", "8.1.9", func(q *model.Quirks) *bool { return &q.OldDilution },
		"the share tree ranks only waiting tasks; running tasks only move the ranks back by their number"},
	{"O10", "9.1", "", func(q *model.Quirks) *bool { return &q.PosixAtSubmit },
		"npprior is computed when a job is submitted or altered, so held and just started jobs show it too"},
	{"O9", "9.0", "", func(q *model.Quirks) *bool { return &q.FractionalClock },
		"the scheduler reads clocks to the microsecond: waiting time is the difference in whole seconds, and " +
			"the time to a deadline has a fraction"},
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
		"the scheduler keeps two numbers of a queue instance in one field: the time when it is free, and the " +
			"number of its slots. It can read one number as the other"},
	{"D3", "6.1", "", func(q *model.Quirks) *bool { return &q.StopWhenFull },
		"a run ends when no queue instance is free: in a full cluster, it makes at most one reservation"},
	{"D4", "6.1", "", func(q *model.Quirks) *bool { return &q.ClosedStayOpen },
		"after a failed attempt to reserve, the scheduler treats full and closed queue instances as open"},
	{"D5", "6.1", "", func(q *model.Quirks) *bool { return &q.LoadAlarmForgotten },
		"the scheduler leaves out queue instances because of the load of new jobs, but the next attempt to " +
			"reserve uses them again"},
	{"D6", "6.2u5", "9.0", func(q *model.Quirks) *bool { return &q.RejectForGood },
		"if the scheduler once finds no reservation for a category of jobs, this category never gets a " +
			"reservation as long as it exists"},
	{"D7", "6.1", "", func(q *model.Quirks) *bool { return &q.ShorterLimit },
		"the lower of h_rt and s_rt is the run time; the manual says the higher"},
	{"D11", "6.1", "", func(q *model.Quirks) *bool { return &q.EarlierGapsIgnored },
		"a reservation starts after the last use of each resource; the scheduler ignores earlier gaps"},
	{"D13", "6.1", "", func(q *model.Quirks) *bool { return &q.FirstPEDecides },
		"the scheduler finds a time at which the first matching parallel environment is free; it tries other " +
			"matching ones only at this time"},
	{"D14", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.RangeCheckStops },
		"once one number of slots could run later, the scheduler no longer checks the other numbers of the range for this"},
	{"D15", "6.1", "", func(q *model.Quirks) *bool { return &q.AdaptiveRange },
		"how the scheduler searches a range of slots depends on earlier searches"},
	{"D16", "6.1", "", func(q *model.Quirks) *bool { return &q.SlotsRemembered },
		"in a run, the scheduler tries for a category of jobs only the numbers of slots that the first " +
			"search for this category left"},
	{"D17", "6.1", "", func(q *model.Quirks) *bool { return &q.UnsuitableKeepsSlot },
		"a parallel job can get one slot of a queue instance that the scheduler knows as unsuitable for its " +
			"category"},
	{"D18", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.MasterLast },
		"if a job gets several queue instances on the host of the master task, the last of them is named " +
			"first and gets the master task"},
	{"D22", "6.1", "", func(q *model.Quirks) *bool { return &q.ExclusiveUseIgnored },
		"a job that does not request an exclusive resource can get a reservation on a host where another " +
			"job, with one slot, has this resource exclusively"},
	{"D29", "6.1", "", func(q *model.Quirks) *bool { return &q.FileSizeByData },
		"the scheduler compares the s_fsize of a job with the s_data of a cluster queue, and rejects the " +
			"queue if s_fsize is larger"},
	{"D19", "6.1", "", func(q *model.Quirks) *bool { return &q.SoftOrderStays },
		"after a failed search for a parallel job with soft requests, the queue instances stay sorted by " +
			"these requests"},
	{"D20", "6.1", "", func(q *model.Quirks) *bool { return &q.UnsortedTail },
		"the scheduler tries full and closed queue instances last for reservations, whatever their sequence number"},
	{"D68", "6.1", "", func(q *model.Quirks) *bool { return &q.HostOrderStays },
		"after a search for a parallel job, the hosts stay in the order of this search; the next search " +
			"treats this order as the order by load"},
	{"D69", "6.1", "", func(q *model.Quirks) *bool { return &q.EmptyReservation },
		"if a parallel job would fit later, but at none of the times that the scheduler tries, it gets a " +
			"reservation in the year 2038, without slots"},
	{"D70", "6.2u5", "", func(q *model.Quirks) *bool { return &q.AdvancePE },
		"a parallel job in an advance reservation gets the parallel environment of the reservation, even if " +
			"the job requests another one"},
	{"D21", "6.1", "9.0", func(q *model.Quirks) *bool { return &q.LeftoverMaster },
		"if a queue instance could not take a master task, the scheduler leaves it out for all jobs after " +
			"the next start"},
	{"D72", "8.1.9", "", func(q *model.Quirks) *bool { return &q.AdjustmentsLost },
		"if a search places a parallel job more than once, the scheduler forgets job_load_adjustments: it " +
			"leaves out no queue instance because of the load of this job"},
	{"D23", "6.1", "", func(q *model.Quirks) *bool { return &q.LastLimitDecides },
		"of several limits in a quota rule, only the last one decides when a reservation can start"},
	{"D24", "6.1", "", func(q *model.Quirks) *bool { return &q.ReversedLimit },
		"a limit on a resource that is not consumable rejects every parallel job that requests it"},
	{"D28", "6.1", "", func(q *model.Quirks) *bool { return &q.ClosingForgetsBookings },
		"when a calendar closes a queue, the scheduler forgets bookings that continue after the end of the " +
			"closing time"},
	{"D38", "6.1", "", func(q *model.Quirks) *bool { return &q.ReservationTakesNewTask },
		"a reservation for a rescheduled task takes a new task of the job out of the run"},
	{"D62", "6.1", "", func(q *model.Quirks) *bool { return &q.QueueLimitBlocksQuota },
		"if a parallel job exceeds the limits of a queue instance, the quota rules for this queue instance " +
			"also deny the job all other queue instances of these rules"},
	{"D66", "6.1", "", func(q *model.Quirks) *bool { return &q.FirstQuotaSetHides },
		"the first quota set that leaves no slots for a parallel job now hides the later quota sets; a " +
			"hidden quota set leaves no slots at later times"},
	{"D73", "6.2u5", "", func(q *model.Quirks) *bool { return &q.ZeroQuotaLeavesSlot },
		"a quota rule can allow no slots, or, with max_reservation 0, no more slots. The search then skips " +
			"queue instances for this rule, but a parallel job still gets one slot of each of them"},
	{"D61", "6.1", "9.0", func(q *model.Quirks) *bool { return &q.QueueSuspendUnreported },
		"the master does not tell the scheduler of tasks that their queue suspends: they count as " +
			"running until something else changes them"},
	{"O1", "9.0", "", func(q *model.Quirks) *bool { return &q.TicketsMoveJobs },
		"a running job whose waiting tasks got tickets moves behind all others in the scheduler's list, " +
			"and so in the schedule file"},
	{"O12", "9.0", "", func(q *model.Quirks) *bool { return &q.InfinityEnds },
		"INFINITY as a run time means 136 years: jobs that wait behind it get reservations"},
	{"O16", "9.0", "", func(q *model.Quirks) *bool { return &q.GlobalByGrant },
		"the scheduler books the consumables of the whole cluster for a parallel job with each queue " +
			"instance that the job gets, not all at once"},
	{"O17", "9.0", "", func(q *model.Quirks) *bool { return &q.GrantsByHost },
		"if a parallel job gets several queue instances of one host, they stand together in the list"},
	{"O18", "9.0", "", func(q *model.Quirks) *bool { return &q.QuotaOrderStays },
		"quota sets keep their order; in older releases, each start and end of a task moves the sets " +
			"that count it behind all others"},
	{"D45", "6.1", "9.1", func(q *model.Quirks) *bool { return &q.UnsignedSlots },
		"a negative number of free slots counts as a very large number in a parallel search"},
}
