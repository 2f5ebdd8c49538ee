package criteria

import (
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A Stand is one job in the order of a cycle, with all that the cycle compares.
type Stand struct {
	model.Rating // what a plan says of it too
	Job          *model.Job
	Place        int // among the jobs that are considered, from 1; 0 for one that is not
	// Why says why it is not considered, where the cycle passes over it; none for jobs that run or are held.
	Why []model.Reason

	Queue         string
	QueuePriority int
	QueuePlace    int    // of its queue among all, by priority where by_queue or round_robin asks for that
	Waits         bool   // it can be tried
	Reserved      bool   // it belongs to a reservation whose time has come
	Express       bool   // its queue is express, or it was preempted: by_queue takes those first
	LevelOf       string // what gives it its preempt priority, in the words of preempt_prio
	Preempted     time.Time
	Input         formula.Input
	Node          *fairshare.Node // of the entity that is charged; nil where nobody is
	Keys          []float64       // by job_sort_key
	QueueRank     int64
	Rank          int // in the server's own order
}
