package migrate

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// A resource is a complex entry as PBS has it.
type resource struct {
	ge     model.Resource
	name   string             // in PBS; empty where PBS has nothing for it
	kind   model.ResourceType // of PBS
	global bool               // the global host has an amount, and no other
}

// translateComplex makes a custom resource of every entry that PBS has nothing like, and that means something here.
func translateComplex(t *Translation) {
	for _, r := range t.From.Resources {
		p := place{kind: "complex", object: r.Name, key: model.LineEntry}
		like, known := pbsTable.Rule("complex", r.Name, "")
		_, shipped := pbsTable.Rule("shipped", r.Name, "")
		used := t.made.asked[r.Name]
		switch {
		case r.Name == "slots":
			t.made.resources[r.Name] = resource{ge: r, name: "ncpus", kind: model.TypePBSLong}
			t.say(p, Exact, "resource ncpus", "")
		case (known && like.Verdict != Exact || shipped) && !used:
			t.tell(p, "shipped")
		case known && like.Into != "" && !t.made.given[like.Into]:
			t.made.given[like.Into] = true
			t.made.resources[r.Name] = resource{ge: r, name: like.Into, kind: builtInTypes[like.Into]}
			t.say(p, like.Verdict, "resource "+like.Into, like.Note)
		case known && like.Into == "":
			t.say(p, like.Verdict, "", like.Note)
		default:
			t.customResource(p, r)
		}
		t.sayUrgency(p, r)
	}
}

// builtInTypes are the types of those resources of PBS that entries become.
var builtInTypes = map[string]model.ResourceType{
	"ncpus": model.TypePBSLong, "walltime": model.TypePBSTime, "cput": model.TypePBSTime, "file": model.TypePBSSize,
	"arch": model.TypePBSString, "host": model.TypePBSString, "mem": model.TypePBSSize, "vmem": model.TypePBSSize,
}

// urgencyColumn is the column of the complex that says how urgent an entry makes jobs that ask for it.
const urgencyColumn = "urgency"

// sayUrgency notes that an entry has urgency that orders jobs, which is the formula's business.
func (t *Translation) sayUrgency(p place, r model.Resource) {
	if t.From.Policy.WeightUrgency != 0 && isUrgent(r) {
		t.made.urgent[p] = true
	}
}

// isUrgent reports whether jobs that ask for an entry are more urgent, or less; one that cannot be read may be.
func isUrgent(r model.Resource) bool {
	n, err := model.ParseNumber(r.Urgency)
	return r.Urgency != "" && (err != nil || n != 0)
}

// customResource makes a resource of an entry.
func (t *Translation) customResource(p place, r model.Resource) {
	made := resource{ge: r, name: t.spell(resourceSpelling, r.Name), global: t.onlyGlobal(r)}
	d := model.Resource{Name: made.name}
	var found string
	d.Type, found = pbsType(r)
	d.Flags = made.flags(r)
	made.kind = d.Type
	if t.choosesQueue(made) {
		d.Flags = "" // queues have it, not nodes
	}
	if r.Requestable == model.RequestNo {
		d.Flags += "r"
	}
	t.made.resources[r.Name] = made
	t.addResource(d)
	t.say(p, Exact, "resource "+d.Name+" "+string(d.Type)+flagText(d.Flags), "")
	if found != "" {
		t.tell(p, found, "{type}", string(r.Type))
	}
	switch {
	case r.Relop == model.Exclusive:
		t.tell(p, "exclusive")
	case r.Consumable == model.ConsumeNo && numeric(d.Type) && r.Relop != model.AtMost && r.Relop != "":
		t.tell(p, "relation", "{relop}", string(r.Relop))
	case !numeric(d.Type) && r.Relop == model.NotEqual:
		t.tell(p, "unequal")
	}
	if r.Requestable == model.RequestForced {
		t.forced(p, made)
	}
}

func flagText(flags string) string {
	if flags == "" {
		return ""
	}
	return " flag=" + flags
}

// pbsType is the PBS type of an entry; found is the table's case of what is different, empty for nothing.
func pbsType(r model.Resource) (kind model.ResourceType, found string) {
	switch r.Type {
	case model.TypeInt:
		return model.TypePBSLong, ""
	case model.TypeTime:
		return model.TypePBSLong, "time"
	case model.TypeDouble:
		return model.TypePBSFloat, "decimals"
	case model.TypeMemory:
		return model.TypePBSSize, ""
	case model.TypeBool:
		return model.TypePBSBoolean, ""
	case model.TypeReString:
		return model.TypePBSString, "wildcards"
	case model.TypeRSMap:
		return model.TypePBSLong, "map"
	case model.TypeCString, model.TypeHost:
		return model.TypePBSString, "case"
	case model.TypeString:
		return model.TypePBSString, ""
	}
	return model.TypePBSString, "unknown type"
}

