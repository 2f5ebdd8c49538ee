package main

import (
	"strings"

	"qprism/engine/model"
)

// generalWords are the reasons of the job itself, and those that hold everywhere, a line each.
func (r *whyReport) generalWords() []string {
	general := groupReasons(r.General)
	environments := 0 // with too few slots
	for i := range general {
		if g := &general[i]; g.Kind == model.ReasonPESlots {
			environments += len(g.objects)
		}
	}
	var lines []string
	for i := range general {
		if g := &general[i]; g.Kind == model.ReasonPESlots {
			lines = append(lines, g.tooFew(environments > 1))
		} else {
			lines = append(lines, g.text())
		}
	}
	return lines
}

// tooFew says that a parallel environment has too few slots for the job: its name matters where several could be had.
func (g *reasonGroup) tooFew(named bool) string {
	text := reasonText(&g.Reason)
	asked, _, _ := strings.Cut(g.Asked, "-")
	least, failed := model.ParseNumber(asked)
	if offered, err := model.ParseNumber(g.Offered); failed == nil && err == nil && offered >= least {
		text = "too few slots together for now: asks for " + g.Asked + ", there will be " + g.Offered
	}
	if named && len(g.objects) > 0 {
		text = strings.Join(g.objects[:min(len(g.objects), 3)], ", ") + ": " + text
	}
	return text
}
