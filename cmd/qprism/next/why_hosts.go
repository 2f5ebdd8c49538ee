package next

import (
	"slices"
	"strconv"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/delay"
)

// namedHosts is how many hosts of a reason are named unless --all asks for all.
const namedHosts = 4

func (r *whyReport) hostSheet(all bool) show.Sheet {
	t := show.Sheet{Columns: show.Columns(">hosts", "time helps", "because", "which")}
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
		return "full: running jobs, or jobs before it"
	case g.Bar == delay.Kept:
		return "has room now, but a reservation or a top job needs it before this job would end"
	case g.Bar == delay.Partial:
		return r.words.Partly
	}
	return r.words.Place(&g.Why)
}
