package explain

import (
	"time"
)

// A Kind is something that can change the order of two jobs.
type Kind string

// The kinds. Amounts are what is set then: a priority, a number of tickets or shares; or what is added: seconds, usage, jobs.
const (
	ByTime     Kind = "time"       // goes by, and nothing else changes; Amount is in seconds from Next on
	ByPriority Kind = "priority"   // qalter -p
	ByTickets  Kind = "tickets"    // qalter -ot
	ByWaiting  Kind = "waiting"    // had it been submitted that many seconds earlier
	ByEligible Kind = "eligible"   // of PBS: that many seconds more of eligible_time
	ByStarts   Kind = "starts"     // that many jobs of the other one's owner, or entity, start
	ByUsed     Kind = "usage"      // of PBS: the other one's entity has used that much more
	ByFShare   Kind = "shares"     // functional shares of its user
	ByPShare   Kind = "project"    // functional shares of its project
	ByDShare   Kind = "department" // functional shares of its department
	ByQueue    Kind = "queue"      // of PBS: priority of its queue
	ByGroup    Kind = "group"      // of PBS: shares of its entity in resource_group
)

// A Change is one thing changed in a snapshot, for the order of two jobs.
type Change struct {
	Kind   Kind  `json:"kind"`
	Amount int64 `json:"amount"`
}

// Seconds is the amount as a length of time.
func (c Change) Seconds() time.Duration { return time.Duration(c.Amount) * time.Second }
