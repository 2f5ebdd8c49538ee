package diff

import (
	"cmp"
	"slices"
)

// A Bypass is a task that started before others that were expected first, and why these had to wait.
type Bypass struct {
	Item
	Cause  Cause  // of the first passed task; the others have the same kind and detail
	Passed []Item // in the expected order
}

// Bypasses are the inversions of a run by early task: by start time, then in the expected order. If an early
// task has several causes, the cause of the task that was furthest ahead comes first.
func (r *Run) Bypasses() (list []Bypass) {
	items := make(map[Task]Item, len(r.Items))
	for _, it := range r.Items {
		items[it.Task] = it
	}
	type key struct {
		early        Task
		kind, detail string
	}
	places := map[key]int{}
	for _, p := range r.Pairs {
		k := key{p.Early, string(p.Cause.Kind), p.Cause.Detail}
		at, known := places[k]
		if !known {
			at = len(list)
			places[k] = at
			list = append(list, Bypass{Item: items[p.Early], Cause: p.Cause})
		}
		list[at].Passed = append(list[at].Passed, items[p.Late])
	}
	slices.SortStableFunc(list, func(a, b Bypass) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Rank, b.Rank),
			cmp.Compare(a.Passed[0].Rank, b.Passed[0].Rank))
	})
	return list
}
