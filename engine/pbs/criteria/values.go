package criteria

import (
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// JobValues has the values of one job that a cycle compares to sort the jobs.
type JobValues struct {
	model.Rating // also in the plan
	Job          *model.Job
	Place        int // among the jobs that the cycle considers, from 1; 0 for other jobs
	// Why says why the cycle does not consider it; empty for running and held jobs.
	Why []model.Reason

	Queue         string
	QueuePriority int
	QueuePlace    int    // of its queue among all queues, by priority with by_queue or round_robin
	Waits         bool   // the cycle can try it
	Reserved      bool   // it belongs to a reservation that has begun
	Express       bool   // its queue is express, or it was preempted: by_queue takes such jobs first
	LevelOf       string // the words of preempt_prio that give its preempt priority
	Preempted     time.Time
	Input         formula.Input
	Node          *fairshare.Node // the entity that is charged; nil for none
	Keys          []float64       // for each job_sort_key
	QueueRank     int64
	Rank          int // in the server's own order
}
