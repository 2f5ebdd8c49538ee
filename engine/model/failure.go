package model

// A Failure is the condition that keeps a PBS job from running, as the scheduler distinguishes them. The
// Reason has the details: Object is the queue, the placement set or the obstacle; Who is the user, group or
// project.
type Failure uint8

// The failures, in the order of the scheduler's own list. "By" means a limit on one user, group or project;
// other limits are for each user, group or project.
const (
	NoFailure Failure = iota
	FailSchedError
	FailNotQueued
	FailQueueNotStarted
	FailQueueNotExec
	FailQueueJobLimit
	FailServerJobLimit
	FailServerUserLimit
	FailQueueUserLimit
	FailServerGroupLimit
	FailQueueGroupLimit
	FailDedicatedTime
	FailCrossDedicated
	FailPrimeOnly
	FailNonPrimeOnly
	FailCrossPrime
	FailNoNodeResources
	FailQueueUserResLimit
	FailServerUserResLimit
	FailQueueGroupResLimit
	FailServerGroupResLimit
	FailNoFairshares
	FailNodeNotExcl
	FailNodeJobLimit
	FailNodeUserLimit
	FailNodeGroupLimit
	FailNodeNoMultiJobs
	FailInsufficient
	FailReservedAhead
	FailStrictOrdering
	FailQueueInsufficient
	FailServerInsufficient
	FailQueueByGroupLimit
	FailQueueByUserLimit
	FailServerByGroupLimit
	FailServerByUserLimit
	FailServerByGroupResLimit
	FailServerByUserResLimit
	FailQueueByGroupResLimit
	FailQueueByUserResLimit
	FailQueueResLimit
	FailServerResLimit
	FailSetTooSmall
	FailCantSpanSets
	FailNoFreeNodes
	FailServerProjectLimit
	FailServerProjectResLimit
	FailServerByProjectResLimit
	FailServerByProjectLimit
	FailQueueProjectLimit
	FailQueueProjectResLimit
	FailQueueByProjectResLimit
	FailQueueByProjectLimit
	FailNoTotalNodes
	FailUnderThreshold
	FailMaxRunSubjobs
	FailInvalidReservation
	FailNodeNotReservable
	FailRefused // the server did not start it: a hook or a host refused
)

// Whose says which jobs a limit counts together: all jobs, or those of a user, a group or a project.
type Whose string

// Values of Whose.
const (
	Everybody  Whose = ""
	OneUser    Whose = "user"
	OneGroup   Whose = "group"
	OneProject Whose = "project"
)

// Whose says which jobs the limit behind a failure counts together.
func (f Failure) Whose() Whose {
	switch f {
	case FailServerUserLimit, FailQueueUserLimit, FailQueueUserResLimit, FailServerUserResLimit,
		FailNodeUserLimit, FailQueueByUserLimit,
		FailServerByUserLimit, FailServerByUserResLimit, FailQueueByUserResLimit:
		return OneUser
	case FailServerGroupLimit, FailQueueGroupLimit, FailQueueGroupResLimit, FailServerGroupResLimit,
		FailNodeGroupLimit, FailQueueByGroupLimit,
		FailServerByGroupLimit, FailServerByGroupResLimit, FailQueueByGroupResLimit:
		return OneGroup
	case FailServerProjectLimit, FailServerProjectResLimit, FailServerByProjectResLimit, FailServerByProjectLimit,
		FailQueueProjectLimit,
		FailQueueProjectResLimit, FailQueueByProjectResLimit, FailQueueByProjectLimit:
		return OneProject
	}
	return Everybody
}

// OfQueue reports whether a failure is about a limit or amount of a queue.
func (f Failure) OfQueue() bool {
	switch f {
	case FailQueueJobLimit, FailQueueUserLimit, FailQueueGroupLimit, FailQueueUserResLimit,
		FailQueueGroupResLimit, FailQueueInsufficient,
		FailQueueByGroupLimit, FailQueueByUserLimit, FailQueueByGroupResLimit, FailQueueByUserResLimit,
		FailQueueResLimit, FailQueueProjectLimit,
		FailQueueProjectResLimit, FailQueueByProjectResLimit, FailQueueByProjectLimit:
		return true
	}
	return false
}

// OfVnode reports whether a failure is about a limit of a vnode.
func (f Failure) OfVnode() bool {
	return f == FailNodeJobLimit || f == FailNodeUserLimit || f == FailNodeGroupLimit
}
