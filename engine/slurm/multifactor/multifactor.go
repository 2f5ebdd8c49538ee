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
	// PriorityWeightTRES, in the order of the cluster's resources
	TRES []Weight
}

// A Weight is the weight of one kind of resource.
type Weight struct {
	Name  string // "cpu", "gres/gpu", "license/matlab"
	Value float64
}

// A Policy has the settings that priorities depend on.
type Policy struct {
	Weights
	MaxAge     time.Duration      // PriorityMaxAge: the age factor stops growing; whole minutes
	FavorSmall bool               // PriorityFavorSmall
	FairTree   bool               // PriorityFlags has no NO_FAIR_TREE
	Nodes      int                // of the cluster, for the job size factor
	CPUs       int                // of the cluster, for the job size factor
	Total      map[string]float64 // amount of each resource in the partition, by name
}

// Fair is the fair-share factor of each user, by the algorithm of the policy. It first decays usage by the
// factor.
func (p *Policy) Fair(root *Assoc, decay float64) map[*Assoc]float64 {
	if p.FairTree {
		return FairTree(root, decay)
	}
	return Classic(root, decay)
}

// A Job has the properties that the plugin uses.
type Job struct {
	Number    uint32
	Accrued   time.Time // start of its age: submission with PriorityFlags=ACCRUE_ALWAYS
	Nodes     int       // least number requested
	CPUs      int
	TRES      map[string]float64 // requested, by name
	Total     map[string]float64 // of its partition; nil for the Total of the policy
	Fairshare float64            // of its association
	Assoc     float64            // priority of its association divided by the greatest one
	Partition float64            // priority of the partition divided by the greatest one
	QOS       float64            // priority of the QOS divided by the greatest one
	Nice      int64
	Site      int64 // set by a plugin or script of the site
}

// Parts are the weighted factors of a job.
type Parts struct {
	Age, Assoc, Fairshare, JobSize, Partition, QOS float64
	TRES                                           []float64 // in the order of the policy's weights
	Nice, Site                                     int64
}

// Parts are the weighted factors of a job at a moment (M1, M4).
func (p *Policy) Parts(j *Job, at time.Time) Parts {
	parts := Parts{Age: p.age(j, at) * float64(p.Age), Assoc: j.Assoc * float64(p.Assoc),
		Fairshare: j.Fairshare * float64(p.Fairshare),
		JobSize:   p.size(j) * float64(p.JobSize), Partition: j.Partition * float64(p.Partition),
		QOS: j.QOS * float64(p.QOS), Nice: j.Nice,
		Site: j.Site}
	total := j.Total
	if total == nil {
		total = p.Total
	}
	for _, w := range p.TRES {
		part := 0.0
		if all := total[w.Name]; all > 0 {
			part = j.TRES[w.Name] / all
		}
		parts.TRES = append(parts.TRES, part*w.Value)
	}
	return parts
}

// highest is the greatest priority that there is.
const highest = math.MaxUint32

// Priority is the sum of the parts in the server's order of addition, cut to a whole number of at least 1
// (M1).
func (w Parts) Priority() uint32 {
	tres := 0.0
	for _, v := range w.TRES {
		tres += v
	}
	sum := w.Age + w.Assoc + w.Fairshare + w.JobSize + w.Partition + w.QOS + tres + float64(w.Site) - float64(w.Nice)
	return uint32(max(1, min(math.Trunc(sum), highest)))
}

// Priority is the priority of a job at a moment.
func (p *Policy) Priority(j *Job, at time.Time) uint32 { return p.Parts(j, at).Priority() }

// age grows from 0 when it begins to count to 1 at MaxAge, by whole seconds (M2).
func (p *Policy) age(j *Job, at time.Time) float64 {
	age, most := at.Unix()-j.Accrued.Unix(), int64(p.MaxAge/time.Second)
	switch {
	case age >= most:
		return 1
	case age <= 0:
		return 0
	}
	return float64(age) / float64(most)
}

// size is the mean of the parts of all nodes and of all CPUs that the job asks for, or does not ask for (M3).
func (p *Policy) size(j *Job) float64 {
	if p.Nodes <= 0 || p.CPUs <= 0 {
		return 0
	}
	nodes, cpus := float64(max(j.Nodes, 1)), float64(j.CPUs)
	if p.FavorSmall {
		nodes, cpus = float64(p.Nodes)-nodes, float64(p.CPUs)-cpus
	}
	size := nodes / float64(p.Nodes)
	if j.CPUs > 0 {
		size = (size + cpus/float64(p.CPUs)) / 2
	}
	return max(0, min(1, size))
}

// A Ranked job is a job with its priority.
type Ranked struct {
	*Job
	Priority uint32
}

// Order sorts jobs as the scheduler tries them: by priority, then by number (M11).
func (p *Policy) Order(jobs []Job, at time.Time) []Ranked {
	list := make([]Ranked, 0, len(jobs))
	for i := range jobs {
		list = append(list, Ranked{&jobs[i], p.Priority(&jobs[i], at)})
	}
	slices.SortStableFunc(list, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Number, b.Number))
	})
	return list
}
