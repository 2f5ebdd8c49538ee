package past

import (
	"cmp"
	"slices"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/engine/diff"
	"qprism/engine/model"
)

// A diffReport is the result of a comparison.
type diffReport struct {
	first *model.Snapshot
	names []string // of the bundles, in the order of their times
	jobs  jobsByNumber
	rules string
	by    diff.Prediction
	runs  []diff.Run
	all   bool
	hints cli.Hints
}

// causes counts inversions by cause, the kinds in their order, the most frequent first.
func (r *diffReport) causes() (list []jsonCauseCount) {
	places := map[[2]string]int{}
	type who struct {
		place int
		task  diff.Task
	}
	seen := map[who]bool{}
	for i := range r.runs {
		for _, p := range r.runs[i].Pairs {
			key := [2]string{string(p.Cause.Kind), p.Cause.Detail}
			at, known := places[key]
			if !known {
				at = len(list)
				places[key] = at
				list = append(list, jsonCauseCount{Cause: key[0], Detail: key[1]})
			}
			list[at].Pairs++
			if w := (who{at, p.Late}); !seen[w] {
				seen[w] = true
				list[at].Tasks++
			}
		}
	}
	place := func(c jsonCauseCount) int { return slices.Index(diff.Kinds, diff.Kind(c.Cause)) }
	slices.SortStableFunc(list, func(a, b jsonCauseCount) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.Pairs, a.Pairs), cmp.Compare(a.Detail, b.Detail))
	})
	return list
}

// inversions is their number, and how many have no cause.
func (r *diffReport) inversions() (all, unlooked int64, unknown int) {
	for i := range r.runs {
		all += r.runs[i].Figures.Inversions
		unlooked += r.runs[i].Unlooked
		for _, p := range r.runs[i].Pairs {
			if p.Cause.Kind == diff.Unknown {
				unknown++
			}
		}
	}
	return all, unlooked, unknown
}

// An overtaken task with those that overtook it for one cause.
type overtaken struct {
	late  diff.Task
	cause diff.Cause // as the first run with it has it
	first time.Time  // of the runs
	runs  int
	early []diff.Task // each once, the first first
}

// overtaken groups the inversions of some runs by who was overtaken and why: the most often overtaken first.
func (r *diffReport) overtaken(runs []diff.Run) (list []overtaken) {
	type key struct {
		late         diff.Task
		kind, detail string
	}
	places, passed := map[key]int{}, map[key]map[diff.Task]bool{}
	for i := range runs {
		counted := map[key]bool{}
		for _, p := range runs[i].Pairs {
			k := key{p.Late, string(p.Cause.Kind), p.Cause.Detail}
			at, known := places[k]
			if !known {
				at = len(list)
				places[k], passed[k] = at, map[diff.Task]bool{}
				list = append(list, overtaken{late: p.Late, cause: p.Cause, first: runs[i].At})
			}
			if !counted[k] {
				counted[k] = true
				list[at].runs++
			}
			if !passed[k][p.Early] {
				passed[k][p.Early] = true
				list[at].early = append(list[at].early, p.Early)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b overtaken) int { return cmp.Compare(len(b.early), len(a.early)) })
	return list
}

// unseen are the tasks that no figure counts, because a snapshot lacks them: those that started and that
// none shows waiting, and those that are gone without a trace.
func (r *diffReport) unseen() (fresh, lost []diff.Task) {
	seen := map[diff.Task]bool{}
	for i := range r.runs {
		fresh = append(fresh, r.runs[i].New...)
		for _, t := range r.runs[i].Lost {
			if !seen[t] {
				seen[t] = true
				lost = append(lost, t)
			}
		}
	}
	return fresh, lost
}
