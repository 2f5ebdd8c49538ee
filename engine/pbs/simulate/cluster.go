package simulate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/preempt"
	"qprism/engine/pbs/cycle/resource"
)

// A Cluster is a copy of a PBS snapshot. Its methods carry out plans: planned jobs start, and ended jobs
// leave. Callers change it only with its methods. The original snapshot does not change.
type Cluster struct {
	*model.Snapshot
	index map[string]int // jobs by id
	hosts map[string]int
	gone  map[string]bool // jobs that ended since the list of jobs was cleared of them
}

// NewCluster copies the parts of a snapshot that plans change.
func NewCluster(s *model.Snapshot) *Cluster {
	own, pbs := *s, *s.PBS
	own.PBS = &pbs
	own.Jobs, own.Hosts, own.Queues = slices.Clone(s.Jobs), slices.Clone(s.Hosts), slices.Clone(s.Queues)
	pbs.Reservations = slices.Clone(s.PBS.Reservations)
	c := &Cluster{Snapshot: &own, index: map[string]int{}, hosts: map[string]int{}, gone: map[string]bool{}}
	for i := range own.Jobs {
		p := *own.Jobs[i].PBS
		own.Jobs[i].PBS = &p
		c.index[p.ID] = i
	}
	for i := range own.Hosts {
		p := *own.Hosts[i].PBS
		p.Jobs, p.State, p.Assigned = slices.Clone(p.Jobs), slices.Clone(p.State), slices.Clone(p.Assigned)
		own.Hosts[i].PBS = &p
		c.hosts[own.Hosts[i].Name] = i
	}
	for i := range own.Queues {
		p := *own.Queues[i].PBS
		p.Assigned = slices.Clone(p.Assigned)
		own.Queues[i].PBS = &p
	}
	pbs.Server.Assigned = slices.Clone(pbs.Server.Assigned)
	return c
}

// Job is the job with an id, nil for none.
func (c *Cluster) Job(id string) *model.Job {
	if i, ok := c.index[id]; ok {
		return &c.Jobs[i]
	}
	return nil
}

// Apply carries out a plan, and returns the jobs and subjobs that started.
func (c *Cluster) Apply(p *model.Plan) (started []*model.Job) {
	for _, v := range p.Preempted {
		c.stop(c.of(v.Job, v.Tasks), v.Method, p.RunAt)
	}
	for i := range p.Decisions {
		if d := &p.Decisions[i]; d.Verdict == model.Now {
			if j := c.start(d, p.RunAt); j != nil {
				started = append(started, j)
			}
		}
	}
	return started
}

// of is the job that a decision is about: a subjob where one is meant and known, else the job or the array.
func (c *Cluster) of(number uint32, tasks []model.Range) *model.Job {
	server := ""
	if n := c.PBS.Server.Name; n != "" {
		server = "." + n
	}
	if len(tasks) == 1 && tasks[0].Min == tasks[0].Max {
		if j := c.Job(fmt.Sprintf("%d[%d]%s", number, tasks[0].Min, server)); j != nil {
			return j
		}
	}
	for _, form := range []string{"%d%s", "%d[]%s"} {
		if j := c.Job(fmt.Sprintf(form, number, server)); j != nil {
			return j
		}
	}
	return nil
}

// shrink gives a job with min_walltime the walltime that it was started with, as the server does.
func shrink(j *model.Job, length time.Duration) {
	asks := func(name string) func(model.Request) bool {
		return func(r model.Request) bool { return r.Resource == name }
	}
	if length <= 0 || !slices.ContainsFunc(j.Hard, asks("min_walltime")) {
		return
	}
	seconds := int64(length / time.Second)
	j.Hard = append(slices.DeleteFunc(slices.Clone(j.Hard), asks("walltime")),
		model.Request{Resource: "walltime", Value: strconv.FormatInt(seconds, 10), Amount: float64(seconds)})
}

