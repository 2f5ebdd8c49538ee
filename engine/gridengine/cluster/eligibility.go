package cluster

import "qprism/engine/model"

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

// An Eligibility is where a category may run by the configuration. It also holds in later runs.
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

// A Register lasts from run to run, until the configuration changes.
type Register struct {
	under      configuration
	keys       map[uint32]known        // of jobs
	categories map[string]*Eligibility // by key
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

// A known job is one of which the category was found before: what it asked for then, and the key.
type known struct {
	asks asks
	key  string
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
	if k.keys == nil || k.under != now {
		*k = Register{now, map[uint32]known{}, map[string]*Eligibility{}}
	}
}

// knownCategory is the category of a job, found by what the memory knows where it asks for what it asked for before.
func (r *Cluster) knownCategory(j *model.Job) *Category {
	if r.register == nil {
		return r.CategoryOf(j)
	}
	keys := r.register.keys
	asks := asksOf(j)
	if k := keys[j.Number]; k.asks == asks {
		if c := r.Categories[k.key]; c != nil {
			return c
		}
		return r.addCategory(k.key, j)
	}
	c := r.CategoryOf(j)
	keys[j.Number] = known{asks, c.Key}
	return c
}

// standingOf is what is known of a category. Reasons name its first job, which is another one in another
// run, and an advance reservation begins and ends: then nothing lasts.
func (r *Cluster) standingOf(key string, first *model.Job) *Eligibility {
	if r.register == nil || r.Quiet == 0 || first.Reservation != 0 {
		return &Eligibility{}
	}
	l := r.register.categories[key]
	if l == nil {
		l = &Eligibility{}
		r.register.categories[key] = l
	}
	return l
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

// Forget drops categories without jobs. If there are many keys of jobs that have left the cluster, Forget
// drops these keys too.
func (k *Register) Forget(alive map[string]*Category) {
	for key := range k.categories {
		if alive[key] == nil {
			delete(k.categories, key)
		}
	}
	jobs := 0
	for _, c := range alive {
		jobs += c.Count
	}
	if len(k.keys) > 2*jobs {
		clear(k.keys)
	}
}
