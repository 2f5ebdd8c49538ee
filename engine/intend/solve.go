package intend

import (
	"cmp"
	"math"
	"slices"

	"qprism/engine/model"
)

// A Solution is a policy that keeps all sentences about job order, or the obstacles.
type Solution struct {
	Changes  []Change // of weights, urgencies and shares; nil if no tried policy keeps all sentences
	Found    bool
	Verdicts []Verdict // of all sentences, with the changes
	Never    []int     // sentences that no tried policy keeps, not even alone
	Exclude  [2]int    // two sentences that no policy keeps together, though each alone; equal numbers if there are none
	Tried    int       // number of policies
	Bounded  bool      // the search stopped at its limit
}

// mostSolving bounds the work of a solution: jobs that are ranked, summed over all that is tried. A cycle
// of PBS costs more.
const (
	mostSolving    = 3_000_000
	mostSolvingPBS = 600_000
)

func (s *solver) bounded() bool {
	return s.work > mostSolving || s.in.Snapshot.PBS != nil && s.work > mostSolvingPBS
}

// A solver holds policies against sentences. What broke a sentence under one policy is tried first under the others.
type solver struct {
	in         Input
	list       []Intention
	candidates [][]Change
	checkers   []*checker
	known      map[[2]int]bool // by candidate and sentence
	learnt     [][][]*model.Job
	work       int
}

// Solve looks for weights, urgencies and shares that keep all sentences about job order, as near to the
// present ones as possible.
func Solve(in Input, list []Intention) *Solution {
	s := &solver{in: in, list: list, candidates: candidates(&in, list), known: map[[2]int]bool{},
		learnt: make([][][]*model.Job, len(list))}
	s.checkers = make([]*checker, len(s.candidates))
	solution := &Solution{Tried: len(s.candidates)}
	var about []int
	for i := range list {
		if solvable(&list[i]) {
			about = append(about, i)
		}
	}
	k := s.first(about...)
	if k >= 0 {
		solution.Found, solution.Changes = true, s.candidates[k]
		changed := in
		changed.Snapshot = with(in.Snapshot, s.candidates[k])
		solution.Verdicts = Check(changed, list)
		return solution
	}
	solution.Never, solution.Exclude = s.against(about)
	solution.Bounded = s.bounded()
	return solution
}

// solvable reports whether a sentence is about what weights and shares decide.
func solvable(i *Intention) bool {
	return i.Kind == Before || i.Kind == Within || i.Kind == Policies || i.Kind == Worth
}

// first is the first candidate that keeps some sentences, -1 for none.
func (s *solver) first(sentences ...int) int {
	for k := range s.candidates {
		if !slices.ContainsFunc(sentences, func(i int) bool { return s.failsAtOnce(k, i) }) &&
			!slices.ContainsFunc(sentences, func(i int) bool { return !s.keeps(k, i) }) {
			return k
		}
	}
	return -1
}

// failsAtOnce reports whether a candidate fails a sentence for the jobs at hand, or for those that broke it
// under other policies.
func (s *solver) failsAtOnce(candidate, sentence int) bool {
	key := [2]int{candidate, sentence}
	keeps, known := s.known[key]
	if known {
		return !keeps
	}
	i, c := &s.list[sentence], s.checker(candidate)
	fails := false
	if i.Kind == Worth {
		v := c.check(i)
		fails = v.Answer != Holds
		s.known[key] = !fails
		return fails
	}
	r := ruleOf(i, c.Snapshot)
	fails = count(c.now, r).broken > 0 || slices.ContainsFunc(s.learnt[sentence], func(jobs []*model.Job) bool {
		s.work += len(jobs) + 5
		return c.breaks(jobs, r, true) != nil
	})
	if fails {
		s.known[key] = false
	}
	return fails
}

func (s *solver) checker(candidate int) *checker {
	if s.checkers[candidate] == nil {
		in := s.in
		in.Snapshot = with(in.Snapshot, s.candidates[candidate])
		s.checkers[candidate] = newChecker(in)
		s.work += len(in.Snapshot.Jobs)
	}
	return s.checkers[candidate]
}

// against finds the sentences that nothing keeps, or else two that exclude each other.
func (s *solver) against(about []int) (never []int, exclude [2]int) {
	for _, i := range about {
		if s.first(i) < 0 {
			never = append(never, i)
		}
	}
	if len(never) > 0 {
		return never, exclude
	}
	for n, i := range about {
		for _, k := range about[n+1:] {
			if s.first(i, k) < 0 {
				return nil, [2]int{i, k}
			}
		}
	}
	return nil, exclude
}

// keeps reports whether a candidate keeps a sentence.
func (s *solver) keeps(candidate, sentence int) bool {
	key := [2]int{candidate, sentence}
	keeps, known := s.known[key]
	if !known {
		keeps = s.tried(candidate, sentence)
		s.known[key] = keeps
	}
	return keeps
}

func (s *solver) tried(candidate, sentence int) bool {
	if s.failsAtOnce(candidate, sentence) || s.bounded() {
		return false
	}
	if s.list[sentence].Kind == Worth {
		return true
	}
	w := s.checker(candidate).worstCase(&s.list[sentence])
	s.work += w.work
	if w.Counterexample != nil {
		s.learnt[sentence] = append(s.learnt[sentence], w.Jobs)
	}
	return w.Counterexample == nil && !w.cut
}

