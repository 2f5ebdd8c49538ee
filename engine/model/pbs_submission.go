package model

// A PBSSubmission is what has to be done with each job when it is submitted, altered or moved, because PBS has no attribute for
// it: a hook on the server does it, and a translation does the same with jobs of the past.
type PBSSubmission struct {
	Default  string          // the queue of jobs that name none
	Choices  []PBSChoice     // which other queue they go to
	Slots    []PBSQueueSlots // queues whose slots on a host are fewer than the host's cpus
	Quotas   []PBSQuota      // resource quota rules that no limit attribute expresses
	Further  bool            // filters fit by all groups of a user, not by the first one alone
	Projects []PBSGate       // queues that only some projects may use
	Defaults []PBSMember     // default projects of users
	Once     []string        // queues whose jobs do not run again after their node failed
	Soft     int64           // seconds that the scheduler assumes for jobs without walltime (soft_walltime); 0 for none
	Timed    []string        // queues that give jobs a walltime: nothing is assumed there
	NoTop    bool            // jobs get no reservation unless they ask for the resource Reserve
	Reserve  string
}

// Empty reports whether no hook is needed.
func (s *PBSSubmission) Empty() bool {
	return len(s.Choices)+len(s.Slots)+len(s.Quotas)+len(s.Projects)+len(s.Defaults)+len(s.Once) == 0 && s.Soft == 0 && !s.NoTop
}

// A PBSChoice is a boolean resource that one queue alone has: a job that asks for it goes to the queue. Where it is forced,
// no other job does.
type PBSChoice struct {
	Resource, Queue string
	Forced          bool
}

// PBSQueueSlots are the slots of a queue on each host: each chunk asks for as much of the resource as for ncpus.
type PBSQueueSlots struct {
	Queue, Resource string
}

// A PBSQuota is a quota set whose rules are counted by resources of their own: a job asks for the resource of the first rule
// that fits it, as much as it asks for the resource that the rule limits.
type PBSQuota struct {
	Set   string
	Rules []PBSQuotaRule
}

// A PBSQuotaRule is one of them. An empty list fits everybody.
type PBSQuotaRule struct {
	Resource string // that is asked for
	Of       string // as much as of this one: "ncpus"
	Users    PBSFilter
	Projects PBSFilter
	Queues   PBSFilter
}

// A PBSFilter says whom a rule fits. Names that begin with "@" are groups of users.
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
