package next

import (
	"fmt"
	"math"
	"strconv"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
)

// manyHolders is how many jobs that hold something are listed unless --all asks for all.
const manyHolders = 10

func (r *whyReport) holderSheet(out show.Output, all bool) (t show.Sheet, more int) {
	t = show.Sheet{Columns: show.Columns("waits for", ">held by", "which", "owner", ">amount", "until", ">in", ">free then")}
	for i, h := range r.Holders {
		if i == manyHolders && !all {
			return t, len(r.Holders) - i
		}
		until, in := "no end", ""
		if !h.Until.IsZero() {
			until, in = shortMoment(h.Until, r.at), show.SpanText(h.Until.Sub(r.at))
		}
		t.Add(placeText(h.Of), holderName(&h), lineStates[h.State], h.Owner, quantity(h.Amount), until, in, quantity(h.Free))
	}
	return t, 0
}

// holderName is the job or task that holds something.
func holderName(h *delay.Holder) string {
	if h.ID != "" {
		return h.ID
	}
	return fmt.Sprintf("%d.%d", h.Job, h.Task)
}

// lineStates are the states of the schedule file in words.
var lineStates = map[delay.State]string{delay.Running: "runs", delay.Suspended: "is suspended", delay.Starting: "starts now",
	delay.Reserving: "is reserved for", delay.Migrating: "migrates"}

func placeText(p delay.Place) string {
	switch p.Level {
	case "G":
		return p.Resource
	case "L":
		return "quota " + p.Object + words.UsageKey(p.Resource)
	}
	return p.Resource + " of " + p.Object
}

// quantity prints an amount of a resource, nothing where it is not known.
func quantity(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
