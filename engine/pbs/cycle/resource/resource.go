package resource

import (
	"fmt"
	"math"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/model"
)

// A Kind says how the amounts of a resource are compared and printed.
type Kind uint8

const (
	number Kind = iota // long and time: printed as a whole number
	Size               // kilobytes
	float
	Text    // string and string_array: one of several values must match
	Boolean // false if unset
)

// Consumable reports whether jobs consume the resource.
func (k Kind) Consumable() bool { return k < Text }

// A Resource is a resource of the server, pbs_resources(7B).
type Resource struct {
	Name     string
	Kind     Kind
	Assigned bool // flag q: server and queues have resources_assigned for it
	InSelect bool // flag h: it belongs in a chunk
	Known    bool // the server defines it; else its type is guessed from a value
}

// Table numbers the resources of a cluster. All other code uses these numbers.
type Table struct {
	List  []Resource
	Index map[string]int

	Checked map[string]bool // resources that sched_config names, nil for all
	rank    int             // the last one given

	Ncpus, Mem, vmem, Host, Vnode, Walltime, SoftWalltime, MinWalltime, MaxWalltime, Cput, PreemptTargets, AOE, EOE int
}

// BuiltIn are the resources that the scheduler treats by name, or whose flags a bundle may not show.
var BuiltIn = []Resource{
	{"ncpus", number, true, true, true}, {"mem", Size, true, true, true}, {"vmem", Size, true, true, true},
	{"host", Text, false, true, true}, {"vnode", Text, false, true, true},
	{"walltime", number, false, false, true}, {"soft_walltime", number, false, false, true},
	{"min_walltime", number, false, false, true}, {"max_walltime", number, false, false, true},
	{"cput", number, false, false, true}, {"preempt_targets", Text, false, false, true},
	{"aoe", Text, false, true, true}, {"eoe", Text, false, true, true}, {"arch", Text, false, true, true},
	{"nodect", number, true, false, true}, {"nchunk", number, false, true, true},
	{"mpiprocs", number, true, true, true}, {"ompthreads", number, false, true, true},
	{"naccelerators", number, true, true, true}, {"accelerator_memory", Size, true, true, true},
	{"hbmem", Size, true, true, true}, {"hpm", number, true, false, true}, {"vntype", Text, false, true, true},
	{"accelerator", Boolean, false, true, true}, {"accelerator_model", Text, false, true, true},
	{"accelerator_group", Text, false, true, true},
}

// New numbers resources. checked are those that the scheduler considers, nil for all.
func New(defined []model.Resource, checked []string) *Table {
	r := &Table{Index: map[string]int{}}
	if checked != nil {
		r.Checked = map[string]bool{}
	}
	for _, name := range checked {
		r.Checked[name] = true
	}
	for _, b := range BuiltIn {
		r.add(b)
	}
	for i := range defined {
		d := &defined[i]
		flags := d.Flags
		r.add(Resource{d.Name, kindOf(d.Type), strings.Contains(flags, "q"), strings.Contains(flags, "h"), true})
	}
	r.Ncpus, r.Mem, r.vmem, r.Host, r.Vnode = r.Index["ncpus"], r.Index["mem"], r.Index["vmem"],
		r.Index["host"], r.Index["vnode"]
	r.Walltime, r.SoftWalltime, r.Cput = r.Index["walltime"], r.Index["soft_walltime"], r.Index["cput"]
	r.MinWalltime, r.MaxWalltime = r.Index["min_walltime"], r.Index["max_walltime"]
	r.PreemptTargets, r.AOE, r.EOE = r.Index["preempt_targets"], r.Index["aoe"], r.Index["eoe"]
	return r
}

func (r *Table) add(d Resource) {
	if _, twice := r.Index[d.Name]; twice {
		return
	}
	r.Index[d.Name] = len(r.List)
	r.List = append(r.List, d)
}

func kindOf(t model.ResourceType) Kind {
	switch t {
	case model.TypePBSSize:
		return Size
	case model.TypePBSFloat:
		return float
	case model.TypePBSBoolean:
		return Boolean
	case model.TypePBSString, model.TypePBSStringArray:
		return Text
	}
	return number
}

// NextRank numbers things in the order in which they are read or found.
func (r *Table) NextRank() int {
	r.rank++
	return r.rank
}

// Number is the number of a resource. If no list defines it, its value decides its type.
func (r *Table) Number(name, value string) int {
	if i, ok := r.Index[name]; ok {
		return i
	}
	r.add(Resource{Name: name, Kind: guess(value)})
	return r.Index[name]
}

func guess(value string) Kind {
	switch amount, ok := model.PBSAmount(value); {
	case strings.EqualFold(value, "true"), strings.EqualFold(value, "false"):
		return Boolean
	case !ok:
		return Text
	case strings.ContainsAny(value, "bBwW") || strings.ContainsAny(value[max(len(value)-1, 0):], "kKmMgGtT"):
		return Size
	case amount != math.Trunc(amount):
		return float
	}
	return number
}

// Print formats an amount as the scheduler's messages do.
func (r *Table) Print(res int, amount float64) string {
	switch r.List[res].Kind {
	case Size:
		return printSize(amount)
	case float:
		return fmt.Sprintf("%.*f", formula.Digits(amount), amount)
	case Boolean:
		if amount != 0 {
			return "True"
		}
		return "False"
	}
	return fmt.Sprint(ToLong(amount))
}

// ToLong converts a double to a long as C does; infinity becomes the smallest long.
func ToLong(x float64) int64 {
	if !(math.Abs(x) < math.MaxInt64) {
		return math.MinInt64
	}
	return int64(x)
}

// printSize is a size in the largest unit that divides it.
func printSize(kb float64) string {
	n := ToLong(kb)
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

// PrintGiven formats an amount as exec_vnode does.
func (r *Table) PrintGiven(res int, amount float64) string {
	switch r.List[res].Kind {
	case float:
		return r.Print(res, amount)
	case Size:
		return fmt.Sprintf("%.0fkb", math.Ceil(amount))
	}
	return fmt.Sprintf("%.0f", math.Ceil(amount))
}

// Amounts are requests as amounts by name, for the computation of usage.
func (r *Table) Amounts(needs []Request) []model.Amount {
	list := make([]model.Amount, 0, len(needs))
	for _, n := range needs {
		if r.List[n.Res].Kind.Consumable() {
			list = append(list, model.Amount{Name: r.List[n.Res].Name, Value: n.Amount})
		}
	}
	return list
}
