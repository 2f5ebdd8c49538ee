package cluster

import (
	"slices"

	"qprism/engine/model"
)

// A Verdict is the result of a check that is made once for a category.
type Verdict struct {
	Known bool
	Not   *model.Reason // why no job of the category may run there; nil if the jobs may
}

func (v *Verdict) Set(why model.Reason, ok bool) {
	v.Known, v.Not = true, nil
	if !ok {
		kept := why // so that only what is kept is allocated
		v.Not = &kept
	}
}

// An Eligibility is where a category may run by the configuration. If nobody asks for reasons (Quiet), it also holds in
// later runs.
type Eligibility struct {
	Hosts []Verdict
	at    map[string]*admission // by parallel environment, "" for none
}

// An admission says where a category may go at all.
type admission struct {
	Clusters  []Verdict // for parallel jobs of more than one slot and then for one slot
	Instances []Verdict
	CanMaster []bool // with -masterq: the master task can go there
}

// A Register lasts from run to run, until the configuration changes. It compares where lists are in memory, not their
// entries: a changed configuration must be in new lists.
type Register struct {
	under      configuration
	jobs       []known                // of the last run, in the order of its snapshot
	categories map[string]*registered // by key
}

// A registered category has jobs in this run, or had some in the last one.
type registered struct {
	key         string
	eligibility *Eligibility
	run         *Cluster  // the last run that used it
	category    *Category // its category in this run
}

// A configuration names what decides who may go where: snapshots of one forecast share these lists.
type configuration struct {
	hosts      list[model.Host]
	queues     list[model.Queue]
	instances  list[model.QueueInstance]
	resources  list[model.Resource]
	usersets   list[model.Userset]
	hostGroups list[model.HostGroup]
	pes        list[model.PE]
	quotas     list[model.QuotaSet]
	quirks     model.Quirks
}

// A list tells slices apart by where they are.
type list[T any] struct {
	first *T
	n     int
}

func listOf[T any](l []T) list[T] {
	if len(l) == 0 {
		return list[T]{}
	}
	return list[T]{&l[0], len(l)}
}

// A known job has what a job asked for in the last run, and its category.
type known struct {
	number uint32
	asks   asks
	of     *registered
}

// Asks are what decides the category of a job.
type asks struct {
	owner                    Owner
	pe, checkpoint           string
	hard, soft               list[model.Request]
	hardQueues, masterQueues list[string]
	slots                    list[model.Range]
	master, slave            *model.Scope
	reservation              uint32
	immediate                bool
}

func asksOf(j *model.Job) asks {
	return asks{Owner{j.Owner, j.Group, j.Project}, j.PE, j.Checkpoint, listOf(j.Hard), listOf(j.Soft),
		listOf(j.HardQueues),
		listOf(j.MasterQueues), listOf(j.PERange), j.MasterScope, j.SlaveScope, j.Reservation, j.Immediate()}
}

// KeepRegister takes a register of earlier runs. If the configuration has changed since, the register is
// emptied.
func (r *Cluster) KeepRegister(k *Register) {
	s := r.Snapshot
	r.register = k
	now := configuration{listOf(s.Hosts), listOf(s.Queues), listOf(s.Instances), listOf(s.Resources),
		listOf(s.Usersets), listOf(s.HostGroups), listOf(s.PEs), listOf(s.Quotas), r.Quirks}
	if k.categories == nil || k.under != now {
		*k = Register{under: now, categories: map[string]*registered{}}
	}
}

// findCategories finds the category of each job. Most jobs were in the last run, in the same order, and new jobs come at
// the end. So findCategories goes through both lists once. If a new job comes earlier, all jobs behind it count as new.
// This takes longer, but gives the same result. Entry i overwrites only a record that was already read.
func (r *Cluster) findCategories(found func(i int, c *Category)) {
	k := r.register
	earlier, next := k.jobs, 0
	k.jobs = slices.Grow(k.jobs[:0], len(r.Snapshot.Jobs))
	for i := range r.Snapshot.Jobs {
		j := &r.Snapshot.Jobs[i]
		for next < len(earlier) && earlier[next].number != j.Number {
			next++
		}
		asks := asksOf(j)
		if next < len(earlier) && earlier[next].asks == asks {
			k.jobs = append(k.jobs, earlier[next])
		} else {
			k.jobs = append(k.jobs, known{j.Number, asks, k.named(r.CategoryOf(j).Key)})
		}
		next++
		found(i, r.registeredCategory(k.jobs[i].of, j))
	}
	clear(k.jobs[len(k.jobs):cap(k.jobs)])
}

// named returns the registered category with this key. It makes one if there is none.
func (k *Register) named(key string) *registered {
	of := k.categories[key]
	if of == nil {
		of = &registered{key: key, eligibility: &Eligibility{}}
		k.categories[key] = of
	}
	return of
}

// registeredCategory returns this run's category for a registered one. If there is none, j begins it.
func (r *Cluster) registeredCategory(of *registered, j *model.Job) *Category {
	if of.run != r {
		of.run, of.category = r, r.Categories[of.key]
		if of.category == nil {
			of.category = r.addCategory(of.key, j)
		}
	}
	return of.category
}

// standingOf is what is known of a category. Reasons name its first job, which is another one in another
// run, and an advance reservation begins and ends: then nothing lasts.
func (r *Cluster) standingOf(key string, first *model.Job) *Eligibility {
	if r.register == nil || r.Quiet == 0 || first.Reservation != 0 {
		return &Eligibility{}
	}
	return r.register.named(key).eligibility
}

// admissionOf is what lasts of a category with a parallel environment.
func (r *Cluster) admissionOf(c *Category, pe string) *admission {
	l := c.Eligibility
	if l.at == nil {
		l.at = map[string]*admission{}
	}
	a := l.at[pe]
	if a == nil {
		n := len(r.Instances)
		a = &admission{make([]Verdict, 2*r.Clusters), make([]Verdict, n), make([]bool, n)}
		l.at[pe] = a
	}
	return a
}

// Forget drops categories without jobs, and all pointers to the cluster of this run.
func (k *Register) Forget(alive map[string]*Category) {
	for key, of := range k.categories {
		if of.run, of.category = nil, nil; alive[key] == nil {
			delete(k.categories, key)
		}
	}
}
