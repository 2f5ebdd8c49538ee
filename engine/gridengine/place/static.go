package place

import (
	"slices"
	"strings"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// What does not depend on time is checked once for a category.

// AllowsCluster checks whether a cluster queue accepts jobs of this category on any host.
func (a *Attempt) AllowsCluster(k *cluster.Cache, q *cluster.Instance) bool {
	v := &k.Clusters[2*q.Cluster+int(cluster.Truth(a.oneSlot()))]
	if !v.Known {
		v.Set(a.checkCluster(q))
	}
	return a.passes(v)
}

// passes reports whether a check lets the job in, and notes why it does not.
func (a *Attempt) passes(v *cluster.Verdict) bool {
	if v.Not != nil {
		a.Note(*v.Not)
	}
	return v.Not == nil
}

// listsHost checks whether the job's queue lists name any queue on a host. Of parallel jobs that is only
// looked at where they have a list for the master task as well; else each queue instance is checked.
func (a *Attempt) listsHost(h *cluster.Host) bool {
	c := a.Category
	if c.HardQueues.Empty() || c.HardQueues.Host(h.Name) {
		return true
	}
	return a.PE != nil && (c.MasterQueues.Empty() || c.MasterQueues.Host(h.Name))
}

// AllowsHost checks access to a host, or to the global host.
func (a *Attempt) AllowsHost(h *cluster.Host) bool {
	hosts := &a.Category.Eligibility.Hosts
	if len(*hosts) <= h.Id {
		*hosts = append(*hosts, make([]cluster.Verdict, len(a.Run.Hosts)-len(*hosts))...)
	}
	v := &(*hosts)[h.Id]
	if !v.Known {
		v.Set(a.checkHost(h))
	}
	return a.passes(v)
}

func (a *Attempt) checkHost(h *cluster.Host) (model.Reason, bool) {
	c := a.Category
	why := model.Reason{Level: h.Level, Object: h.Name}
	if h != a.Run.Global && !a.listsHost(h) {
		why.Kind, why.Asked = model.ReasonQueueList, strings.Join(c.First.HardQueues, ",")
		return why, false
	}
	if !a.Run.Usersets.Access(c.User, c.Group, h.Host.ACL, h.Host.XACL) {
		why.Kind, why.Asked = model.ReasonAccess, c.User
		return why, false
	}
	if !admits(c.Project, h.Host.Projects, h.Host.XProjects) {
		why.Kind, why.Asked, why.Offered = model.ReasonProject, c.Project, strings.Join(h.Host.Projects, ",")
		return why, false
	}
	if name, missing := a.missesForced(&h.Layer, true); missing {
		why.Kind, why.Resource = model.ReasonForced, name
		return why, false
	}
	return why, true
}

// admits reports whether a project may use an object with these lists; an empty project is none.
func admits(project string, projects, xprojects []string) bool {
	if len(projects) > 0 && (project == "" || !slices.Contains(projects, project)) {
		return false
	}
	return project == "" || !slices.Contains(xprojects, project)
}

// missesForced finds an attribute of a layer that every job must ask for and this one does not.
func (a *Attempt) missesForced(l *resource.Layer, loads bool) (name string, missing bool) {
	for _, c := range l.Capacities {
		if c.Attr.Requestable == model.RequestForced && a.Category.AsksAnywhere(c.Attr) == nil {
			return c.Attr.Name, true
		}
	}
	for _, v := range l.Loads {
		if loads && v.Attr.Requestable == model.RequestForced && a.Category.AsksAnywhere(v.Attr) == nil {
			return v.Attr.Name, true
		}
	}
	return "", false
}

// AllowsInstance checks whether a queue instance accepts jobs of this category.
func (a *Attempt) AllowsInstance(k *cluster.Cache, q *cluster.Instance) bool {
	v := a.verdictOn(k, q)
	if !k.CanMaster[q.Id] {
		q.Master = 0
	}
	return a.passes(v)
}

// verdictOn is whether a queue instance takes jobs of this kind. That it is orphaned is its state, which does not last.
func (a *Attempt) verdictOn(k *cluster.Cache, q *cluster.Instance) *cluster.Verdict {
	v := &k.Instances[q.Id]
	if !v.Known {
		k.CanMaster[q.Id] = a.Category.MasterQueues.Empty() || a.Category.MasterQueues.Instance(q.Queue, q.Host)
		v.Set(a.checkInstance(k, q))
	}
	if a.Advance == nil && q.Orphaned {
		return &cluster.Verdict{Known: true, Not: &model.Reason{Kind: model.ReasonQueueState,
			Level: resource.LevelQueue, Object: q.Name, Offered: q.State}}
	}
	return v
}

func (a *Attempt) checkInstance(k *cluster.Cache, q *cluster.Instance) (why model.Reason, ok bool) {
	c, j := a.Category, a.Category.First
	why = model.Reason{Level: resource.LevelQueue, Object: q.Name}
	refuse := func(kind model.ReasonKind, asked, offered string) (model.Reason, bool) {
		why.Kind, why.Asked, why.Offered = kind, asked, offered
		return why, false
	}
	switch {
	case !a.Run.Usersets.Access(c.User, c.Group, q.ACL, q.XACL):
		return refuse(model.ReasonAccess, c.User, strings.Join(q.ACL, ","))
	case !admits(c.Project, q.Projects, q.XProjects):
		return refuse(model.ReasonProject, c.Project, strings.Join(q.Projects, ","))
	case len(j.HardQueues)+len(j.MasterQueues) > 0 && a.Run.queuesNotRequestable():
		why.Resource = "qname"
		return refuse(model.ReasonNoRequest, "", "")
	case !c.HardQueues.Empty() && !(k.CanMaster[q.Id] && !c.MasterQueues.Empty()) &&
		!c.HardQueues.Instance(q.Queue, q.Host):
		return refuse(model.ReasonQueueList, strings.Join(j.HardQueues, ","), "")
	case a.PE != nil && !slices.Contains(q.PEs, a.PE.Name):
		return refuse(model.ReasonPE, a.PE.Name, strings.Join(q.PEs, ","))
	case j.Checkpoint != "" && !slices.Contains(q.Checkpoints, j.Checkpoint):
		return refuse(model.ReasonCheckpoint, j.Checkpoint, strings.Join(q.Checkpoints, ","))
	case !a.suitsType(q):
		return refuse(model.ReasonQueueType, "", q.Type)
	}
	if name, missing := a.missesForced(&q.Layer, false); missing {
		why.Resource = name
		return refuse(model.ReasonForced, "", "")
	}
	if name, missing := a.missesBuiltIn(q); missing {
		why.Resource = name
		return refuse(model.ReasonForced, "", "")
	}
	return why, true
}

// suitsType checks the kind of a queue. Parallel jobs and those with checkpoints need no batch queue.
func (a *Attempt) suitsType(q *cluster.Instance) bool {
	batch := strings.Contains(q.Type, "BATCH")
	checkpoint := a.Category.First.Checkpoint != ""
	switch {
	case a.Category.Immediate:
		return strings.Contains(q.Type, "INTERACTIVE")
	case a.PE == nil && !checkpoint:
		return batch
	case checkpoint && a.PE == nil:
		return batch || len(q.PEs) == 0
	}
	return true
}

// missesBuiltIn finds an attribute that every queue has, that every job must ask for, and that this one does not.
func (a *Attempt) missesBuiltIn(q *cluster.Instance) (string, bool) {
	for _, at := range a.Run.Forced {
		if _, has := q.BuiltIn(at); has && a.Category.AsksAnywhere(at) == nil {
			return at.Name, true
		}
	}
	return "", false
}

func (r *Run) queuesNotRequestable() bool {
	a := r.Complex["qname"]
	return a != nil && a.Requestable == model.RequestNo
}

// SoftQueueViolations counts the entries of the soft queue list that do not select a queue instance (D30).
func (a *Attempt) SoftQueueViolations(q *cluster.Instance) (n uint32) {
	for _, l := range a.Category.SoftQueues {
		if !l.Instance(q.Queue, q.Host) {
			n++
		}
	}
	return n
}

// readSoftQueues reads the soft queue list of the job itself: it is not part of the category.
func (a *Attempt) readSoftQueues() {
	a.Category.SoftQueues = a.Category.SoftQueues[:0]
	for _, entry := range a.Job.SoftQueues {
		a.Category.SoftQueues = append(a.Category.SoftQueues, match.NewQueueList([]string{entry}, a.Run.Groups))
	}
}
