package synthesis

import (
	"fmt"

	"qprism/engine/model"
)

// plain is the candidate that needs nothing but PBS: what jobs ask for, how long they are eligible, and fairshare.
func (b *bench) plain() *Candidate {
	d := b.draft("plain", "what PBS knows by itself: requests, eligible time, fairshare", NeedsNothing)
	d.compose()
	d.Notes = append(d.Notes, "Requests of strings and booleans do not count; neither do deadlines and override tickets.")
	return d.done()
}

// requestPieces are the urgencies of resources that a formula can read, and of eligible time.
func (d *draft) requestPieces() (list []string) {
	for _, r := range d.last.Snapshot.Resources {
		u, err := model.ParseNumber(r.Urgency)
		name, unit, ok := d.readable(&r)
		if err != nil || u == 0 || !ok {
			continue
		}
		switch per := u * unit; {
		case per == 1:
			list = append(list, name)
		case per < 0:
			list = append(list, fmt.Sprintf("-%s*%s", text(-per), name))
		default:
			list = append(list, fmt.Sprintf("%s*%s", text(per), name))
		}
	}
	if w := d.policy.WeightWaitingTime; w != 0 {
		list = append(list, text(w)+"*eligible_time")
		d.Server = append(d.Server, model.Setting{Name: "eligible_time_enable", Value: "True"})
	}
	return list
}

// readable is what PBS calls a resource, and how many of Grid Engine's units one of PBS is; ok is false for
// resources that no formula can read.
func (b *bench) readable(r *model.Resource) (name string, unit float64, ok bool) {
	if r.Name == "slots" {
		return "ncpus", 1, true
	}
	switch own, _ := b.entries(r.Name); own.Type {
	case model.TypePBSLong, model.TypePBSFloat, model.TypePBSTime:
		return own.Name, 1, true
	case model.TypePBSSize:
		return own.Name, 1024, true // PBS counts in kilobytes
	}
	return "", 0, false
}

// sharePiece is fairshare: the factor where usage counts, else the target.
func (d *draft) sharePiece() []string {
	if d.policy.ShareTreeTickets == 0 && d.policy.FunctionalTickets == 0 {
		return nil
	}
	d.plant()
	if d.policy.ShareTreeTickets > 0 {
		return []string{"fairshare_factor"}
	}
	return []string{"fairshare_perc"}
}
