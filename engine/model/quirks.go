package model

// Quirks say where a release departs from what its manual promises. The zero value departs nowhere; package compat
// names what each release does. The numbers are those of docs/rules.
type Quirks struct {
	PendingWeightsOverAll  bool // Q1: pending functional tickets normalise the category weights over all four categories, used or not
	SecondPass             bool // Q2: running share-tree tickets come from a second pass over running tasks only
	MaximumOverPasses      bool // Q3: ntckts divides by the maximum over both passes
	SelectionOffset        bool // Q4: 0.001 is added to functional denominators while the next job is chosen, and stays with jobs beyond the limit (Q5)
	UrgencyMaximumPositive bool // Q6: the maximum of urgency starts at the smallest positive double
	UnsignedWaiting        bool // Q7: waiting time is an unsigned 32-bit difference of whole seconds
	JobConsumableTimesN    bool // Q9: urgency of a JOB consumable counts once a slot
	TasksByFreeSlots       bool // Q16: an array takes part with no more tasks than there are free slots, plus one
	StaleTemplate          bool // Q18: a job with rescheduled and with new pending tasks keeps the prio of its new ones stale
	TruncatedJobShare      bool // Q20: share-tree tickets of running jobs with -js are cut to integers
	SiblingTarget          bool // Q21: pending share-tree tickets use the target among siblings of the top branch, and single branches are pruned
	DiluteByPE             bool // Q22: each job dilutes its node by the minimum of its slot range; else by one task
	OldDilution            bool // Q52: only pending jobs hang in the tree and the divisor starts at the number of running ones
	LinearDecay            bool // Q24: the decay constant of a minute is 1 - ln2/halftime instead of 2^(-1/halftime)
	DecayAll               bool // Q53: users and projects of pending jobs decay too
	ZeroInstancesExcludes  bool // Q39: max_aj_instances 0 without -tc excludes all tasks that are not enrolled
	FirstRangeOnly         bool // Q40: the limit on running tasks of an array only cuts the first ranges

	// Of dispatching.
	StaleTags          bool // D1: a queue instance that a sequential search chose earlier in the run stays a candidate of later reservations
	SharedTags         bool // D2: the time at which a queue instance is free and its number of slots at last share one place
	StopWhenFull       bool // D3: a run ends when no queue instance is free, whatever could still be reserved
	ClosedStayOpen     bool // D4: after a failed reservation full and closed queue instances stay among the open ones
	AlarmForgotten     bool // D5: what was left out for load comes back with the next attempt to reserve
	RejectForGood      bool // D6: a category once found without any possible reservation never gets one again
	ShorterLimit       bool // D7: of h_rt and s_rt the smaller one is the run time
	LastCrossing       bool // D11: reservations start behind the last use of a resource, gaps before are not looked at
	FirstPEDecides     bool // D13: other parallel environments that match are tried at the time found for the first one only
	CareLost           bool // D14: after one try of a slot range could run later, the other tries do not look for that any more
	AdaptiveRange      bool // D15: how a range of slots is searched depends on earlier searches
	MasterLast         bool // D18: of several queue instances of the master task's host the last one granted comes first
	ExclusiveUnseen    bool // D22: a reservation for a job that does not ask for an exclusive resource overlooks one slot that has it
	FileSizeByData     bool // D29: a request for s_fsize is compared with the s_data of a cluster queue
	SlotsRemembered    bool // D16: the slot numbers tried for a category stay those of the first search
	IgnoredKeepsSlot   bool // D17: a queue instance known as unsuitable keeps one slot in a parallel search
	SoftOrderStays     bool // D19: a failed parallel search with soft requests leaves the queue instances sorted by them
	UnsortedTail       bool // D20: full and closed queue instances are tried last, whatever their order
	LeftoverMaster     bool // D21: a queue instance that could not take the master task of one job is left out for all
	LastLimitDecides   bool // D23: of several limits in a quota rule the last one says when it is free
	ReversedLimit      bool // D24: a quota rule's limit on a resource that is not consumable denies parallel jobs that ask for it
	ClosingForgets     bool // D28: a calendar's closing time forgets bookings across its end
	UnsignedSlots      bool // D45: a negative number of slots counts as a very large one
	QuotaSeesQueue     bool // D62: a queue instance whose limits a parallel job does not meet makes the quotas that it counts in deny all others
	QueueSuspendUntold bool // D61: the scheduler does not hear of tasks that their queue suspends
	PosixAtSubmit      bool // O10: npprior is computed when a job is submitted or altered, and shown whether a run ranks it or not
	FractionalClock    bool // O9: waiting time counts whole seconds of the difference, deadlines its fraction, where others cut both clocks first
	TicketsMoveJobs    bool // O1: a running job whose waiting tasks got tickets moves behind all others in the scheduler's list
	ReservedTakesNew   bool // D38: a reservation for a rescheduled task takes a new task of the job with it
}
