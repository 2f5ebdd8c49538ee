package order

import (
	"cmp"

	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/fairshare"
)

// A deserving remembers, for the length of a sort, which of two entities is more deserving. Each pair is compared once:
// there are many jobs, and few entities.
type deserving struct {
	entities []*fairshare.Node
	known    []int8 // by both entities; 0 for not compared
}

// mostEntities bounds what is remembered.
const mostEntities = 2048

// number gives each entity of these jobs a number.
func (d *deserving) number(jobs []*cluster.Claim) {
	numbers := map[*fairshare.Node]int{}
	for _, c := range jobs {
		n, known := numbers[c.Entity]
		if !known {
			n = len(numbers)
			numbers[c.Entity] = n
			d.entities = append(d.entities, c.Entity)
		}
		c.EntityNumber = n
	}
}

// forget is for when usage has changed.
func (d *deserving) forget() {
	if n := len(d.entities); d.known == nil && n <= mostEntities {
		d.known = make([]int8, n*n)
	}
	clear(d.known)
}

func (d *deserving) compare(a, b int32) int {
	if d.known == nil {
		return compareEntities(d.entities[a], d.entities[b])
	}
	known := &d.known[int(a)*len(d.entities)+int(b)]
	if *known == 0 {
		*known = int8(compareEntities(d.entities[a], d.entities[b])) + 2
	}
	return int(*known) - 2
}

func compareEntities(a, b *fairshare.Node) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Compare(fairshare.Compare(a, b), 0)
}
