package retrace

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// A doubt is something that happened before a cycle and that no file tells in full, with all that it can
// change: values of one job, and what the cycle does with the jobs behind it; or some fields of any job.
type doubt struct {
	text   string
	job    string  // whose values are not known; empty for none
	fields []Field // of the job, or where there is none of all jobs; nil for all fields of the job
}

// decisions are what a cycle does with a job, which depends on those that it looked at before.
var decisions = []Field{Start, Vnodes, Reason, TopJob, TopNodes, Preempted}

// explanations say which differences between log and plan a doubt can explain.
type explanations struct {
	doubts []doubt
	moved  map[string]bool // jobs whose places differ even without the jobs in doubt
	behind map[string]int  // job → its place, of both sides the later one
	first  map[string]int  // the same, the earlier one
}

func newExplanations(master *side, o *outcome) *explanations {
	e := &explanations{doubts: o.state.doubts, moved: map[string]bool{}, behind: map[string]int{}, first: map[string]int{}}
	if len(e.doubts) == 0 {
		return e
	}
	unsure := map[string]bool{}
	for _, d := range e.doubts {
		unsure[d.job] = true
	}
	for _, order := range [][]string{master.order, o.side.order} {
		for i, name := range order {
			e.behind[name] = max(e.behind[name], i+1)
			if at, known := e.first[name]; !known || i+1 < at {
				e.first[name] = i + 1
			}
		}
	}
	for _, p := range places(without(master.order, unsure), without(o.side.order, unsure)) {
		e.moved[p.name] = p.master != p.computed
	}
	return e
}

func without(order []string, jobs map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(order), func(name string) bool { return jobs[name] })
}

// of says what can have made a difference; empty for nothing.
func (e *explanations) of(k key) string {
	var list []string
	for i := range e.doubts {
		if d := &e.doubts[i]; e.allows(d, k) && !slices.Contains(list, d.text) {
			list = append(list, d.text)
		}
	}
	return strings.Join(list, "; ")
}

func (e *explanations) allows(d *doubt, k key) bool {
	name, _, _ := strings.Cut(k.name, " (")
	concerns := d.fields == nil || slices.Contains(d.fields, k.field)
	switch {
	case d.job == "":
		return concerns
	case name == d.job || model.PBSArrayOf(name) == d.job:
		return concerns || slices.Contains(decisions, k.field)
	case k.field == Order:
		return !e.moved[k.name] && (d.fields == nil || slices.Contains(d.fields, Order))
	}
	return slices.Contains(decisions, k.field) && e.first[d.job] > 0 && e.behind[model.PBSArrayOf(name)] > e.first[d.job]
}

// addDoubt notes a doubt about all values of a job.
func (x *state) addDoubt(job, text string, fields ...Field) {
	if !slices.ContainsFunc(x.doubts, func(d doubt) bool { return d.text == text }) {
		x.doubts = append(x.doubts, doubt{text, job, fields})
	}
}
