package schedule

import (
	"slices"
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// What does not depend on time is checked once for a category.

// allowsCluster checks whether a cluster queue takes jobs of this kind on any host.
func (a *attempt) allowsCluster(k *cache, q *instance) bool {
	v := &k.clusters[2*q.cluster+int(truth(a.oneSlot()))]
	if !v.known {
		v.set(a.checkCluster(q))
	}
	return a.passes(v)
}

// passes reports whether a check lets the job in, and notes why it does not.
func (a *attempt) passes(v *verdict) bool {
	if v.not != nil {
		a.note(*v.not)
	}
	return v.not == nil
}

// listsHost checks whether the job's queue lists name any queue on a host. Of parallel jobs that is only looked at where they
// have a list for the master task as well; else each queue instance is checked.
func (a *attempt) listsHost(h *host) bool {
	c := a.cat
	if c.hardQueues.Empty() || c.hardQueues.Host(h.Name) {
		return true
	}
	return a.pe != nil && (c.masterQueues.Empty() || c.masterQueues.Host(h.Name))
}

// allowsHost checks access to a host, or to the cluster as a whole.
func (a *attempt) allowsHost(h *host) bool {
	hosts := &a.cat.standing.hosts
	if len(*hosts) <= h.id {
		*hosts = append(*hosts, make([]verdict, len(a.run.world.hosts)-len(*hosts))...)
	}
	v := &(*hosts)[h.id]
	if !v.known {
		v.set(a.checkHost(h))
	}
	return a.passes(v)
}

func (a *attempt) checkHost(h *host) (model.Reason, bool) {
	c := a.cat
	why := model.Reason{Level: h.level, Object: h.Name}
	if h != a.run.world.global && !a.listsHost(h) {
		why.Kind, why.Asked = model.ReasonQueueList, strings.Join(c.first.HardQueues, ",")
		return why, false
	}
	if !a.run.world.usersets.Access(c.user, c.group, h.Host.ACL, h.Host.XACL) {
		why.Kind, why.Asked = model.ReasonAccess, c.user
		return why, false
	}
	if !admits(c.project, h.Host.Projects, h.Host.XProjects) {
		why.Kind, why.Asked, why.Offered = model.ReasonProject, c.project, strings.Join(h.Host.Projects, ",")
		return why, false
	}
	if name, missing := a.missesForced(&h.layer, true); missing {
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
func (a *attempt) missesForced(l *layer, loads bool) (name string, missing bool) {
	for _, c := range l.conf {
		if c.attr.Requestable == model.RequestForced && a.cat.asksAnywhere(c.attr) == nil {
			return c.attr.Name, true
		}
	}
	for _, v := range l.load {
		if loads && v.attr.Requestable == model.RequestForced && a.cat.asksAnywhere(v.attr) == nil {
			return v.attr.Name, true
		}
	}
	return "", false
}

// allowsInstance checks whether a queue instance takes jobs of this kind.
func (a *attempt) allowsInstance(k *cache, q *instance) bool {
	v := a.verdictOn(k, q)
	if !k.canMaster[q.id] {
		q.master = 0
	}
	return a.passes(v)
}

// verdictOn is whether a queue instance takes jobs of this kind. That it is orphaned is its state, which does not last.
func (a *attempt) verdictOn(k *cache, q *instance) *verdict {
	v := &k.instances[q.id]
	if !v.known {
		k.canMaster[q.id] = a.cat.masterQueues.Empty() || a.cat.masterQueues.Instance(q.Queue, q.Host())
		v.set(a.checkInstance(k, q))
	}
	if a.advance == nil && q.orphaned {
		return &verdict{known: true, not: &model.Reason{Kind: model.ReasonQueueState, Level: levelQueue, Object: q.Name, Offered: q.State}}
	}
	return v
}

func (a *attempt) checkInstance(k *cache, q *instance) (why model.Reason, ok bool) {
	c, j := a.cat, a.cat.first
	why = model.Reason{Level: levelQueue, Object: q.Name}
	refuse := func(kind model.ReasonKind, asked, offered string) (model.Reason, bool) {
		why.Kind, why.Asked, why.Offered = kind, asked, offered
		return why, false
	}
	switch {
	case !a.run.world.usersets.Access(c.user, c.group, q.ACL, q.XACL):
		return refuse(model.ReasonAccess, c.user, strings.Join(q.ACL, ","))
	case !admits(c.project, q.Projects, q.XProjects):
		return refuse(model.ReasonProject, c.project, strings.Join(q.Projects, ","))
	case len(j.HardQueues)+len(j.MasterQueues) > 0 && a.run.queuesNotRequestable():
		why.Resource = "qname"
		return refuse(model.ReasonNoRequest, "", "")
	case !c.hardQueues.Empty() && !(k.canMaster[q.id] && !c.masterQueues.Empty()) && !c.hardQueues.Instance(q.Queue, q.Host()):
		return refuse(model.ReasonQueueList, strings.Join(j.HardQueues, ","), "")
	case a.pe != nil && !slices.Contains(q.PEs, a.pe.Name):
		return refuse(model.ReasonPE, a.pe.Name, strings.Join(q.PEs, ","))
	case j.Checkpoint != "" && !slices.Contains(q.Checkpoints, j.Checkpoint):
		return refuse(model.ReasonCheckpoint, j.Checkpoint, strings.Join(q.Checkpoints, ","))
	case !a.suitsType(q):
		return refuse(model.ReasonQueueType, "", q.Type)
	}
	if name, missing := a.missesForced(&q.layer, false); missing {
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
func (a *attempt) suitsType(q *instance) bool {
	batch := strings.Contains(q.Type, "BATCH")
	checkpoint := a.cat.first.Checkpoint != ""
	switch {
	case a.cat.immediate:
		return strings.Contains(q.Type, "INTERACTIVE")
	case a.pe == nil && !checkpoint:
		return batch
	case checkpoint && a.pe == nil:
		return batch || len(q.PEs) == 0
	}
	return true
}

// missesBuiltIn finds an attribute that every queue has, that every job must ask for, and that this one does not.
func (a *attempt) missesBuiltIn(q *instance) (string, bool) {
	for _, at := range a.run.forced {
		if _, has := q.builtIn(at); has && a.cat.asksAnywhere(at) == nil {
			return at.Name, true
		}
	}
	return "", false
}

func (r *run) queuesNotRequestable() bool {
	a := r.world.complex["qname"]
	return a != nil && a.Requestable == model.RequestNo
}

// findForced lists the attributes that every job must ask for, in the order of the complex.
func (r *run) findForced() {
	for _, m := range r.snapshot.Resources {
		if a := r.world.complex[m.Name]; m.Requestable == model.RequestForced && a != nil {
			r.forced = append(r.forced, a)
		}
	}
}

// softQueueViolations counts the entries of the soft queue list that do not name an instance (D30).
func (a *attempt) softQueueViolations(q *instance) (n uint32) {
	for _, l := range a.cat.softQueues {
		if !l.Instance(q.Queue, q.Host()) {
			n++
		}
	}
	return n
}

// readSoftQueues reads the soft queue list of the job itself: it is not part of the category.
func (a *attempt) readSoftQueues() {
	a.cat.softQueues = a.cat.softQueues[:0]
	for _, entry := range a.job.SoftQueues {
		a.cat.softQueues = append(a.cat.softQueues, match.NewQueueList([]string{entry}, a.run.world.groups))
	}
}
