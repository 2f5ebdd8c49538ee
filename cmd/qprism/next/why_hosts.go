package next

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/words"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// namedHosts is how many hosts of a reason are named unless --all asks for all.
const namedHosts = 4

func (r *whyReport) hostSheet(all bool) show.Sheet {
	t := show.NewSheet(">hosts", "time helps", "because", "which")
	for i := range r.Hosts {
		g := &r.Hosts[i]
		names := g.Places
		if !all && len(names) > namedHosts {
			names = append(slices.Clone(names[:namedHosts]), "…")
		}
		t.Add(strconv.Itoa(len(g.Places)), map[bool]string{true: "yes", false: "no"}[g.TimeHelps()],
			r.because(g), strings.Join(names, " "))
	}
	return t
}

// because says why the hosts of a group do not take the job.
func (r *whyReport) because(g *delay.Group) string {
	switch {
	case g.Bar == delay.Taken:
		return "full: used by running jobs, or by jobs before it"
	case g.Bar == delay.Kept:
		return "has enough free now, but a reservation or a top job needs it before this job would end"
	case g.Bar == delay.Partial:
		return r.words.Partly
	}
	return r.words.Place(&g.Why)
}

// closedWords lists the queue instances in which no job can start, one line for each reason.
func (r *whyReport) closedWords() []string {
	var lines []string
	for i := range r.Closed {
		g := &r.Closed[i]
		places := strings.Join(g.Places[:min(len(g.Places), namedHosts)], ", ")
		if more := len(g.Places) - namedHosts; more > 0 {
			places += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, "closed to all jobs: "+places+": "+words.ReasonText(&g.Why))
	}
	return lines
}

// generalWords returns the reasons in the job itself, and those that apply everywhere, one a line.
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

// tooFew says that a parallel environment has too few slots for the job. If several are possible, it adds the
// name.
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
