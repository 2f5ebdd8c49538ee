package criteria

import (
	"cmp"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A Kind tells criteria apart; job_sort_key can give several of one kind.
type Kind uint8

// The kinds, in the order in which they decide.
const (
	Reservation Kind = iota // jobs of a reservation that runs
	Turn                    // round_robin: queues take turns, which no comparison of two jobs says
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

// A Criterion is one of the things that jobs are sorted by.
type Criterion struct {
	Kind   Kind
	Name   string // "preempt priority"; of a job_sort_key its resource
	First  string // which jobs come first: "higher is sooner"
	Words  string // its part of a sentence about the whole order; empty for one that such a sentence leaves out
	Column string // of a table of jobs, in the words of a formula where it has one; empty for none
	Rare   bool   // it means something only where some job has another value than 0

	Value   func(s *Stand) float64    // what is compared, as one number; nil where one does not say it
	compare func(a, b *Stand) float64 // negative where the first job comes first; nil for Turn
}

// Compare is negative where the first job comes first, positive where the second does, 0 where the
// criterion does not tell them apart.
func (c *Criterion) Compare(a, b *Stand) int {
	if c.compare == nil {
		return 0
	}
	return cmp.Compare(c.compare(a, b), 0)
}

// Compares reports whether the criterion says of two jobs which one comes first.
func (c *Criterion) Compares() bool { return c.compare != nil }

// List is what jobs are sorted by under a policy and a job_sort_formula, empty for none.
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

// Decides is the criterion of a list that tells two jobs apart, nil where none does.
func Decides(list []Criterion, a, b *Stand) *Criterion {
	for i := range list {
		if list[i].Compare(a, b) != 0 {
			return &list[i]
		}
	}
	return nil
}

// Words are those of a list in which the order of jobs can be told: criterion by criterion, the most important first.
func Words(list []Criterion) (words []string) {
	for i := range list {
		if list[i].Words != "" {
			words = append(words, list[i].Words)
		}
	}
	return words
}

var reservation = Criterion{Kind: Reservation, Name: "reservation",
	First: "jobs of a reservation that runs come first", Rare: true,
	Value:   func(s *Stand) float64 { return truth(s.Reserved) },
	compare: func(a, b *Stand) float64 { return truth(b.Reserved) - truth(a.Reserved) }}

var turn = Criterion{Kind: Turn, Name: "queue", Words: "queues of equal priority take turns (round_robin)",
	Column: "queue_priority"}

var express = Criterion{Kind: Express, Name: "express", First: "express and preempted jobs come first", Rare: true,
	Value:   func(s *Stand) float64 { return truth(s.Express) },
	compare: func(a, b *Stand) float64 { return truth(b.Express) - truth(a.Express) }}

var byQueue = Criterion{Kind: Queue, Name: "queue", First: "queues of higher priority come first (by_queue)",
	Words:  "queue by queue, by priority (by_queue)",
	Column: "queue_priority", Value: func(s *Stand) float64 { return float64(s.QueuePlace) }, compare: compareQueues}

// compareQueues leaves express and preempted jobs to the criteria behind it: they come before all queues.
func compareQueues(a, b *Stand) float64 {
	if a.Express && b.Express {
		return 0
	}
	return float64(a.QueuePlace - b.QueuePlace)
}

var level = Criterion{Kind: Level, Name: "preempt priority", First: "higher is sooner", Words: "preempt priority",
	Column: "preempt_priority",
	Value:  func(s *Stand) float64 { return float64(s.Level) }, compare: func(a, b *Stand) float64 {
		return float64(b.Level - a.Level)
	}}

var preempted = Criterion{Kind: Preempted, Name: "preempted",
	First: "preempted jobs come first, the earliest before others", Rare: true,
	Value: func(s *Stand) float64 { return whenPreempted(s) }, compare: comparePreempted}

// whenPreempted is in seconds since 1970, 0 for a job that was not preempted.
func whenPreempted(s *Stand) float64 {
	if s.Preempted.IsZero() {
		return 0
	}
	return float64(s.Preempted.Unix())
}

func comparePreempted(a, b *Stand) float64 {
	x, y := whenPreempted(a), whenPreempted(b)
	if x == 0 || y == 0 {
		return y - x
	}
	return x - y
}

func byFormula(text string) Criterion {
	return Criterion{Kind: Formula, Name: "formula", First: "higher is sooner", Words: "job_sort_formula = " +
		text + ", higher first", Column: "formula",
		Value: func(s *Stand) float64 { return float64(s.Formula) },
		// A value that is no number is neither less nor more than another.
		compare: func(a, b *Stand) float64 { return truth(a.Formula < b.Formula) - truth(a.Formula > b.Formula) }}
}

var byFairshare = Criterion{Kind: Fairshare, Name: "fairshare",
	First: "less usage for its share is sooner, level by level from the top",
	Words: "fairshare, level by level from the root: less usage/perc first", Column: "usage/perc",
	compare: compareEntities}

func compareEntities(a, b *Stand) float64 {
	if a.Node == b.Node || a.Node == nil || b.Node == nil {
		return 0
	}
	return float64(fairshare.Compare(a.Node, b.Node))
}

func byKey(i int, k model.SortKey) Criterion {
	value := func(s *Stand) float64 {
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
		Column: nameInFormula(k.Resource),
		Value:  value, compare: func(a, b *Stand) float64 { return sign * float64(cmp.Compare(value(a), value(b))) }}
}

// nameInFormula is what a formula calls that which a job_sort_key names.
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
	Words: "who was queued first", Value: func(s *Stand) float64 { return float64(s.QueueRank) },
	compare: func(a, b *Stand) float64 { return float64(cmp.Compare(a.QueueRank, b.QueueRank)) }}

var rank = Criterion{Kind: Rank, Name: "server's order", First: "among equals, as the server lists them",
	Value: func(s *Stand) float64 { return float64(s.Rank) }, compare: func(a, b *Stand) float64 {
		return float64(a.Rank - b.Rank)
	}}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
