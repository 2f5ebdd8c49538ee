// Package multifactor computes job priorities as the multifactor plugin of Slurm does: a weighted sum of factors between 0 and 1,
// less what nice takes away, as a whole number.
//
// The source is Slurm's own documentation: "Multifactor Priority Plugin", "Classic Fairshare Algorithm" and "Fair Tree Fairshare
// Algorithm" (slurm.schedmd.com), and slurm.conf(5). No Slurm server was asked; the documents' worked examples are tests.
package multifactor

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Weights are the PriorityWeight parameters of slurm.conf(5).
type Weights struct {
	Age, Assoc, Fairshare, JobSize, Partition, QOS uint32
	TRES                                           []Weight // PriorityWeightTRES, in its order
}

// A Weight is that of one kind of resource.
type Weight struct {
	Name  string // "cpu", "gres/gpu", "license/matlab"
	Value float64
}

// A Policy is how priorities are computed.
type Policy struct {
	Weights
	MaxAge     time.Duration      // PriorityMaxAge: from when on age counts no more
	FavorSmall bool               // PriorityFavorSmall
	FairTree   bool               // no PriorityFlags=NO_FAIR_TREE
	Nodes      int                // of the cluster, for the size of jobs
	Total      map[string]float64 // of each resource in the cluster, by name
}

// A Job is what the plugin looks at.
type Job struct {
	Number    uint32
	Submitted time.Time // and with it, where nothing accrues otherwise (PriorityFlags=ACCRUE_ALWAYS), the beginning of its age
	Nodes     int
	TRES      map[string]float64 // asked for, by name
	Fairshare float64            // factor of its association
	Assoc     float64            // priority of its association, as a part of the greatest
	Partition float64            // likewise
	QOS       float64            // likewise
	Nice      int64
}

// highest is the greatest priority that there is.
const highest = math.MaxUint32

// Priority is the weighted sum of a job's factors at a moment, at least 1. What the parts come to is cut to a whole number.
func (p *Policy) Priority(j *Job, at time.Time) uint32 {
	sum := float64(p.Age)*p.age(j, at) + float64(p.Assoc)*j.Assoc + float64(p.Fairshare)*j.Fairshare + float64(p.JobSize)*p.size(j) +
		float64(p.Partition)*j.Partition + float64(p.QOS)*j.QOS
	for _, w := range p.TRES {
		if all := p.Total[w.Name]; all > 0 {
			sum += w.Value * min(1, j.TRES[w.Name]/all)
		}
	}
	sum -= float64(j.Nice)
	return uint32(max(1, min(math.Trunc(sum), highest)))
}

// age grows from 0 at submission to 1 at MaxAge.
func (p *Policy) age(j *Job, at time.Time) float64 {
	if p.MaxAge <= 0 {
		return 0
	}
	return max(0, min(1, at.Sub(j.Submitted).Seconds()/p.MaxAge.Seconds()))
}

// size is the part of all nodes that the job asks for, or does not ask for.
func (p *Policy) size(j *Job) float64 {
	if p.Nodes <= 0 {
		return 0
	}
	nodes := float64(min(max(j.Nodes, 1), p.Nodes))
	if p.FavorSmall {
		return (float64(p.Nodes) - nodes + 1) / float64(p.Nodes)
	}
	return nodes / float64(p.Nodes)
}

// A Ranked job has its priority.
type Ranked struct {
	*Job
	Priority uint32
}

// Order lists jobs as they are considered: by priority, then by submission, then by number.
func (p *Policy) Order(jobs []Job, at time.Time) []Ranked {
	list := make([]Ranked, 0, len(jobs))
	for i := range jobs {
		list = append(list, Ranked{&jobs[i], p.Priority(&jobs[i], at)})
	}
	slices.SortStableFunc(list, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), a.Submitted.Compare(b.Submitted), cmp.Compare(a.Number, b.Number))
	})
	return list
}
