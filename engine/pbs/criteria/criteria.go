package criteria

import (
	"cmp"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A Kind is the type of a criterion. job_sort_key can give several criteria of one kind.
type Kind uint8

// The kinds. An earlier one decides before a later one.
const (
	Reservation Kind = iota // jobs of a running reservation
	Turn                    // round_robin: queues take turns; no comparison of two jobs shows this
	Express                 // by_queue: express and preempted jobs
	Queue                   // by_queue
	Level                   // preempt priority
	Preempted
	Formula // job_sort_formula
	Fairshare
	Key     // a job_sort_key
	Arrival // queue_rank
	Rank    // the server's own order
)

// A Criterion is one value by which the cycle sorts jobs.
type Criterion struct {
	Kind   Kind
	Name   string // "preempt priority"; for a job_sort_key its resource
	First  string // which jobs come first: "higher is sooner"
	Words  string // its part of a sentence about the whole order; empty if such a sentence leaves it out
	Column string // its column in a table of jobs, with its name in formulas if it has one; empty for no column
	Rare   bool   // shown only if some job has a value other than 0

	Value   func(s *JobValues) float64    // the compared value as one number; nil if there is no such number
	compare func(a, b *JobValues) float64 // negative where the first job comes first; nil for Turn
}

// Compare is negative if a comes first, positive if b does, and 0 if both are equal by this criterion.
func (c *Criterion) Compare(a, b *JobValues) int {
	if c.compare == nil {
		return 0
	}
	return cmp.Compare(c.compare(a, b), 0)
}

// Compares reports whether the criterion can compare two jobs.
func (c *Criterion) Compares() bool { return c.compare != nil }

// List has the criteria of a policy and a job_sort_formula, empty for none. The most important criterion is
// first.
func List(p *model.CyclePolicy, formula string) []Criterion {
	list := append([]Criterion{reservation}, queues(p)...)
	if p.Preemptive {
		list = append(list, level)
	}
	list = append(list, preempted)
	if formula != "" {
		list = append(list, byFormula(formula))
	}
	if p.FairShare {
		list = append(list, byFairshare)
	}
	for i, k := range p.JobSortKeys {
		list = append(list, byKey(i, k))
	}
	return append(list, arrival, rank)
}

// queues is what the policy says of queues; round_robin is obeyed where by_queue is on too (quirk P13).
func queues(p *model.CyclePolicy) []Criterion {
	switch {
	case p.RoundRobin:
		return []Criterion{turn}
	case p.ByQueue:
		return []Criterion{express, byQueue}
	}
	return nil
}

// Decides is the first criterion by which two jobs differ, nil if there is none.
func Decides(list []Criterion, a, b *JobValues) *Criterion {
	for i := range list {
		if list[i].Compare(a, b) != 0 {
			return &list[i]
		}
	}
	return nil
}

// Words describes the order of jobs as a list: one criterion after the other, the most important first.
func Words(list []Criterion) (words []string) {
	for i := range list {
		if list[i].Words != "" {
			words = append(words, list[i].Words)
		}
	}
	return words
}

var reservation = Criterion{Kind: Reservation, Name: "reservation",
	First: "jobs of a running reservation come first", Rare: true,
	Value:   func(s *JobValues) float64 { return truth(s.Reserved) },
	compare: func(a, b *JobValues) float64 { return truth(b.Reserved) - truth(a.Reserved) }}

var turn = Criterion{Kind: Turn, Name: "queue", Words: "queues of equal priority take turns (round_robin)",
	Column: "queue_priority"}

var express = Criterion{Kind: Express, Name: "express", First: "express and preempted jobs come first", Rare: true,
	Value:   func(s *JobValues) float64 { return truth(s.Express) },
	compare: func(a, b *JobValues) float64 { return truth(b.Express) - truth(a.Express) }}

var byQueue = Criterion{Kind: Queue, Name: "queue", First: "queues of higher priority come first (by_queue)",
	Words:  "queue by queue, by priority (by_queue)",
	Column: "queue_priority", Value: func(s *JobValues) float64 { return float64(s.QueuePlace) },
	compare: compareQueues}

// compareQueues leaves express and preempted jobs to the criteria behind it: they come before all queues.
func compareQueues(a, b *JobValues) float64 {
	if a.Express && b.Express {
		return 0
	}
	return float64(a.QueuePlace - b.QueuePlace)
}

var level = Criterion{Kind: Level, Name: "preempt priority", First: "higher is sooner", Words: "preempt priority",
	Column: "preempt_priority",
	Value:  func(s *JobValues) float64 { return float64(s.Level) }, compare: func(a, b *JobValues) float64 {
		return float64(b.Level - a.Level)
	}}

var preempted = Criterion{Kind: Preempted, Name: "preempted",
	First: "preempted jobs come first, the earliest preempted first", Rare: true,
	Value: func(s *JobValues) float64 { return whenPreempted(s) }, compare: comparePreempted}

// whenPreempted is in seconds since 1970, 0 for a job that was not preempted.
func whenPreempted(s *JobValues) float64 {
	if s.Preempted.IsZero() {
		return 0
	}
	return float64(s.Preempted.Unix())
}

func comparePreempted(a, b *JobValues) float64 {
	x, y := whenPreempted(a), whenPreempted(b)
	if x == 0 || y == 0 {
		return y - x
	}
	return x - y
}

func byFormula(text string) Criterion {
	return Criterion{Kind: Formula, Name: "formula", First: "higher is sooner", Words: "job_sort_formula = " +
		text + ", higher first", Column: "formula",
		Value: func(s *JobValues) float64 { return float64(s.Formula) },
		// A value that is no number is neither less nor more than another.
		compare: func(a, b *JobValues) float64 { return truth(a.Formula < b.Formula) - truth(a.Formula > b.Formula) }}
}

var byFairshare = Criterion{Kind: Fairshare, Name: "fairshare",
	First: "less usage for its share is sooner, level by level from the root",
	Words: "fairshare (lower usage/perc first, level by level from the root)", Column: "usage/perc",
	compare: compareEntities}

func compareEntities(a, b *JobValues) float64 {
	if a.Node == b.Node || a.Node == nil || b.Node == nil {
		return 0
	}
	return float64(fairshare.Compare(a.Node, b.Node))
}

func byKey(i int, k model.SortKey) Criterion {
	value := func(s *JobValues) float64 {
		if i < len(s.Keys) {
			return s.Keys[i]
		}
		return 0
	}
	sign, word, first := 1.0, "LOW", "lower is sooner (job_sort_key LOW)"
	if k.Descending {
		sign, word, first = -1, "HIGH", "higher is sooner (job_sort_key HIGH)"
	}
	return Criterion{Kind: Key, Name: k.Resource, First: first, Words: "job_sort_key " + k.Resource + " " + word,
		Column:  nameInFormula(k.Resource),
		Value:   value,
		compare: func(a, b *JobValues) float64 { return sign * float64(cmp.Compare(value(a), value(b))) }}
}

// nameInFormula is a formula's name for the resource of a job_sort_key.
func nameInFormula(key string) string {
	switch key {
	case "sort_priority":
		return "job_priority"
	case "fair_share_perc":
		return "fairshare_perc"
	}
	return key
}

var arrival = Criterion{Kind: Arrival, Name: "arrival", First: "among equals, earlier is sooner",
	Words: "the job that was queued first", Value: func(s *JobValues) float64 { return float64(s.QueueRank) },
	compare: func(a, b *JobValues) float64 { return float64(cmp.Compare(a.QueueRank, b.QueueRank)) }}

var rank = Criterion{Kind: Rank, Name: "server's order", First: "among equals, as the server lists them",
	Value: func(s *JobValues) float64 { return float64(s.Rank) }, compare: func(a, b *JobValues) float64 {
		return float64(a.Rank - b.Rank)
	}}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
