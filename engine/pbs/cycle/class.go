package cycle

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// makeClasses finds the class of each job: of jobs that ask for the same, none can run if one cannot.
func (w *world) makeClasses() {
	of := w.classResources()
	index := map[string]int{}
	for _, c := range w.jobs {
		key := w.classKey(c, of)
		i, known := index[key]
		if !known {
			i = len(w.classes)
			index[key] = i
			w.classes = append(w.classes, failure{})
		}
		c.class = i
	}
}

// classResources are the resources of Resource_List by which classes differ.
func (w *world) classResources() []bool {
	of := slices.Clone(w.checks)
	for _, r := range append([]int{w.res.cput, w.res.walltime, w.res.maxWalltime, w.res.minWalltime}, w.limited...) {
		of[r] = true
	}
	of[w.res.preemptTargets] = of[w.res.preemptTargets] || !w.sched.NoPreemptTargets
	return of
}

// classKey tells everything by which a job's class may differ from others.
func (w *world) classKey(c *claim, of []bool) string {
	var b strings.Builder
	q := c.queue
	if q.ownClass() {
		b.WriteString(q.name)
	} else {
		q = nil
	}
	for k, e := range c.subject().entities {
		if k != overall && (w.server.limits.has[k] || q != nil && q.limits.has[k]) {
			b.WriteString("\x00" + e)
		}
		b.WriteByte(1)
	}
	spec := c.selection
	if !c.running() && c.exact != nil {
		spec = c.exact
	}
	for i := range spec.chunks {
		fmt.Fprintf(&b, "+%d", spec.chunks[i].count)
		w.writeNeeds(&b, spec.chunks[i].needs, nil)
	}
	fmt.Fprintf(&b, "|%+v|", c.place)
	w.writeNeeds(&b, c.asked, of)
	return b.String()
}

// writeNeeds writes requests in one order, whatever order they have.
func (w *world) writeNeeds(b *strings.Builder, needs []request, of []bool) {
	sorted := slices.Clone(needs)
	slices.SortStableFunc(sorted, func(a, b request) int { return a.res - b.res })
	for _, n := range sorted {
		switch {
		case of != nil && !of[n.res] || of == nil && !w.res.looksAt(w.res.list[n.res].name):
		case w.res.list[n.res].kind == text:
			fmt.Fprintf(b, ":%d=%q", n.res, n.text)
		default:
			fmt.Fprintf(b, ":%d=%v", n.res, n.amount)
		}
	}
}

// ownClass reports whether jobs of a queue are in no class with those of others.
func (q *queue) ownClass() bool {
	return q.limits.some() || q.ownVnodes || q.dedicated || q.prime || q.nonPrime || q.limitsResources || q.reservation != nil
}

// learn keeps why a job could not run for the others of its class.
func (w *world) learn(c *claim, why failure) {
	if c.class < 0 || !why.failed() || why.code == model.FailMaxRunSubjobs || w.classes[c.class].failed() {
		return
	}
	w.classes[c.class] = why
}
