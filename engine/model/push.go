package model

import (
	"errors"
	"time"
)

// ErrNoPush says that no push of that number is stored.
var ErrNoPush = errors.New("no such push")

// A Push is a set of orders for a cluster. qprism stores it before it sends the first command, and stores
// each change of an order's state. So after any interruption the store shows which orders were sent or may
// have been sent.
type Push struct {
	ID         int64
	Cluster    string    // as Snapshot.Cluster
	Identity   Identity  // of the cluster of the plan; it may be sent to that one only
	By         string    // who asked for it: "user@host"
	Kind       string    // the way of steering: "qalter -p", "qalter -l NAME", "qorder", "qrun"
	Undoes     int64     // the push that these orders undo; 0 for none
	SnapshotAt time.Time // of the snapshot behind the plan
	Begun      time.Time
	Ended      time.Time // zero until it is finished
	Wanted     []string  // job ids in the wanted order
	Orders     []Order
	Outcome    string // in words, after its end
}

// Open reports whether a push is not finished.
func (p *Push) Open() bool { return p.Ended.IsZero() }

// An Order sets one attribute of one job.
type Order struct {
	Job       string // id, as commands take it
	Attribute string // "priority", "Resource_List.NAME", "position", "state"
	From, To  string // the old value and the ordered one
	Whose     string // owner and submission of the job, because its number can be reused
	With      string // the job that it exchanges places with, if the command takes two
	WithWhose string // the same for that job
	Why       string // a reason, in words
	Call      int    // number of its command, from 0 in the order of sending
	State     OrderState
	Words     string // the master's message
}

// An OrderState is the progress of an order.
type OrderState string

const (
	OrderPlanned   OrderState = "planned"   // not sent
	OrderSent      OrderState = "sent"      // about to be sent, or sent and not yet read back
	OrderConfirmed OrderState = "confirmed" // the master has the ordered value
	OrderRefused   OrderState = "refused"   // the master refused, or changed the value
	OrderOvertaken OrderState = "overtaken" // the job is gone or started, or someone else changed it
	OrderUnknown   OrderState = "unknown"   // there was no answer, and it could not be read back
)

// orderSteps are the states that can follow one another. What was sent and proves not to have arrived is planned again.
var orderSteps = map[OrderState][]OrderState{
	OrderPlanned: {OrderSent, OrderOvertaken},
	OrderSent:    {OrderConfirmed, OrderRefused, OrderOvertaken, OrderUnknown, OrderPlanned},
	OrderUnknown: {OrderConfirmed, OrderRefused, OrderOvertaken, OrderPlanned},
}

// CanBecome reports whether a state may follow another one. Confirmed, refused and overtaken are final.
func (s OrderState) CanBecome(next OrderState) bool {
	for _, n := range orderSteps[s] {
		if n == next {
			return true
		}
	}
	return s == next
}

// Settled reports whether a state is final.
func (s OrderState) Settled() bool {
	return s == OrderConfirmed || s == OrderRefused || s == OrderOvertaken
}
