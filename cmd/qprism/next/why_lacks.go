package next

import (
	"strings"

	"qprism/cmd/qprism/words"
	"qprism/engine/model"
)

// generalWords are the reasons of the job itself, and those that hold everywhere, a line each.
func (r *whyReport) generalWords() []string {
	general := words.GroupReasons(r.General)
	environments := 0 // with too few slots
	for i := range general {
		if g := &general[i]; g.Kind == model.ReasonPESlots {
			environments += len(g.Objects)
		}
	}
	var lines []string
	for i := range general {
		if g := &general[i]; g.Kind == model.ReasonPESlots {
			lines = append(lines, tooFew(g, environments > 1))
		} else {
			lines = append(lines, text(g))
		}
	}
	return lines
}

// tooFew says that a parallel environment has too few slots for the job: its name matters where several could be had.
func tooFew(g *words.ReasonGroup, named bool) string {
	text := words.ReasonText(&g.Reason)
	asked, _, _ := strings.Cut(g.Asked, "-")
	least, failed := model.ParseNumber(asked)
	if offered, err := model.ParseNumber(g.Offered); failed == nil && err == nil && offered >= least {
		text = "too few slots together now: requested " + g.Asked + ", there will be " + g.Offered
	}
	if named && len(g.Objects) > 0 {
		text = strings.Join(g.Objects[:min(len(g.Objects), 3)], ", ") + ": " + text
	}
	return text
}
