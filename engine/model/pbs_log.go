package model

import "time"

// A SchedCycle is one scheduler cycle in the scheduler's log.
type SchedCycle struct {
	Start  time.Time
	End    time.Time // zero if the log ends before the cycle
	Events []CycleEvent
}

// A FairRead is a moment at which the scheduler read the usage file: its start, or SIGHUP.
type FairRead struct {
	At      time.Time
	Created bool // there was no file: nobody had usage
}

// A CycleEvent is one line of a cycle in the log.
type CycleEvent struct {
	At     time.Time
	Kind   EventKind
	Object string // job id; for other lines the object in the log
	Text   string // the message; a formula's value as printed, or a reason
	Start  time.Time
}

// An EventKind is the kind of a line in the scheduler's log.
type EventKind string

// The kinds of events. Object is a job, except in the last four.
const (
	EventFormula      EventKind = "formula"        // Text is the printed value
	EventFormulaError EventKind = "formula error"  // Text is Python's message
	EventThreshold    EventKind = "threshold"      // under job_sort_formula_threshold
	EventConsidered   EventKind = "considered"     // the scheduler tries the job
	EventRun          EventKind = "run"            // it starts or is resumed
	EventNotRun       EventKind = "not run"        // Text is the reason
	EventEstimate     EventKind = "estimate"       // the start of a top job is estimated
	EventTopJob       EventKind = "top job"        // Start is the predicted start
	EventTopJobFailed EventKind = "top job failed" // no estimate
	EventTopJobUsage  EventKind = "top job usage"  // Object is an entity whose usage rose because of a top job
	EventPreempted    EventKind = "preempted"      // Text is the method
	EventSimulated    EventKind = "simulated"      // preemption or a job's end is simulated
	EventShrunk       EventKind = "shrunk"         // a shrink-to-fit job is tried or run with less time
	EventNever        EventKind = "never"          // it can never run; Text is the reason
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

// An AccountingRecord is a line of an accounting file: one event of a job or reservation.
type AccountingRecord struct {
	At     time.Time
	Type   string // "Q", "S", "E", "D", "A", "a", "z", "r" …
	ID     string // job or reservation; empty or a server's name for licenses
	Fields []Setting
	Text   string // if it is no list of key=value
}

// Value is a field of the record, empty for none.
func (r *AccountingRecord) Value(name string) string {
	v, _ := Text(r.Fields, name)
	return v
}

// A FairReport is a node of the fairshare tree in the output of pbsfs. Numbers have the printed digits.
type FairReport struct {
	Name      string
	Depth     int   // from pbsfs -t; else 0
	Group     int32 // Grp: the group of the node
	Cresgroup int32 // cgrp: the group of its children
	Shares    int32
	Usage     float64
	Percent   float64 // Perc, of 100
	Listed    bool    // from pbsfs -p: numbers after Cresgroup are known
}

// A FairEntity is the output of pbsfs -g for one node.
type FairEntity struct {
	Name         string
	Group        int32
	Cresgroup    int32
	Shares       int32
	Percentage   float64 // as a fraction of 1, as printed, with a percent sign after it
	TreeUsage    float64 // fairshare_tree_usage, NaN in releases without it
	Usage        float64
	Unit         string // of usage: fairshare_usage_res
	UsagePerPerc float64
	Path         []FairStep // from the root
	Lines        []Setting  // every label and value, as printed
}

// A FairStep is a node of the path that pbsfs -g prints.
type FairStep struct {
	Name                        string
	Cresgroup                   int32
	Usage, Percentage, Quotient float64
}

// A FairComparison is the output of pbsfs -c for two entities.
type FairComparison struct {
	A, B   string
	Winner string // the more deserving entity; empty if they are equal
}

// Considered lists the jobs that the cycle considered, in order; an array appears each time.
func (c *SchedCycle) Considered() []string {
	var ids []string
	for _, e := range c.Of(EventConsidered) {
		ids = append(ids, e.Object)
	}
	return ids
}
