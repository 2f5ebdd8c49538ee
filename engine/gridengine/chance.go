package gridengine

import (
	"slices"
	"strconv"

	"qprism/engine/batch"
	"qprism/engine/blame"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/model"
)

// Chances says which jobs can never run. Jobs of one category share the answer.
type Chances struct {
	snapshot *model.Snapshot
	quirks   model.Quirks
	idle     *schedule.Idle
	open     *schedule.Idle // the same without access lists
	free     *schedule.Idle // and without quotas; made when they are needed
	lacks    []string       // files without which nothing is known of any job
	lacksPEs bool           // and what PEs there are
	known    map[string]*batch.Chance
	looked   map[string]bool // for what is to blame
}

// mostBlamed bounds the categories for which the request to blame is looked for.
const mostBlamed = 200

// NewChances makes Chances for the hosts of a snapshot, as if no job ran there.
func NewChances(s *model.Snapshot, quirks model.Quirks) *Chances {
	c := &Chances{snapshot: s, quirks: quirks, idle: schedule.NewIdle(s, quirks), known: map[string]*batch.Chance{},
		looked: map[string]bool{}, lacksPEs: !s.HasFile("pes/")}
	for _, name := range []string{"complex.txt", "queues/", "hosts/"} {
		if !s.HasFile(name) {
			c.lacks = append(c.lacks, name)
		}
	}
	return c
}

// Of says whether a job can ever run. If not, it names the request that keeps the job from running.
func (c *Chances) Of(j *model.Job) *batch.Chance {
	if lacks := c.lacking(j); len(lacks) > 0 {
		return &batch.Chance{Unknown: lacks}
	}
	key := c.idle.Category(j)
	a := c.verdict(key, j)
	if a.Never && !c.looked[key] && len(c.looked) < mostBlamed {
		c.looked[key] = true
		b := blaming{Chances: c, job: j, why: a.Why}
		a.Blames, a.All = b.find()
	}
	return a
}

// Never reports whether a job can never run. It is faster than Of, because it looks for no cause.
func (c *Chances) Never(j *model.Job) bool {
	return len(c.lacking(j)) == 0 && c.verdict(c.idle.Category(j), j).Never
}

func (c *Chances) verdict(key string, j *model.Job) *batch.Chance {
	if c.known[key] == nil {
		c.known[key] = c.find(j)
	}
	return c.known[key]
}

// lacking names the files without which the requests of a job, or what the cluster has, are not known.
func (c *Chances) lacking(j *model.Job) (files []string) {
	files = slices.Clone(c.lacks)
	if j.PE != "" && c.lacksPEs {
		files = append(files, "pes/")
	}
	if !j.Detailed {
		files = append(files, "qstat-j.xml")
	}
	if j.Reservation != 0 && !slices.ContainsFunc(c.snapshot.Reserved,
		func(a model.AdvanceReservation) bool { return a.Number == j.Reservation && len(a.Granted) > 0 }) {
		files = append(files, "the places of advance reservation "+strconv.FormatUint(uint64(j.Reservation), 10))
	}
	return files
}

func (c *Chances) find(j *model.Job) *batch.Chance {
	grants, why := c.idle.Place(j)
	if grants != nil {
		return &batch.Chance{}
	}
	return &batch.Chance{Never: true, Why: why}
}

// fitsOn reports whether a job would find a place on an idle cluster.
func fitsOn(i *schedule.Idle) blame.Fits {
	return func(j *model.Job) bool {
		grants, _ := i.Place(j)
		return grants != nil
	}
}

// withoutLists is the idle cluster that everybody may use.
func (c *Chances) withoutLists() *schedule.Idle {
	if c.open == nil {
		c.open = schedule.NewIdle(openToAll(c.snapshot), c.quirks)
	}
	return c.open
}

// withoutQuotas is the idle cluster without quotas.
func (c *Chances) withoutQuotas() *schedule.Idle {
	if c.free == nil {
		own := *c.snapshot
		own.Quotas = nil
		c.free = schedule.NewIdle(&own, c.quirks)
	}
	return c.free
}

// openToAll is a snapshot without access lists and project lists.
func openToAll(s *model.Snapshot) *model.Snapshot {
	own := *s
	own.Instances, own.Hosts, own.PEs = slices.Clone(s.Instances), slices.Clone(s.Hosts), slices.Clone(s.PEs)
	for i := range own.Instances {
		q := &own.Instances[i]
		q.ACL, q.XACL, q.Projects, q.XProjects = nil, nil, nil, nil
	}
	for i := range own.Hosts {
		h := &own.Hosts[i]
		h.ACL, h.XACL, h.Projects, h.XProjects = nil, nil, nil, nil
	}
	for i := range own.PEs {
		own.PEs[i].ACL, own.PEs[i].XACL = nil, nil
	}
	own.Queues = slices.Clone(s.Queues)
	for i := range own.Queues {
		own.Queues[i].Attributes = slices.DeleteFunc(slices.Clone(s.Queues[i].Attributes), func(a model.QueueAttribute) bool {
			return slices.Contains([]string{"user_lists", "xuser_lists", "projects", "xprojects"}, a.Name)
		})
	}
	return &own
}