// steps are the kinds of changes, of each of which one is made.
func steps(in *Input, list []Intention) [][][]Change {
	if in.Snapshot.PBS != nil {
		return [][][]Change{formulaChanges(in, list), nodeChanges(in, list)}
	}
	return [][][]Change{worthChanges(in, list), weightChanges(in, list), shareChanges(in, list)}
}

// candidates are the policies that are tried, the nearest to the present one first.
func candidates(in *Input, list []Intention) [][]Change {
	all := [][]Change{nil}
	for _, step := range steps(in, list) {
		var next [][]Change
		for _, a := range all {
			for _, b := range step {
				next = append(next, slices.Concat(a, b))
			}
		}
		all = next
	}
	slices.SortStableFunc(all, func(a, b []Change) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(far(a), far(b)))
	})
	return all
}

// far is how far changes lead from what there is, in powers of ten.
func far(changes []Change) (sum float64) {
	for _, c := range changes {
		if c.Key == formulaKey {
			sum += c.cost
		} else if c.From > 0 && c.Value > 0 {
			sum += math.Abs(math.Log10(c.Value / c.From))
		} else {
			sum += 10
		}
	}
	return sum
}

// worthChanges make waiting worth what sentences say.
func worthChanges(in *Input, list []Intention) [][]Change {
	all := [][]Change{nil}
	for k := range list {
		if i := &list[k]; i.Kind == Worth {
			c := checker{Input: *in}
			v := Verdict{Intention: *i}
			if c.worth(&v); v.Answer == Holds {
				continue
			}
			for _, change := range worthIt(in, i) {
				all = append(all, []Change{change})
			}
		}
	}
	return all
}

// weightChanges are other weights of the policies that are used, or that a sentence speaks of: one after
// the other, by factors of ten.
func weightChanges(in *Input, list []Intention) [][]Change {
	p := in.Snapshot.Policy
	keys := used(&p, list)
	top := 0.0
	for _, key := range keys {
		top = max(top, *weights(&p)[key])
	}
	if top == 0 {
		top = 1
	}
	all := [][]Change{nil}
	for _, order := range permutations(keys) {
		for ratio := 10.0; ratio <= 1e5; ratio *= 10 {
			var changes []Change
			for n, key := range order {
				change := Change{Key: key, From: *weights(&p)[key], Value: digits(top / math.Pow(ratio, float64(n)))}
				if !near(change.From, change.Value) {
					changes = append(changes, change)
				}
			}
			if !slices.ContainsFunc(all, func(other []Change) bool { return slices.Equal(other, changes) }) {
				all = append(all, changes)
			}
		}
	}
	return all
}

// used are the weights that are not 0, and those of policies that a sentence speaks of.
func used(p *model.Policy, list []Intention) (keys []string) {
	named := map[string]bool{}
	for k := range list {
		i := &list[k]
		for _, by := range i.By {
			switch by {
			case byUrgency, bySlots, byWaiting:
				named["weight_urgency"] = true
			case byTickets:
				named["weight_ticket"] = true
			case byPosix:
				named["weight_priority"] = true
			}
		}
		for _, t := range slices.Concat(i.First, i.Second) {
			switch {
			case i.Kind != Before:
			case t.Kind == asking || t.Kind == atLeast || t.Kind == atMost:
				named["weight_urgency"] = true
			case t.Kind == ofUser || t.Kind == ofProject || t.Kind == ofDepartment:
				named["weight_ticket"] = true
			}
		}
	}
	for _, key := range []string{"weight_priority", "weight_urgency", "weight_ticket"} {
		if named[key] || *weights(p)[key] > 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

func permutations(list []string) (all [][]string) {
	if len(list) == 0 {
		return [][]string{nil}
	}
	for i := range list {
		for _, rest := range permutations(slices.Delete(slices.Clone(list), i, i+1)) {
			all = append(all, append([]string{list[i]}, rest...))
		}
	}
	return all
}

// mostShares is more than anybody needs, and what fits into the master's numbers.
const mostShares = 1 << 31

// shareChanges give those that come first more shares than those behind them, by factors of ten.
func shareChanges(in *Input, list []Intention) [][]Change {
	all := [][]Change{nil}
	for k := range list {
		i := &list[k]
		if i.Kind != Before || len(i.First) != 1 || len(i.Second) != 1 || i.First[0].Kind != i.Second[0].Kind {
			continue
		}
		kind, name := i.First[0].Kind, i.First[0].Name
		has, less := in.Snapshot.SharesOf(kind, name), uint32(0)
		if has == nil {
			continue
		}
		if n := in.Snapshot.SharesOf(kind, i.Second[0].Name); n != nil {
			less = *n
		}
		for ratio := 100.0; ratio <= 1e6; ratio *= 10 {
			if shares := max(float64(less), 1) * ratio; shares > float64(*has) && shares < mostShares {
				all = append(all, []Change{{Key: kind + "/" + name, From: float64(*has), Value: shares}})
			}
		}
	}
	return all
}