// start starts a job, a subjob of an array, or resumes a job where it was.
func (c *Cluster) start(d *model.Decision, at time.Time) *model.Job {
	j := c.of(d.Job, d.Tasks)
	if j == nil {
		return nil
	}
	switch array := c.Job(j.PBS.Array); {
	case j.Array && j.PBS.Array == "" && len(d.Tasks) > 0:
		j = c.subjob(j, d.Tasks[0].Min)
	case j.PBS.Array != "" && array != nil: // a waiting subjob that the bundle lists
		begin(array, j.PBS.Index)
	}
	p := j.PBS
	if p.State != "S" {
		shrink(j, d.Duration)
	}
	p.State, p.Substate, p.Started, p.Preempted, p.ExecVnode = "R", 42, at, time.Time{}, d.Placed
	c.occupy(j, 1)
	return j
}

// begin takes a subjob that starts out of those of its array that wait.
func begin(array *model.Job, task uint32) {
	array.PBS.State, array.PBS.ArrayRemaining = "B", model.Without(array.PBS.ArrayRemaining, task)
}

// subjob makes a subjob of an array a job of its own.
func (c *Cluster) subjob(array *model.Job, task uint32) *model.Job {
	begin(array, task)
	sub, p := *array, *array.PBS
	p.Array, p.ID, p.Index, p.ArrayRemaining = p.ID, cluster.SubjobID(p.ID, task), task, nil
	sub.PBS = &p
	c.index[p.ID] = len(c.Jobs)
	c.Jobs = append(c.Jobs, sub)
	return &c.Jobs[len(c.Jobs)-1]
}

// stop preempts a job.
func (c *Cluster) stop(j *model.Job, method string, at time.Time) {
	if j == nil || j.PBS.State != "R" {
		return
	}
	c.occupy(j, -1)
	p := j.PBS
	p.Preempted = at
	switch method {
	case preempt.MethodNames['S']:
		p.State, p.Substate = "S", cluster.SuspendedByScheduler
	case preempt.MethodNames['D']:
		c.remove(p.ID)
	default:
		p.State, p.Substate, p.Used = "Q", 10, nil
		if method != preempt.MethodNames['C'] {
			p.ExecVnode = ""
		}
	}
}

// End ends a job, and releases the jobs that wait for it.
func (c *Cluster) End(id string) {
	j := c.Job(id)
	if j == nil {
		return
	}
	if j.PBS.State == "R" {
		c.occupy(j, -1)
	}
	array := j.PBS.Array
	c.remove(id)
	c.release(id)
	if a := c.Job(array); a != nil && array != "" && len(a.PBS.ArrayRemaining) == 0 && !c.hasSubjobs(array) {
		c.remove(array)
		c.release(array)
	}
}

func (c *Cluster) hasSubjobs(array string) bool {
	return slices.ContainsFunc(c.Jobs, func(j model.Job) bool { return j.PBS.Array == array && !c.gone[j.PBS.ID] })
}

func (c *Cluster) remove(id string) {
	delete(c.index, id)
	c.gone[id] = true
}

// Compact removes ended jobs from the list.
func (c *Cluster) Compact() {
	if len(c.gone) == 0 {
		return
	}
	c.Jobs = slices.DeleteFunc(c.Jobs, func(j model.Job) bool { return c.gone[j.PBS.ID] })
	clear(c.gone)
	for i := range c.Jobs {
		c.index[c.Jobs[i].PBS.ID] = i
	}
}

// release lets jobs go that are held until others end (depend=afterok and the like), when the last of those is gone.
func (c *Cluster) release(id string) {
	for i := range c.Jobs {
		p := c.Jobs[i].PBS
		if p.State != "H" || !strings.Contains(p.Depend, id) {
			continue
		}
		if p.Depend = withoutDependency(p.Depend, id); !strings.Contains(p.Depend, "after") {
			if p.Holds = strings.ReplaceAll(p.Holds, "s", ""); p.Holds == "" {
				p.State, p.Substate = "Q", 10
			}
		}
	}
}

