package compat

// A PBSQuirk is something that PBS does and its guides do not say, or deny. They are no switches, since what qprism
// computes for PBS is what its scheduler does; each is shown by a test that names it.
type PBSQuirk struct {
	ID   string // as in reports and tests, "P29"
	What string
}

// PBS are those of OpenPBS 23.06.06. Recordings prove most of them, the source of its scheduler the others.
var PBS = []PBSQuirk{
	{"P1", "a formula stops the scheduler where it has double quotes, a result that is no number, or an exception for the first job after a start"},
	{"P2", "a formula's value is kept in 32 bits, of which 24 order jobs; the log prints at most four digits, and none behind three zeros or nines"},
	{"P3", "a formula gets amounts with at most four decimals, nothing below 0.001, and fairshare numbers with six"},
	{"P4", "with a job_sort_formula and fair_share switched off after it was on, every cycle charges the jobs that ran then for all they used since"},
	{"P5", "with a job_sort_formula that uses fairshare and fair_share never on, usage is never charged and only decays"},
	{"P6", "the tree that the scheduler calculates with is not the one that pbsfs shows: its groups are charged and decay on their own"},
	{"P7", "usage 1 of an idle node is its own: the root of an idle tree has used 1, whatever the number of leaves"},
	{"P8", "what a job used since the last cycle before its end is never charged; a job between two cycles is free"},
	{"P9", "an entity without shares has fairshare_factor 0 and counts as over its fairshare for preemption, whatever it used"},
	{"P10", "with fairshare_usage_res cput starting a job raises no usage within a cycle, unless it requests cput"},
	{"P11", "a boolean of sched_config is true for every word but false, and for every number but 0: no and off switch an option on"},
	{"P12", "a queue of priority preempt_queue_prio (150) or more is express as soon as preemptive_sched is on, and its jobs come before any formula"},
	{"P13", "with round_robin and by_queue both true, round_robin is obeyed"},
	{"P14", "opt_backfill_fuzzy makes estimates late: a top job is tried only when all events within the fuzz are over, with high up to an hour"},
	{"P15", "backfill_depth without strict_ordering does nothing: there are no top jobs"},
	{"P16", "a value equal to job_sort_formula_threshold is under it, and without a threshold -2147483648 and less"},
	{"P17", "a job with place=pack that no host can hold is never called impossible: no start is estimated, and it takes no part of backfill_depth"},
	{"P18", "qrun without -H preempts running jobs; qrun -H checks nothing"},
	{"P20", "wrapped listings of qstat -f and qmgr lose empty list items, and the blank behind a comma where a line ends"},
	{"P21", "JSON guesses types: queue_rank is a number with an exponent, 0.2560 is 0.256, and each entry of a limit repeats its key"},
	{"P23", "usage charged to a group by its own name counts in memory and is lost whenever the usage file is read"},
	{"P24", "days of the file holidays are numbered from 1, and a holiday is non-primetime only until midnight"},
	{"P25", "prime_spill is crosswise: what is given for prime limits spilling into primetime, not out of it"},
	{"P26", "a missing primetime_prefix, nonprimetime_prefix or dedicated_prefix is the empty one, which every queue has: no job runs"},
	{"P27", "a float resource is stored and shown with at most four decimals: 0.0005 set by qalter is 0"},
	{"P28", "a line of sched_config that is logged as an error often counts: a wrong prime word means always, a time needs no colon"},
	{"P29", "an entity that others are below, or one that ties with a group, is equal to others that differ: the C library's sort decides"},
}