func numeric(k model.ResourceType) bool {
	return k == model.TypePBSLong || k == model.TypePBSFloat || k == model.TypePBSSize || k == model.TypePBSTime
}

// flags of a resource (pbs_resources(7B)): where it is counted, and how.
func (m resource) flags(r model.Resource) string {
	consumed := r.Consumable != model.ConsumeNo && numericGE(r.Type)
	switch {
	case consumed && m.global:
		return "q"
	case consumed && (r.Consumable == model.ConsumeJob):
		return "hf" // on the first host of a job alone
	case consumed:
		return "hn"
	}
	return "h"
}

func numericGE(k model.ResourceType) bool {
	return k == model.TypeInt || k == model.TypeDouble || k == model.TypeTime || k == model.TypeMemory ||
		k == model.TypeRSMap
}

// forced is for resources that a job must ask for to run where they are.
func (t *Translation) forced(p place, made resource) {
	switch {
	case t.choosesQueue(made):
	case !t.onAnyHost(made.ge) && !t.onQueues(made.ge):
	case made.ge.Type == model.TypeBool:
		t.setServer("default_chunk."+made.name, "False")
	default:
		t.tell(p, "forced")
	}
}

// onlyGlobal reports whether an entry has an amount on the global host and on no other, and on no queue.
func (t *Translation) onlyGlobal(r model.Resource) bool {
	for _, h := range t.From.Hosts {
		if _, ok := capacity(h.Capacity, r); ok && h.Name == model.GlobalHost {
			return !t.onHosts(r) && !t.onQueues(r)
		}
	}
	return false
}

// onHosts reports whether an execution host has an amount of an entry.
func (t *Translation) onHosts(r model.Resource) bool {
	return slices.ContainsFunc(t.From.Hosts, func(h model.Host) bool {
		_, ok := capacity(h.Capacity, r)
		return ok && h.Name != model.GlobalHost
	})
}

// onQueues reports whether a queue instance has an amount of an entry.
func (t *Translation) onQueues(r model.Resource) bool {
	return slices.ContainsFunc(t.From.Instances, func(i model.QueueInstance) bool {
		_, ok := capacity(i.Capacity, r)
		return ok
	})
}

// capacity is the value of an entry among complex_values, which may name it by its shortcut.
func capacity(values []model.Setting, r model.Resource) (string, bool) {
	if v, ok := model.Text(values, r.Name); ok {
		return v, true
	}
	if r.Shortcut == "" {
		return "", false
	}
	return model.Text(values, r.Shortcut)
}

// addResource adds a custom resource to the server, unless it is there.
func (t *Translation) addResource(d model.Resource) {
	for _, r := range t.To.Resources {
		if r.Name == d.Name {
			return
		}
	}
	t.To.Resources = append(t.To.Resources, d)
}

// most is where amounts end: PBS keeps whole numbers of 64 bits, and INFINITY is none of them.
const most = 1 << 60

// amount is a value in PBS's words, for a resource of that type; ok is false where it is none.
func amount(kind model.ResourceType, value string) (text string, ok bool) {
	switch kind {
	case model.TypePBSBoolean:
		b, err := model.ParseBool(value)
		if err != nil {
			n, numErr := model.ParseNumber(value)
			b, err = n != 0, numErr
		}
		if b {
			return "True", err == nil
		}
		return "False", err == nil
	case model.TypePBSSize:
		n, err := model.ParseNumber(value)
		return sizeText(n), err == nil && n >= 0 && n < most
	case model.TypePBSTime:
		n, err := model.ParseNumber(value)
		return clockText(int64(n)), err == nil && n >= 0 && n < 1<<40
	case model.TypePBSLong:
		n, err := model.ParseNumber(value)
		return strconv.FormatInt(int64(n), 10), err == nil && n == math.Trunc(n) && math.Abs(n) < most
	case model.TypePBSFloat:
		n, err := model.ParseNumber(value)
		return strconv.FormatFloat(n, 'f', -1, 64), err == nil && math.Abs(n) < most
	}
	return value, value != ""
}

// sizeText writes bytes with the largest suffix that leaves a whole number.
func sizeText(bytes float64) string {
	n := int64(bytes)
	for i, suffix := range []string{"tb", "gb", "mb", "kb"} {
		if unit := int64(1) << (40 - 10*i); n >= unit && n%unit == 0 {
			return strconv.FormatInt(n/unit, 10) + suffix
		}
	}
	return strconv.FormatInt(n, 10) + "b"
}

func clockText(seconds int64) string {
	return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}
