package explain

import (
	"fmt"
	"math"

	"qprism/engine/explain"

	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

func (sc *Scene) compare(c *explain.Comparison, idA, idB string) error {
	a, err := sc.valuesOf(idA)
	if err != nil {
		return err
	}
	b, err := sc.valuesOf(idB)
	if err != nil {
		return err
	}
	if a.Queue == "" || b.Queue == "" {
		return nil
	}
	c.Rows, c.Decided = sc.rows(a, b)
	c.NextSame = true
	if c.First == 0 {
		c.Decided = ""
		return nil
	}
	sc.flips(c, a, b)
	return nil
}

// rows sets side by side what the cycle sorts by; of a formula its terms too.
func (sc *Scene) rows(a, b *criteria.JobValues) (rows []explain.Row, decided string) {
	order := map[string]int{}
	list := sc.lineup.Criteria()
	for i := range list {
		order[list[i].Name] = list[i].Compare(a, b)
	}
	if c := criteria.Decides(list, a, b); c != nil {
		decided = c.Name
	}
	listA, listB := sc.criteria(a), sc.criteria(b)
	for i := range listA {
		row := explain.Row{
			Name: listA[i].Name,
			A:    shortly(&listA[i].Term),
			B:    shortly(&listB[i].Term),
			Gain: math.NaN(),
			Wins: order[listA[i].Name],
		}
		if row.Name == "formula" {
			row.Gain = listA[i].Term.Value - listB[i].Term.Value
		}
		rows = append(rows, row)
		switch row.Name {
		case "formula":
			rows = append(rows, formulaRows(&listA[i].Term, &listB[i].Term)...)
		case "fairshare":
			rows = append(rows, fairRows(a, b)...)
		}
	}
	return rows, decided
}

func shortly(t *explain.Term) string {
	if t.Text != "" && t.Op != explain.Sum && t.Op != explain.Single {
		return t.Text
	}
	return explain.Number(t.Value)
}

// formulaRows are the terms of the formula's sum.
func formulaRows(a, b *explain.Term) (rows []explain.Row) {
	if a.Op == explain.Single {
		a = &a.Terms[0]
	}
	if b.Op == explain.Single {
		b = &b.Terms[0]
	}
	if a.Op != explain.Sum || b.Op != explain.Sum || len(a.Terms) != len(b.Terms) || len(a.Terms) < 2 {
		return nil
	}
	for i := range a.Terms {
		x, y := &a.Terms[i], &b.Terms[i]
		row := explain.Row{Name: x.Name, Depth: 1, A: explain.Number(x.Value), B: explain.Number(y.Value),
			Gain: x.Value - y.Value}
		if x.Minus {
			row.Name, row.Gain = "− "+x.Name, -row.Gain
		}
		row.Wins = explain.Winner(row.Gain)
		rows = append(rows, row)
	}
	return rows
}

// fairRows are the levels of the tree that were compared.
func fairRows(a, b *criteria.JobValues) (rows []explain.Row) {
	if a.Node == nil || b.Node == nil || a.Node == b.Node {
		return nil
	}
	for _, l := range fairshare.Explain(a.Node, b.Node).Levels {
		row := explain.Row{Name: "usage ÷ share", Depth: 1, A: levelWords(l.A), B: levelWords(l.B), Gain: math.NaN()}
		switch x, y := l.A.Ratio, l.B.Ratio; {
		case x < 0 && y < 0:
		case y < 0, x >= 0 && x < y:
			row.Wins = -1
		case x < 0, x > y:
			row.Wins = 1
		}
		rows = append(rows, row)
	}
	return rows
}

func levelWords(s fairshare.Standing) string {
	if s.Ratio < 0 {
		return s.Node.Name + " no share"
	}
	return fmt.Sprintf(
		"%s %s ÷ %s = %s",
		s.Node.Name,
		explain.Number(s.Node.Temporary),
		explain.Number(float64(s.Node.Perc)),
		explain.Number(s.Ratio),
	)
}
