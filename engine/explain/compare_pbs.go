package explain

import (
	"fmt"
	"math"

	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/fairshare"
)

func (sc *Scene) comparePBS(c *Comparison, idA, idB string) error {
	a, err := sc.standOf(idA)
	if err != nil {
		return err
	}
	b, err := sc.standOf(idB)
	if err != nil {
		return err
	}
	if a.Queue == "" || b.Queue == "" {
		return nil
	}
	c.Rows, c.Decided = sc.rowsPBS(a, b)
	c.NextSame = true
	if c.First == 0 {
		c.Decided = ""
		return nil
	}
	sc.flipsPBS(c, a, b)
	return nil
}

// rowsPBS sets side by side what the cycle sorts by; of a formula its terms too.
func (sc *Scene) rowsPBS(a, b *criteria.Stand) (rows []Row, decided string) {
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
		row := Row{Name: listA[i].Name, A: shortly(&listA[i].Term), B: shortly(&listB[i].Term), Gain: math.NaN(), Wins: order[listA[i].Name]}
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

func shortly(t *Term) string {
	if t.Text != "" && t.Op != Sum && t.Op != Single {
		return t.Text
	}
	return Number(t.Value)
}

// formulaRows are the terms of the formula's sum.
func formulaRows(a, b *Term) (rows []Row) {
	if a.Op == Single {
		a = &a.Terms[0]
	}
	if b.Op == Single {
		b = &b.Terms[0]
	}
	if a.Op != Sum || b.Op != Sum || len(a.Terms) != len(b.Terms) || len(a.Terms) < 2 {
		return nil
	}
	for i := range a.Terms {
		x, y := &a.Terms[i], &b.Terms[i]
		row := Row{Name: x.Name, Depth: 1, A: Number(x.Value), B: Number(y.Value), Gain: x.Value - y.Value}
		if x.Minus {
			row.Name, row.Gain = "− "+x.Name, -row.Gain
		}
		row.Wins = winner(row.Gain)
		rows = append(rows, row)
	}
	return rows
}

// fairRows are the levels of the tree that were compared.
func fairRows(a, b *criteria.Stand) (rows []Row) {
	if a.Node == nil || b.Node == nil || a.Node == b.Node {
		return nil
	}
	for _, l := range fairshare.Explain(a.Node, b.Node).Levels {
		row := Row{Name: "usage ÷ share", Depth: 1, A: levelWords(l.A), B: levelWords(l.B), Gain: math.NaN()}
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
	return fmt.Sprintf("%s %s ÷ %s = %s", s.Node.Name, Number(s.Node.Temporary), Number(float64(s.Node.Perc)), Number(s.Ratio))
}
