package model

import "time"

// A SchedCycle is one scheduler cycle as the scheduler's log tells it.
type SchedCycle struct {
	Start  time.Time
	End    time.Time // zero where the log ends before the cycle does
	Events []CycleEvent
}

// A CycleEvent is one line of a cycle in the log.
type CycleEvent struct {
	At     time.Time
	Kind   EventKind
	Object string // job id; for other lines what the log names
	Text   string // the message; a formula's value as printed, or a reason
	Start  time.Time
}

// An EventKind says what a line of the scheduler's log tells.
type EventKind string

// The kinds of events. Object is a job in all but the last four.
const (
	EventFormula      EventKind = "formula"        // Text is the printed value
	EventFormulaError EventKind = "formula error"  // Text is what Python said
	EventThreshold    EventKind = "threshold"      // under job_sort_formula_threshold
	EventConsidered   EventKind = "considered"     // the scheduler tries the job
	EventRun          EventKind = "run"            // it starts, or is resumed
	EventNotRun       EventKind = "not run"        // Text is the reason
	EventEstimate     EventKind = "estimate"       // the start of a top job is being estimated
	EventTopJob       EventKind = "top job"        // Start is the predicted start
	EventTopJobFailed EventKind = "top job failed" // no estimate
	EventTopJobUsage  EventKind = "top job usage"  // Object is an entity whose usage rose by a top job
	EventPreempted    EventKind = "preempted"      // Text says by what method
	EventSimulated    EventKind = "simulated"      // preemption or a job's end is simulated
	EventShrunk       EventKind = "shrunk"         // a shrink-to-fit job is tried with less time, or runs with it
	EventNever        EventKind = "never"          // can never run; Text is the reason
	EventQrun         EventKind = "qrun"           // a request of qrun
	EventFairshare    EventKind = "fairshare"      // Decaying Fairshare Tree, Usage Sync …
	EventPrime        EventKind = "prime"          // It is primetime …
	EventReservation  EventKind = "reservation"    // a reservation is confirmed, denied …
	EventOther        EventKind = "other"
)

// Of lists the events of one kind, in the log's order.
func (c *SchedCycle) Of(kind EventKind) []CycleEvent {
	var list []CycleEvent
	for _, e := range c.Events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

// An AccountingRecord is a line of an accounting file: a moment in the life of a job or reservation.
type AccountingRecord struct {
	At     time.Time
	Type   string // "Q", "S", "E", "D", "A", "a", "z", "r" …
	ID     string // job or reservation; empty or a server's name for licences
	Fields []Setting
	Text   string // where it is no list of key=value
}

// Value is a field of the record, empty for none.
func (r *AccountingRecord) Value(name string) string {
	v, _ := Text(r.Fields, name)
	return v
}

// A FairReport is a node of the fairshare tree as pbsfs prints it. Numbers hold the printed digits.
type FairReport struct {
	Name      string
	Depth     int   // where pbsfs -t tells it; 0 else
	Group     int32 // Grp: the group that the node is in
	Cresgroup int32 // cgrp: the group of its children
	Shares    int32
	Usage     float64
	Percent   float64 // Perc, of 100
	Listed    bool    // by pbsfs -p: numbers beyond Cresgroup are known
}

// A FairEntity is what pbsfs -g prints of one node.
type FairEntity struct {
	Name         string
	Group        int32
	Cresgroup    int32
	Shares       int32
	Percentage   float64 // of 1… as printed, with a percent sign behind it
	TreeUsage    float64 // fairshare_tree_usage, NaN in releases before it
	Usage        float64
	Unit         string // of usage: fairshare_usage_res
	UsagePerPerc float64
	Path         []FairStep // from the root
	Lines        []Setting  // every label with its value, as printed
}

// A FairStep is a node of the path that pbsfs -g prints.
type FairStep struct {
	Name                        string
	Cresgroup                   int32
	Usage, Percentage, Quotient float64
}

// A FairComparison is what pbsfs -c printed of two entities.
type FairComparison struct {
	A, B   string
	Winner string // the entity that is more deserving; empty where they are equal
}

// Considered lists the jobs that the cycle considered, in its order; an array once for each time.
func (c *SchedCycle) Considered() []string {
	var ids []string
	for _, e := range c.Of(EventConsidered) {
		ids = append(ids, e.Object)
	}
	return ids
}
