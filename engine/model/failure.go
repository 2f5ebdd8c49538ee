package model

// A Failure names the condition that keeps a job of PBS from running, as its scheduler tells them apart. What a failure is about is in
// the Reason that has it: Object is the queue, the placement set or what is in the way; Who is the user, group or project.
type Failure uint8

// The failures, in the order of the scheduler's own list. "By" a user, group or project is a limit on that one, else one on all alike.
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
	FailRefused // the server did not start it: a hook, or a host, said no
)

// Whose are those whom a limit of jobs or resources counts.
type Whose string

// Those whom limits count.
const (
	Everybody  Whose = ""
	OneUser    Whose = "user"
	OneGroup   Whose = "group"
	OneProject Whose = "project"
)

// Whose is whom the limit counts that a failure is about.
func (f Failure) Whose() Whose {
	switch f {
	case FailServerUserLimit, FailQueueUserLimit, FailQueueUserResLimit, FailServerUserResLimit, FailNodeUserLimit, FailQueueByUserLimit,
		FailServerByUserLimit, FailServerByUserResLimit, FailQueueByUserResLimit:
		return OneUser
	case FailServerGroupLimit, FailQueueGroupLimit, FailQueueGroupResLimit, FailServerGroupResLimit, FailNodeGroupLimit, FailQueueByGroupLimit,
		FailServerByGroupLimit, FailServerByGroupResLimit, FailQueueByGroupResLimit:
		return OneGroup
	case FailServerProjectLimit, FailServerProjectResLimit, FailServerByProjectResLimit, FailServerByProjectLimit, FailQueueProjectLimit,
		FailQueueProjectResLimit, FailQueueByProjectResLimit, FailQueueByProjectLimit:
		return OneProject
	}
	return Everybody
}

// OfQueue reports whether a failure is about a limit or an amount that a queue has.
func (f Failure) OfQueue() bool {
	switch f {
	case FailQueueJobLimit, FailQueueUserLimit, FailQueueGroupLimit, FailQueueUserResLimit, FailQueueGroupResLimit, FailQueueInsufficient,
		FailQueueByGroupLimit, FailQueueByUserLimit, FailQueueByGroupResLimit, FailQueueByUserResLimit, FailQueueResLimit, FailQueueProjectLimit,
		FailQueueProjectResLimit, FailQueueByProjectResLimit, FailQueueByProjectLimit:
		return true
	}
	return false
}

// OfVnode reports whether a failure is about a limit that a vnode has.
func (f Failure) OfVnode() bool {
	return f == FailNodeJobLimit || f == FailNodeUserLimit || f == FailNodeGroupLimit
}
