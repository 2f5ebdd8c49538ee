package cycle

import (
	"fmt"
	"math"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/model"
)

// A kind says how the amounts of a resource are compared and printed.
type kind uint8

const (
	number kind = iota // long and time: printed as a whole number
	size               // kilobytes
	float
	text    // string and string_array: one of several values has to match
	boolean // an unset one is false
)

// consumable reports whether amounts of the kind are used up.
func (k kind) consumable() bool { return k < text }

// A resource is a resource that the server knows, pbs_resources(7B).
type resource struct {
	name     string
	kind     kind
	assigned bool // flag q: the server keeps resources_assigned of it for itself and for queues
	inSelect bool // flag h: it belongs into a chunk
	known    bool // the server defines it; else it is only guessed from a value
}

// resources numbers the resources of a cluster; a resource is its number everywhere else.
type resources struct {
	list  []resource
	index map[string]int

	checked map[string]bool // the resources that sched_config names, nil for all
	rank    int             // the last one given

	ncpus, mem, vmem, host, vnode, walltime, softWalltime, minWalltime, maxWalltime, cput, preemptTargets, aoe, eoe int
}

// builtIn are the resources that scheduling treats by name, or whose flags a bundle may not show.
var builtIn = []resource{
	{"ncpus", number, true, true, true}, {"mem", size, true, true, true}, {"vmem", size, true, true, true},
	{"host", text, false, true, true}, {"vnode", text, false, true, true},
	{"walltime", number, false, false, true}, {"soft_walltime", number, false, false, true},
	{"min_walltime", number, false, false, true}, {"max_walltime", number, false, false, true},
	{"cput", number, false, false, true}, {"preempt_targets", text, false, false, true},
	{"aoe", text, false, true, true}, {"eoe", text, false, true, true}, {"arch", text, false, true, true},
	{"nodect", number, true, false, true}, {"nchunk", number, false, true, true},
	{"mpiprocs", number, true, true, true}, {"ompthreads", number, false, true, true},
	{"naccelerators", number, true, true, true}, {"accelerator_memory", size, true, true, true},
	{"hbmem", size, true, true, true}, {"hpm", number, true, false, true}, {"vntype", text, false, true, true},
	{"accelerator", boolean, false, true, true}, {"accelerator_model", text, false, true, true},
	{"accelerator_group", text, false, true, true},
}

// newResources numbers resources; checked are those that the scheduler looks at, nil for all.
func newResources(defined []model.Resource, checked []string) *resources {
	r := &resources{index: map[string]int{}}
	if checked != nil {
		r.checked = map[string]bool{}
	}
	for _, name := range checked {
		r.checked[name] = true
	}
	for _, b := range builtIn {
		r.add(b)
	}
	for i := range defined {
		d := &defined[i]
		flags := d.Flags
		r.add(resource{d.Name, kindOf(d.Type), strings.Contains(flags, "q"), strings.Contains(flags, "h"), true})
	}
	r.ncpus, r.mem, r.vmem, r.host, r.vnode = r.index["ncpus"], r.index["mem"], r.index["vmem"], r.index["host"], r.index["vnode"]
	r.walltime, r.softWalltime, r.cput = r.index["walltime"], r.index["soft_walltime"], r.index["cput"]
	r.minWalltime, r.maxWalltime = r.index["min_walltime"], r.index["max_walltime"]
	r.preemptTargets, r.aoe, r.eoe = r.index["preempt_targets"], r.index["aoe"], r.index["eoe"]
	return r
}

func (r *resources) add(d resource) {
	if _, twice := r.index[d.name]; twice {
		return
	}
	r.index[d.name] = len(r.list)
	r.list = append(r.list, d)
}

func kindOf(t model.ResourceType) kind {
	switch t {
	case model.TypePBSSize:
		return size
	case model.TypePBSFloat:
		return float
	case model.TypePBSBoolean:
		return boolean
	case model.TypePBSString, model.TypePBSStringArray:
		return text
	}
	return number
}

// nextRank numbers what is read and found, in that order.
func (r *resources) nextRank() int {
	r.rank++
	return r.rank
}

// of is the number of a resource. One that no list defines is what its value looks like.
func (r *resources) of(name, value string) int {
	if i, ok := r.index[name]; ok {
		return i
	}
	r.add(resource{name: name, kind: guess(value)})
	return r.index[name]
}

func guess(value string) kind {
	switch amount, ok := model.PBSAmount(value); {
	case strings.EqualFold(value, "true"), strings.EqualFold(value, "false"):
		return boolean
	case !ok:
		return text
	case strings.ContainsAny(value, "bBwW") || strings.ContainsAny(value[max(len(value)-1, 0):], "kKmMgGtT"):
		return size
	case amount != math.Trunc(amount):
		return float
	}
	return number
}

// print is an amount in the scheduler's messages.
func (r *resources) print(res int, amount float64) string {
	switch r.list[res].kind {
	case size:
		return printSize(amount)
	case float:
		return fmt.Sprintf("%.*f", formula.Digits(amount), amount)
	case boolean:
		if amount != 0 {
			return "True"
		}
		return "False"
	}
	return fmt.Sprint(whole(amount))
}

// whole is C's conversion of a double to a long, where infinity becomes the smallest one.
func whole(x float64) int64 {
	if !(math.Abs(x) < math.MaxInt64) {
		return math.MinInt64
	}
	return int64(x)
}

// printSize is a size in the largest unit that divides it.
func printSize(kb float64) string {
	n := whole(kb)
	switch {
	case n == 0:
		return "0kb"
	case n%(1<<30) == 0:
		return fmt.Sprintf("%dtb", n>>30)
	case n%(1<<20) == 0:
		return fmt.Sprintf("%dgb", n>>20)
	case n%(1<<10) == 0:
		return fmt.Sprintf("%dmb", n>>10)
	}
	return fmt.Sprintf("%dkb", n)
}

// printGiven is an amount in exec_vnode.
func (r *resources) printGiven(res int, amount float64) string {
	switch r.list[res].kind {
	case float:
		return r.print(res, amount)
	case size:
		return fmt.Sprintf("%.0fkb", math.Ceil(amount))
	}
	return fmt.Sprintf("%.0f", math.Ceil(amount))
}

// amounts are requests as amounts by name, the way usage is computed from them.
func (r *resources) amounts(needs []request) []model.Amount {
	list := make([]model.Amount, 0, len(needs))
	for _, n := range needs {
		if r.list[n.res].kind.consumable() {
			list = append(list, model.Amount{Name: r.list[n.res].name, Value: n.amount})
		}
	}
	return list
}
