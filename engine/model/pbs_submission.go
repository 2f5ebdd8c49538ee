package model

// A PBSSubmission has the changes to each job that is submitted, altered or moved, for rules for which PBS
// has no attribute. A hook on the server makes these changes. A translation makes the same changes to past
// jobs.
type PBSSubmission struct {
	Default  string          // the queue of jobs without one
	Choices  []PBSChoice     // other queues for some jobs
	Slots    []PBSQueueSlots // queues with fewer slots on a host than cpus
	Quotas   []PBSQuota      // resource quota rules that no limit attribute can express
	Further  bool            // filters use all groups of a user, not only the first
	Projects []PBSGate       // queues for some projects only
	Defaults []PBSMember     // default projects of users
	Once     []string        // queues whose jobs are not rerun after a node failure
	Soft     int64           // assumed seconds for jobs without walltime (soft_walltime); 0 for none
	Timed    []string        // queues that set a walltime: nothing is assumed there
	NoTop    bool            // jobs get no reservation unless they request the resource Reserve
	Reserve  string
}

// Empty reports whether no hook is needed.
func (s *PBSSubmission) Empty() bool {
	return len(s.Choices)+len(s.Slots)+len(s.Quotas)+len(s.Projects)+len(s.Defaults)+len(s.Once) == 0 &&
		s.Soft == 0 && !s.NoTop
}

// A PBSChoice is a boolean resource of one queue: a job that requests the resource goes to this queue. If the
// resource is forced, no other job goes there.
type PBSChoice struct {
	Resource, Queue string
	Forced          bool
}

// PBSQueueSlots are the slots of a queue on each host: each chunk requests as much of the resource as of
// ncpus.
type PBSQueueSlots struct {
	Queue, Resource string
}

// A PBSQuota is a quota set with one resource for each rule. A job requests the resource of the first rule
// that matches it, in the amount of the resource that the rule limits.
type PBSQuota struct {
	Set   string
	Rules []PBSQuotaRule
}

// A PBSQuotaRule is one rule of a PBSQuota. An empty list matches everyone.
type PBSQuotaRule struct {
	Resource string // the requested resource
	Of       string // the resource whose amount counts: "ncpus"
	Users    PBSFilter
	Projects PBSFilter
	Queues   PBSFilter
}

// A PBSFilter says which users a rule matches. Names with "@" are groups of users.
type PBSFilter struct {
	Include []string // empty, or "*", for all
	Exclude []string
}

// A PBSGate says which projects may use a queue.
type PBSGate struct {
	Queue       string
	Allow, Deny []string
}

// A PBSMember is the project of a user.
type PBSMember struct {
	User, Project string
}
