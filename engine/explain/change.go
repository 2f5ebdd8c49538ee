package explain

import (
	"time"
)

// A Kind is a kind of change that can change the order of two jobs.
type Kind string

// The kinds. Amount is the new value (a priority, tickets or shares), or an increase (seconds, usage, jobs).
const (
	ByTime     Kind = "time"       // time passes, nothing else changes; Amount in seconds from Next
	ByPriority Kind = "priority"   // qalter -p
	ByTickets  Kind = "tickets"    // qalter -ot
	ByWaiting  Kind = "waiting"    // submitted this many seconds earlier
	ByEligible Kind = "eligible"   // PBS: this many seconds more eligible_time
	ByStarts   Kind = "starts"     // this many jobs of the other job's owner or entity start
	ByUsed     Kind = "usage"      // PBS: the other job's entity used this much more
	ByFShare   Kind = "shares"     // functional shares of its user
	ByPShare   Kind = "project"    // functional shares of its project
	ByDShare   Kind = "department" // functional shares of its department
	ByQueue    Kind = "queue"      // PBS: priority of its queue
	ByGroup    Kind = "group"      // PBS: shares of its entity in resource_group
)

// A Change is one change of a snapshot, for the order of two jobs.
type Change struct {
	Kind   Kind  `json:"kind"`
	Amount int64 `json:"amount"`
}

// Seconds is the amount as a duration.
func (c Change) Seconds() time.Duration { return time.Duration(c.Amount) * time.Second }
