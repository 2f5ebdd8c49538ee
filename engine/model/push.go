package model

import (
	"errors"
	"time"
)

// ErrNoPush says that no push of that number is stored.
var ErrNoPush = errors.New("no such push")

// A Push is a set of orders for a cluster. It is stored before the first command is sent, and each order's state as it
// changes, so that after any interruption it is known what was sent and what may have been.
type Push struct {
	ID         int64
	Cluster    string    // as Snapshot.Cluster
	Identity   Identity  // of the cluster that it was planned for, which alone it may be sent to
	By         string    // who pushes: "user@host"
	Kind       string    // how the order is steered: "qalter -p", "qalter -l NAME", "qorder", "qrun"
	Undoes     int64     // the push whose orders these take back; 0 for none
	SnapshotAt time.Time // of the snapshot that it was planned from
	Begun      time.Time
	Ended      time.Time // zero while it is not finished
	Wanted     []string  // job ids in the wanted order
	Orders     []Order
	Outcome    string // in words, once it ended
}

// Open reports whether a push was begun and not finished.
func (p *Push) Open() bool { return p.Ended.IsZero() }

// An Order sets one thing of one job.
type Order struct {
	Job       string // id, as commands take it
	Attribute string // what is set: "priority", "Resource_List.NAME", "position", "state"
	From, To  string // its value before, and the one that is ordered
	Whose     string // who owns the job and when it was submitted: its number can be another job's later
	With      string // the job that it changes places with, where the command takes two
	WithWhose string // as Whose, of that job
	Why       string // in words, for people
	Call      int    // orders of one command have the same number, from 0 in the order of sending
	State     OrderState
	Words     string // what the master said of it
}

// An OrderState says how far an order got.
type OrderState string

const (
	OrderPlanned   OrderState = "planned"   // not sent
	OrderSent      OrderState = "sent"      // about to be sent, or sent and not yet read back
	OrderConfirmed OrderState = "confirmed" // the master has the ordered value
	OrderRefused   OrderState = "refused"   // the master said no, or changed the value on its way
	OrderOvertaken OrderState = "overtaken" // the job is gone or started, or somebody else changed it meanwhile
	OrderUnknown   OrderState = "unknown"   // no answer came, and it could not be read back
)

// orderSteps are the states that can follow one another. What was sent and proves not to have arrived is planned again.
var orderSteps = map[OrderState][]OrderState{
	OrderPlanned: {OrderSent, OrderOvertaken},
	OrderSent:    {OrderConfirmed, OrderRefused, OrderOvertaken, OrderUnknown, OrderPlanned},
	OrderUnknown: {OrderConfirmed, OrderRefused, OrderOvertaken, OrderPlanned},
}

// CanBecome reports whether an order may go from one state to another. What is confirmed, refused or overtaken stays so.
func (s OrderState) CanBecome(next OrderState) bool {
	for _, n := range orderSteps[s] {
		if n == next {
			return true
		}
	}
	return s == next
}

// Settled reports whether nothing more is to be learnt of an order.
func (s OrderState) Settled() bool {
	return s == OrderConfirmed || s == OrderRefused || s == OrderOvertaken
}
