package next

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// manyHolders is how many jobs that use a resource are listed without --all.
const manyHolders = 10

func (r *whyReport) holderSheet(out show.Output, all bool) (t show.Sheet, more int) {
	t = show.NewSheet("waits for", ">held by", "which", "owner", ">amount", "until", ">in", ">free then")
	t.Less = []string{"in"}
	for i, h := range r.Holders {
		if i == manyHolders && !all {
			return t, len(r.Holders) - i
		}
		until, in := "no end", ""
		if !h.Until.IsZero() {
			until, in = out.Short(h.Until, r.at), show.SpanText(h.Until.Sub(r.at))
		}
		amount := func(v float64) string { return quantity(r.types[h.Of.Resource], v) }
		t.Add(placeText(h.Of), holderName(&h), lineStates[h.State], h.Owner, amount(h.Amount), until, in, amount(h.Free))
	}
	return t, 0
}

// holderName names the job or task that uses a resource.
func holderName(h *delay.Holder) string {
	return cmp.Or(h.ID, fmt.Sprintf("%d.%d", h.Job, h.Task))
}

// lineStates are the states of the schedule file in words.
var lineStates = map[delay.State]string{delay.Running: "runs", delay.Suspended: "suspended", delay.Starting: "starts",
	delay.Reserving: "reserved", delay.Migrating: "migrates"}

func placeText(p delay.Place) string {
	switch p.Level {
	case "G":
		return p.Resource
	case "L":
		return "quota " + p.Object + words.UsageKey(p.Resource)
	}
	return p.Resource + " of " + p.Object
}

// quantity prints an amount of a resource in the form of users, 2G. It is empty if the amount is unknown.
func quantity(of model.ResourceType, v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case of == model.TypeMemory:
		return memory(v, "", "K", "M", "G", "T")
	case of == model.TypePBSSize:
		return memory(v, "kb", "mb", "gb", "tb", "pb")
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// memory prints an amount of memory with three digits, in the largest unit that gives at least one.
func memory(v float64, units ...string) string {
	i := 0
	for ; math.Abs(v) >= 1024 && i < len(units)-1; i++ {
		v /= 1024
	}
	if math.Abs(v) >= 100 || v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64) + units[i]
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + units[i]
}

// typesOf are the types of a cluster's resources, by their names.
func typesOf(s *model.Snapshot) map[string]model.ResourceType {
	types := map[string]model.ResourceType{}
	for i := range s.Resources {
		types[s.Resources[i].Name] = s.Resources[i].Type
	}
	return types
}