// withoutDependency takes a job out of "afterok:1.srv@srv:2.srv@srv,afterany:3.srv@srv".
func withoutDependency(depend, id string) string {
	var kinds []string
	for _, kind := range strings.Split(depend, ",") {
		parts := strings.Split(kind, ":")
		parts = slices.DeleteFunc(parts, func(s string) bool { job, _, _ := strings.Cut(s, "@"); return job == id })
		if len(parts) > 1 {
			kinds = append(kinds, strings.Join(parts, ":"))
		}
	}
	return strings.Join(kinds, ",")
}

// occupy books a running job on its vnodes, its queue and the server, or off them with -1.
func (c *Cluster) occupy(j *model.Job, sign float64) {
	for _, a := range accounting.PerVnode(j.PBS.ExecVnode) {
		if i, ok := c.hosts[a.Vnode]; ok {
			c.occupyHost(&c.Hosts[i], j, a.Of, sign)
		}
	}
	asked := map[string]float64{}
	for _, r := range j.Hard {
		if amount, ok := model.PBSAmount(r.Value); ok {
			asked[r.Resource] = amount
		}
	}
	book(&c.PBS.Server.Assigned, asked, sign, true)
	for i := range c.Queues {
		if c.Queues[i].Name == j.PBS.Queue {
			book(&c.Queues[i].PBS.Assigned, asked, sign, true)
		}
	}
}

func (c *Cluster) occupyHost(h *model.Host, j *model.Job, amounts map[string]float64, sign float64) {
	p := h.PBS
	here := func(id string) bool { id, _, _ = strings.Cut(id, "/"); return id == j.PBS.ID }
	if sign < 0 && len(p.Jobs) > 0 && !slices.ContainsFunc(p.Jobs, here) {
		return // it ended while the bundle was made: jobs are listed before vnodes
	}
	book(&p.Assigned, amounts, sign, false)
	p.Jobs = slices.DeleteFunc(p.Jobs, here)
	if sign > 0 {
		p.Jobs = append(p.Jobs, j.PBS.ID)
	}
	p.State = slices.DeleteFunc(p.State, func(s string) bool {
		return s == "free" || s == "job-busy" || s == "job-exclusive" && sign < 0
	})
	total, _ := model.Text(h.Capacity, "ncpus")
	used, _ := model.Text(p.Assigned, "ncpus")
	has, _ := model.PBSAmount(total)
	if uses, ok := model.PBSAmount(used); ok && uses >= has && len(p.Jobs) > 0 {
		p.State = append(p.State, "job-busy")
	}
	if where, ok := resource.ParsePlace(j.PBS.Place); ok && sign > 0 &&
		cluster.Exclusive(where, cluster.ParseSharing(p.Sharing)) {
		p.State = append(p.State, "job-exclusive")
	}
	if len(p.State) == 0 {
		p.State = []string{"free"}
	}
}

// book adds amounts to resources_assigned; known says that only what is mentioned there counts.
func book(assigned *[]model.Setting, amounts map[string]float64, sign float64, known bool) {
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		i := slices.IndexFunc(*assigned, func(s model.Setting) bool { return s.Name == name })
		switch {
		case i < 0 && known:
			continue
		case i < 0:
			i = len(*assigned)
			*assigned = append(*assigned, model.Setting{Name: name, Value: "0"})
		}
		s := &(*assigned)[i]
		have, _ := model.PBSAmount(s.Value)
		rest, unit := max(0, have+sign*amounts[name]), ""
		if isSize(name) || strings.HasSuffix(s.Value, "b") {
			unit = "kb"
		}
		s.Value = strconv.FormatFloat(rest, 'f', -1, 64) + unit
	}
}

func isSize(name string) bool {
	return slices.ContainsFunc(resource.BuiltIn, func(r resource.Resource) bool {
		return r.Name == name && r.Kind == resource.Size
	})
}
