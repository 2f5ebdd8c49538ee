package search

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// makeClasses finds the class of each job: of jobs that ask for the same, none can run if one cannot.
func (w Finder) makeClasses() {
	of := w.classResources()
	index := map[string]int{}
	for _, c := range w.Jobs {
		key := w.classKey(c, of)
		i, known := index[key]
		if !known {
			i = len(w.Classes)
			index[key] = i
			w.Classes = append(w.Classes, reason.Failure{})
		}
		c.Class = i
	}
}

// classResources are the resources of Resource_List by which classes differ.
func (w Finder) classResources() []bool {
	of := slices.Clone(w.Checked)
	for _, r := range append([]int{w.Res.Cput, w.Res.Walltime, w.Res.MaxWalltime, w.Res.MinWalltime}, w.Limited...) {
		of[r] = true
	}
	of[w.Res.PreemptTargets] = of[w.Res.PreemptTargets] || !w.Sched.NoPreemptTargets
	return of
}

// classKey tells everything by which a job's class may differ from others.
func (w Finder) classKey(c *cluster.Claim, of []bool) string {
	var b strings.Builder
	q := c.Queue
	if ownClass(q) {
		b.WriteString(q.Name)
	} else {
		q = nil
	}
	for k, e := range c.Subject().Entities {
		if k != limit.Overall && (w.Server.Limits.Has[k] || q != nil && q.Limits.Has[k]) {
			b.WriteString("\x00" + e)
		}
		b.WriteByte(1)
	}
	spec := c.Selection
	if !c.Running() && c.Exact != nil {
		spec = c.Exact
	}
	for i := range spec.Chunks {
		fmt.Fprintf(&b, "+%d", spec.Chunks[i].Count)
		w.writeNeeds(&b, spec.Chunks[i].Needs, nil)
	}
	fmt.Fprintf(&b, "|%+v|", c.Place)
	w.writeNeeds(&b, c.Asked, of)
	return b.String()
}

// writeNeeds writes requests in one order, whatever order they have.
func (w Finder) writeNeeds(b *strings.Builder, needs []resource.Request, of []bool) {
	sorted := slices.Clone(needs)
	slices.SortStableFunc(sorted, func(a, b resource.Request) int { return a.Res - b.Res })
	for _, n := range sorted {
		switch {
		case of != nil && !of[n.Res] || of == nil && !w.Res.LooksAt(w.Res.List[n.Res].Name):
		case w.Res.List[n.Res].Kind == resource.Text:
			fmt.Fprintf(b, ":%d=%q", n.Res, n.Text)
		default:
			fmt.Fprintf(b, ":%d=%v", n.Res, n.Amount)
		}
	}
}

// ownClass reports whether jobs of a queue are in no class with those of others.
func ownClass(q *cluster.Queue) bool {
	return q.Limits.Any() || q.OwnVnodes || q.Dedicated || q.Prime || q.NonPrime || q.LimitsResources ||
		q.Reservation != nil
}

// NoteClass keeps the reason that a job could not run, for the other jobs of its class.
func (w Finder) NoteClass(c *cluster.Claim, why reason.Failure) {
	if c.Class < 0 || !why.Failed() || why.Code == model.FailMaxRunSubjobs || w.Classes[c.Class].Failed() {
		return
	}
	w.Classes[c.Class] = why
}
