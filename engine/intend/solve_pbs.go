package intend

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// formulaKey is the key of a change that sets another job_sort_formula, and nodeKey that of one of the
// shares of a node of the tree.
const (
	formulaKey = "job_sort_formula"
	nodeKey    = "node"
)

// termsOf are what is added up to rank jobs: the terms of the formula that there is, and those that
// sentences speak of and it lacks.
func termsOf(s *model.Snapshot, list []Intention) (terms []string) {
	names := formula.NamesOf(s.Resources)
	var known []string
	if f, err := formula.ParseJob(s.PBS.Formula, names); err == nil {
		known = f.Names()
		for _, t := range f.Terms(names) {
			if text := "(" + t.Text + ")"; t.Minus {
				terms = append(terms, "-1*"+text)
			} else {
				terms = append(terms, text)
			}
		}
	}
	add := func(name string) {
		if !slices.Contains(known, name) && slices.Contains(slices.Concat(names.Numeric, ownTerms), name) {
			known, terms = append(known, name), append(terms, name)
		}
	}
	for k := range list {
		for _, by := range list[k].By {
			add(map[string]string{bySlots: ncpus, byWaiting: "eligible_time", byPosix: "job_priority"}[by])
		}
		for _, t := range slices.Concat(list[k].First, list[k].Second) {
			switch {
			case list[k].Kind != Before:
			case t.Kind == asking:
				add(t.Name)
			case t.Kind == atLeast || t.Kind == atMost:
				add(ncpus)
			}
		}
		if list[k].Kind == Worth {
			add(ncpus)
			add("eligible_time")
		}
	}
	return terms
}

// ownTerms are names of a formula that are no resources, as far as terms are made of them.
var ownTerms = []string{"eligible_time", "job_priority"}

// mostTerms is of how many terms every order is tried.
const mostTerms = 3

// formulaChanges are other weights of the terms: one after the other, by factors of ten, and waiting worth
// what sentences say.
func formulaChanges(in *Input, list []Intention) [][]Change {
	all := [][]Change{nil}
	s := in.Snapshot
	if !s.HasSortFormula() || s.PBS.Formula == "" && s.PBS.SchedConfig.Prime.FairShare {
		return all // a formula would put an end to fair_share
	}
	terms := termsOf(s, list)
	add := func(text string, cost float64) {
		f, err := formula.ParseJob(text, formula.NamesOf(s.Resources))
		if err == nil && !slices.ContainsFunc(all[1:], func(c []Change) bool { return c[0].Text == f.String() }) {
			all = append(all, []Change{{Key: formulaKey, Text: f.String(), cost: cost}})
		}
	}
	for k := range list {
		if i := &list[k]; i.Kind == Worth {
			add(fmt.Sprintf("ncpus + %s*eligible_time", strconv.FormatFloat(
				digits(i.Number/i.Span.Seconds()), 'g', -1, 64)), 100)
		}
	}
	if len(terms) == 0 || len(terms) > mostTerms {
		return all
	}
	for _, order := range permutations(terms) {
		for power := 0; power <= 7; power++ {
			var parts []string
			for n, term := range order {
				if weight := math.Pow(10, float64(power*(len(order)-1-n))); weight != 1 {
					term = strconv.FormatFloat(weight, 'f', -1, 64) + "*" + term
				}
				parts = append(parts, term)
			}
			add(strings.Join(parts, " + "), float64(1+power*len(order)))
		}
	}
	return all
}

// nodeChanges give those that come first more shares of the fairshare tree than those behind them, by factors of ten.
func nodeChanges(in *Input, list []Intention) [][]Change {
	all := [][]Change{nil}
	for k := range list {
		i := &list[k]
		if i.Kind != Before || len(i.First) != 1 {
			continue
		}
		for _, g := range in.Snapshot.PBS.Fairshare.Groups {
			if g.Name != entityNamed(in.Snapshot, &i.First[0]) {
				continue
			}
			for ratio := 10.0; ratio <= 1e6; ratio *= 10 {
				if shares := max(float64(g.Shares), 1) * ratio; shares < math.MaxInt32 {
					all = append(all, []Change{{Key: nodeKey + "/" + g.Name, From: float64(g.Shares), Value: shares}})
				}
			}
		}
	}
	return all
}

// entityNamed is the node of the tree that a term names, by fairshare_entity; empty where it names none.
func entityNamed(s *model.Snapshot, t *Term) string {
	j := model.Job{PBS: &model.PBSJob{}}
	switch t.Kind {
	case ofUser:
		j.Owner = t.Name
	case ofProject:
		j.Project = t.Name
	}
	if name := fairshare.EntityOf(s.PBS.Fairshare.Policy, &j); t.Name != "" && name == t.Name {
		return name
	}
	return ""
}

// withPBS makes a change to a copy of a snapshot of PBS.
func withPBS(own *model.Snapshot, c *Change, node string) {
	if c.Key == formulaKey {
		*own = *own.WithFormula(c.Text)
		return
	}
	own.GiveNodeShares(node, int32(c.Value))
}
