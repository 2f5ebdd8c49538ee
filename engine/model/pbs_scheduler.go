package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Scheduler is the scheduler whose cycles qprism plans: the requested one, or the one whose files the
// snapshot has. If neither is known, it is the one named "default", which serves everything without a
// partition. If there is none of that name, it is the first one. If there is none at all, it has the
// defaults of pbs_sched_attributes(7B).
func (p *PBS) Scheduler() *PBSScheduler {
	if s := p.SchedulerNamed(cmp.Or(p.Planned, p.FilesOf, DefaultScheduler)); s != nil {
		return s
	}
	if len(p.Schedulers) > 0 {
		return &p.Schedulers[0]
	}
	return &PBSScheduler{Name: DefaultScheduler, PreemptQueuePrio: 150, PreemptPrio: "express_queue, normal_jobs",
		PreemptOrder: "SCR"}
}

// DefaultScheduler is the name of the scheduler for everything without a partition.
const DefaultScheduler = "default"

// SchedulerNamed is the scheduler of a name, nil for none.
func (p *PBS) SchedulerNamed(name string) *PBSScheduler {
	for i := range p.Schedulers {
		if p.Schedulers[i].Name == name {
			return &p.Schedulers[i]
		}
	}
	return nil
}

// PlannedBy is p with another scheduler to plan. It removes options, tree and log, because they belong to
// the scheduler whose files the bundle has. ok is false if the bundle does not name the other scheduler.
func (p *PBS) PlannedBy(name string) (planned *PBS, ok bool) {
	s := p.SchedulerNamed(name)
	if s == nil {
		return nil, false
	}
	own := *p
	own.Planned = name
	if name == cmp.Or(p.FilesOf, DefaultScheduler) {
		return &own, true
	}
	own.Formula = cmp.Or(p.Server.Formula, s.Formula)
	own.SchedConfig, own.Fairshare, own.Holidays, own.Dedicated = DefaultSchedConfig(),
		Fairshare{Policy: DefaultFairsharePolicy()},
		Holidays{}, nil
	own.Fair, own.FairEntities, own.FairPairs, own.Cycles = nil, nil, nil, nil
	return &own, true
}

// Serves reports whether the scheduler manages the vnodes and queues of a partition.
func (s *PBSScheduler) Serves(partition string) bool {
	if s.Name == DefaultScheduler && (partition == "" || partition == "pbs-default") {
		return true
	}
	return partition != "" && slices.Contains(CommaList(s.Partition), partition)
}

// PlannedBy is the snapshot with another scheduler to plan; for an empty name the same snapshot. The error
// lists the schedulers.
func (s *Snapshot) PlannedBy(name string) (*Snapshot, error) {
	switch {
	case name == "":
		return s, nil
	case s.PBS == nil:
		return nil, errors.New("it is for bundles of PBS: Grid Engine has one scheduler")
	}
	own := *s
	planned, ok := s.PBS.PlannedBy(name)
	if own.PBS = planned; ok {
		return &own, nil
	}
	var names []string
	for i := range s.PBS.Schedulers {
		names = append(names, strconv.Quote(s.PBS.Schedulers[i].Name))
	}
	return nil, fmt.Errorf("the bundle names no scheduler %q; its schedulers: %s", name,
		cmp.Or(strings.Join(names, ", "), "none"))
}

// SchedulerOf is the planned PBS scheduler, and the number of schedulers; nil and 0 for Grid Engine.
func (s *Snapshot) SchedulerOf() (sched *PBSScheduler, of int) {
	if s.PBS == nil {
		return nil, 0
	}
	return s.PBS.Scheduler(), len(s.PBS.Schedulers)
}

// ServedElsewhere is the scheduler of a queue, if it is not the planned one; else nil.
func (s *Snapshot) ServedElsewhere(queue string) *PBSScheduler {
	i := slices.IndexFunc(s.Queues, func(q Queue) bool { return q.Name == queue && q.PBS != nil })
	if i < 0 || s.PBS.Scheduler().Serves(s.Queues[i].PBS.Partition) {
		return nil
	}
	for k := range s.PBS.Schedulers {
		if sched := &s.PBS.Schedulers[k]; sched.Serves(s.Queues[i].PBS.Partition) {
			return sched
		}
	}
	return nil
}

// FormulaThreshold is job_sort_formula_threshold; ok is false if it is unset or no number.
func (s *PBSScheduler) FormulaThreshold() (value float64, ok bool) {
	if s.Threshold == "" {
		return 0, false
	}
	return PBSAmount(s.Threshold)
}

// SetFormula sets the formula of the server and of all its schedulers. It does not change other copies of the
// snapshot.
func (p *PBS) SetFormula(text string) {
	p.Formula, p.Server.Formula = text, text
	p.eachScheduler(func(s *PBSScheduler) { s.Formula = text })
}

// SetThreshold sets the threshold of all schedulers; empty for none.
func (p *PBS) SetThreshold(text string) {
	p.eachScheduler(func(s *PBSScheduler) { s.Threshold = text })
}

func (p *PBS) eachScheduler(set func(*PBSScheduler)) {
	p.Schedulers = slices.Clone(p.Schedulers)
	for i := range p.Schedulers {
		set(&p.Schedulers[i])
	}
}

// SchedulerInterval is the longest time between two runs: schedule_interval, or scheduler_iteration of PBS; 0
// if unknown.
func (s *Snapshot) SchedulerInterval() time.Duration {
	if s.PBS != nil {
		return s.PBS.Scheduler().SchedulerIteration
	}
	return s.Policy.ScheduleInterval
}

// CommaList splits a list at commas, without the white space of isspace(3) around its members.
func CommaList(value string) []string {
	var list []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.Trim(item, " \t\n\v\f\r"); item != "" {
			list = append(list, item)
		}
	}
	return list
}
