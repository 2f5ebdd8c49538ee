package model

// Quirks say where a release departs from what its manual promises. The zero value departs nowhere; package compat
// names what each release does. The numbers are those of the project's list of quirks.
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
	OldDilution            bool // section 11, item 1: only pending jobs hang in the tree and the divisor starts at the number of running ones
	LinearDecay            bool // Q24: the decay constant of a minute is 1 - ln2/halftime instead of 2^(-1/halftime)
	DecayAll               bool // section 11, item 3: users and projects of pending jobs decay too
	ZeroInstancesExcludes  bool // Q39: max_aj_instances 0 without -tc excludes all tasks that are not enrolled
	FirstRangeOnly         bool // Q40: the limit on running tasks of an array only cuts the first ranges
}
