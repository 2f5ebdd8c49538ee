package schedule

import "qprism/engine/model"

// A verdict is a check that was made once for a category.
type verdict struct {
	known bool
	not   *model.Reason // why it lets none of them in; nil where it does
}

func (v *verdict) set(why model.Reason, ok bool) {
	v.known, v.not = true, nil
	if !ok {
		kept := why // so that only what is kept is allocated
		v.not = &kept
	}
}

// A standing is what the configuration says of a category: it holds in later runs too.
type standing struct {
	hosts []verdict
	at    map[string]*admission // by parallel environment, "" for none
}

// An admission says where a category may go at all.
type admission struct {
	clusters  []verdict // for parallel jobs of more than one slot and then for one slot
	instances []verdict
	canMaster []bool // with -masterq: the master task can go there
}

// A register is what lasts from run to run, for as long as the configuration does.
type register struct {
	under      configuration
	keys       map[uint32]known     // of jobs
	categories map[string]*standing // by key
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
	owner                    owner
	pe, checkpoint           string
	hard, soft               list[model.Request]
	hardQueues, masterQueues list[string]
	slots                    list[model.Range]
	master, slave            *model.Scope
	reservation              uint32
	immediate                bool
}

func asksOf(j *model.Job) asks {
	return asks{owner{j.Owner, j.Group, j.Project}, j.PE, j.Checkpoint, listOf(j.Hard), listOf(j.Soft), listOf(j.HardQueues),
		listOf(j.MasterQueues), listOf(j.PERange), j.MasterScope, j.SlaveScope, j.Reservation, j.Immediate()}
}

// keepMemory looks whether what the memory keeps still holds. A run alone keeps nothing.
func (r *run) keepMemory(keeps bool) {
	if !keeps {
		return
	}
	s, k := r.snapshot, &r.memory.register
	now := configuration{listOf(s.Hosts), listOf(s.Queues), listOf(s.Instances), listOf(s.Resources), listOf(s.Usersets), listOf(s.HostGroups),
		listOf(s.PEs), listOf(s.Quotas), r.quirks}
	if k.keys == nil || k.under != now {
		*k = register{now, map[uint32]known{}, map[string]*standing{}}
	}
}

// knownCategory is the category of a job, found by what the memory knows where it asks for what it asked for before.
func (r *run) knownCategory(j *model.Job) *category {
	keys := r.memory.register.keys
	if keys == nil {
		return r.categoryOf(j)
	}
	asks := asksOf(j)
	if k := keys[j.Number]; k.asks == asks {
		if c := r.categories[k.key]; c != nil {
			return c
		}
		return r.addCategory(k.key, j)
	}
	c := r.categoryOf(j)
	keys[j.Number] = known{asks, c.key}
	return c
}

// standingOf is what is known of a category. Reasons name its first job, which is another one in another run, and an advance reservation
// begins and ends: then nothing lasts.
func (r *run) standingOf(key string, first *model.Job) *standing {
	known := r.memory.register.categories
	if known == nil || r.quiet == 0 || first.Reservation != 0 {
		return &standing{}
	}
	l := known[key]
	if l == nil {
		l = &standing{}
		known[key] = l
	}
	return l
}

// admissionOf is what lasts of a category with a parallel environment.
func (r *run) admissionOf(c *category, pe string) *admission {
	l := c.standing
	if l.at == nil {
		l.at = map[string]*admission{}
	}
	a := l.at[pe]
	if a == nil {
		n := len(r.world.instances)
		a = &admission{make([]verdict, 2*r.world.clusters), make([]verdict, n), make([]bool, n)}
		l.at[pe] = a
	}
	return a
}

// forget drops the categories of which no job is left, and the keys of jobs that are gone once these are many.
func (k *register) forget(alive map[string]*category) {
	for key := range k.categories {
		if alive[key] == nil {
			delete(k.categories, key)
		}
	}
	jobs := 0
	for _, c := range alive {
		jobs += c.count
	}
	if len(k.keys) > 2*jobs {
		clear(k.keys)
	}
}
