package accounting

import (
	"math"
	"slices"
	"strings"

	"qprism/engine/model"
)

// Amounts are the amounts of one vnode in exec_vnode, by resource.
type Amounts struct {
	Vnode string
	Of    map[string]float64
}

// PerVnode adds up exec_vnode by vnode, in its order.
func PerVnode(execVnode string) (list []Amounts) {
	for _, part := range strings.FieldsFunc(execVnode, func(r rune) bool { return strings.ContainsRune("()+", r) }) {
		fields := strings.Split(part, ":")
		name := fields[0]
		i := slices.IndexFunc(list, func(a Amounts) bool { return a.Vnode == name })
		if i < 0 {
			i = len(list)
			list = append(list, Amounts{name, map[string]float64{}})
		}
		for _, f := range fields[1:] {
			resource, value, _ := strings.Cut(f, "=")
			if amount, ok := model.PBSAmount(value); ok {
				list[i].Of[resource] += amount
			}
		}
	}
	return list
}

// Grants are the processors of each vnode in exec_vnode, in its order.
func Grants(execVnode string) (list []model.Grant) {
	for _, a := range PerVnode(execVnode) {
		list = append(list, model.Grant{Instance: a.Vnode, Slots: int(math.Min(a.Of["ncpus"], math.MaxInt32))})
	}
	return list
}
