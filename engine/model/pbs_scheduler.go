package model

import (
	"slices"
	"time"
)

// Scheduler is the scheduler that plans the cluster: the one named "default", which serves what has no partition; where the bundle
// names none of that name, the first; where it names none at all, one with the defaults of pbs_sched_attributes(7B).
func (p *PBS) Scheduler() *PBSScheduler {
	for i := range p.Schedulers {
		if p.Schedulers[i].Name == "default" {
			return &p.Schedulers[i]
		}
	}
	if len(p.Schedulers) > 0 {
		return &p.Schedulers[0]
	}
	return &PBSScheduler{Name: "default", PreemptQueuePrio: 150, PreemptPrio: "express_queue, normal_jobs", PreemptOrder: "SCR"}
}

// FormulaThreshold is job_sort_formula_threshold; ok is false where none is set, or what is set is no number.
func (s *PBSScheduler) FormulaThreshold() (value float64, ok bool) {
	if s.Threshold == "" {
		return 0, false
	}
	return PBSAmount(s.Threshold)
}

// SetFormula makes a formula that of the server and of all its schedulers. What the snapshot p belongs to was copied from is not
// touched.
func (p *PBS) SetFormula(text string) {
	p.Formula, p.Server.Formula = text, text
	p.eachScheduler(func(s *PBSScheduler) { s.Formula = text })
}

// SetThreshold makes a threshold, empty for none, that of all schedulers.
func (p *PBS) SetThreshold(text string) {
	p.eachScheduler(func(s *PBSScheduler) { s.Threshold = text })
}

func (p *PBS) eachScheduler(set func(*PBSScheduler)) {
	p.Schedulers = slices.Clone(p.Schedulers)
	for i := range p.Schedulers {
		set(&p.Schedulers[i])
	}
}

// SchedulerInterval is how often the scheduler runs at least: schedule_interval, or scheduler_iteration of PBS; 0 where the bundle
// does not say.
func (s *Snapshot) SchedulerInterval() time.Duration {
	if s.PBS != nil {
		return s.PBS.Scheduler().SchedulerIteration
	}
	return s.Policy.ScheduleInterval
}
