package lint

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/fairshare"
)

func (l *pbsLinter) fairShare() bool {
	return l.either(func(p *model.CyclePolicy) bool { return p.FairShare })
}

// fairshareCounts says whether shares order anything.
func (l *pbsLinter) fairshareCounts() bool {
	return l.fairShare() || strings.Contains(l.pbs.Formula, "fairshare") || strings.Contains(l.pbs.Formula, "fair_share")
}

// entities are those of jobs, each once, by name.
func entities(jobs []*criteria.JobValues) (names []string) {
	for _, s := range jobs {
		if s.Entity != "" {
			names = append(names, s.Entity)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// zeroShares finds entities without shares: their jobs never run, or count as over their share whatever they used
// (quirk P9).
func zeroShares(l *pbsLinter) []lint.Trap {
	if !l.fairshareCounts() {
		return nil
	}
	tree := fairshare.Build(l.pbs.Fairshare)
	node := func(s *criteria.JobValues) *fairshare.Node {
		return tree.Entity(fairshare.EntityOf(l.pbs.Fairshare.Policy, s.Job))
	}
	without := l.standing(func(s *criteria.JobValues) bool { return node(s).Perc == 0 })
	if len(without) == 0 {
		return nil
	}
	var names []string
	for _, s := range without {
		names = append(names, node(s).Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	what := "come last: their fairshare_factor is 0"
	if l.fairShare() && l.pbs.Fairshare.Policy.EnforceNoShares {
		what = "never run (fairshare_enforce_no_shares)"
	}
	return []lint.Trap{{
		Name:  "entities-without-shares",
		What:  fmt.Sprintf("jobs of entities without shares %s: %s", what, lint.Few(names)),
		Place: l.option("unknown_shares"),
		Effect: lint.Sentences(fmt.Sprintf("this affects %s: %s", lint.Many(len(without), "waiting job"), ids(without)),
			l.mended(func(s *model.Snapshot) { s.PBS.Fairshare.Policy.UnknownShares = 10 })),
		Fix: []string{l.setOption("unknown_shares", "10"), fmt.Sprintf("echo %s >> %s/resource_group",
			lint.Quote(fmt.Sprintf("%s %d root 10", names[0], l.freeGroup())), l.schedPriv()) + again},
	}}
}

// freeGroup is a number that no group has.
func (l *pbsLinter) freeGroup() int32 {
	free := int32(10)
	for _, g := range l.pbs.Fairshare.Groups {
		free = max(free, min(g.Group, 1<<30)+1)
	}
	return free
}

// groupLine is a line of resource_group.
func (l *pbsLinter) groupLine(n int) lint.Place {
	p := lint.Place{File: l.source("resource_group"), Line: n}
	if lines := l.Lines(p.File); n >= 1 && n <= len(lines) {
		p.Text = strings.Join(strings.Fields(lines[n-1]), " ")
	}
	return p
}

// groupsRejected finds lines of resource_group that the scheduler skips.
func groupsRejected(l *pbsLinter) (traps []lint.Trap) {
	for _, r := range fairshare.Build(l.pbs.Fairshare).Rejected {
		if r.Line == 0 {
			continue
		}
		jobs := l.standing(func(s *criteria.JobValues) bool {
			return fairshare.EntityOf(l.pbs.Fairshare.Policy, s.Job) == r.Name
		})
		traps = append(traps, lint.Trap{
			Name:   "group-rejected",
			What:   fmt.Sprintf("the scheduler skips the line of %s in resource_group: %s", r.Name, r.Reason),
			Place:  l.groupLine(r.Line),
			Effect: fmt.Sprintf("%s of %s cannot use the shares of that line", lint.Many(len(jobs), "waiting job"), r.Name),
			Fix:    []string{l.groupFix(r)},
		})
	}
	return traps
}

// groupFix moves a line behind the one of its parent, or takes it out.
func (l *pbsLinter) groupFix(r fairshare.Rejected) string {
	file := l.schedPriv() + "/resource_group"
	for _, g := range l.pbs.Fairshare.Groups {
		if g.Line == r.Line && slices.ContainsFunc(l.pbs.Fairshare.Groups,
			func(p model.ResourceGroup) bool { return p.Name == g.Parent && p.Line > g.Line }) {
			return fmt.Sprintf("sed -i -e '%d{h;d}' -e '${p;x}' %s", r.Line, file) + again
		}
	}
	return fmt.Sprintf("sed -i '%ds/^/#/' %s", r.Line, file) + again
}

// positive gives a line of resource_group shares without the sign; nothing where the file is not shown.
func (l *pbsLinter) positive(g model.ResourceGroup) []string {
	if l.pbs.Fairshare.Listed {
		return nil
	}
	return []string{fmt.Sprintf("sed -i '%ds/-[0-9]*[[:space:]]*$/%d/' %s/resource_group",
		g.Line, -int64(g.Shares), l.schedPriv()) + again}
}

// negativeShares finds shares below 0, which nobody refuses.
func negativeShares(l *pbsLinter) (traps []lint.Trap) {
	for _, g := range l.pbs.Fairshare.Groups {
		if g.Shares >= 0 {
			continue
		}
		traps = append(traps, lint.Trap{
			Name: "negative-shares",
			What: fmt.Sprintf("%s has %d shares in resource_group: this makes the percentages of all its siblings wrong",
				g.Name, g.Shares),
			Place: l.groupLine(g.Line),
			Effect: fmt.Sprintf("its percentage of the tree is %s %%",
				lint.Rounded(100*float64(percentage(l.pbs.Fairshare, g.Name)))),
			Fix: l.positive(g),
		})
	}
	return traps
}

func percentage(f model.Fairshare, name string) float32 {
	if n := fairshare.Build(f).Find(name); n != nil {
		return n.Perc
	}
	return 0
}

// workingGroups finds groups that jobs are charged to (quirks P23 and P29).
func workingGroups(l *pbsLinter) (traps []lint.Trap) {
	if !l.fairshareCounts() {
		return nil
	}
	groups := l.standing(func(s *criteria.JobValues) bool { return s.Node != nil && !s.Node.Leaf() })
	for _, name := range entities(groups) {
		jobs := slices.DeleteFunc(slices.Clone(groups), func(s *criteria.JobValues) bool { return s.Entity != name })
		line := 0
		for _, g := range l.pbs.Fairshare.Groups {
			if g.Name == name {
				line = g.Line
			}
		}
		traps = append(traps, lint.Trap{
			Name: "group-with-jobs",
			What: fmt.Sprintf("%s is a group of the fairshare tree and also has jobs: every restart of "+
				"the scheduler deletes the usage of the group, and the group ties with every entity below it", name),
			Place: l.groupLine(line),
			Effect: fmt.Sprintf("the order of %s depends on the sort function of the C library: %s",
				lint.Many(len(jobs), "waiting job"), ids(jobs)),
			Fix: []string{l.groupApart(name, line)},
		})
	}
	return traps
}

// groupApart gives a group with jobs another name, and below it a leaf for the jobs.
func (l *pbsLinter) groupApart(name string, line int) string {
	parents := `s/^\([^#][^[:space:]]*[[:space:]][^[:space:]]*[[:space:]]*\)` + lint.Pattern(name) + `\([[:space:]]\)/\1` +
		lint.Replacement(name) + `_group\2/`
	rename := fmt.Sprintf("sed -i -e '%ds/^[^[:space:]]*/&_group/' -e %s", line, lint.Quote(parents))
	file := l.schedPriv() + "/resource_group"
	return rename + " " + file + " && echo " +
		lint.Quote(fmt.Sprintf("%s %d %s_group 10", name, l.freeGroup(), name)) + " >> " + file + again
}

// usageUnmoved finds a usage that starting a job does not raise, so that one entity takes all that is free in a cycle
// (quirk P10).
func usageUnmoved(l *pbsLinter) []lint.Trap {
	f := l.pbs.Fairshare.Policy
	if !l.lineup.Policy.FairShare || l.pbs.Formula != "" || f.UsageResource != "cput" {
		return nil
	}
	after := cycle.Run(l.changed(func(s *model.Snapshot) {
		s.PBS.Fairshare.Policy.UsageResource = "ncpus*walltime"
	}), cycle.Options{At: l.at})
	now, then := l.startsOf(l.plan), l.startsOf(after)
	if now == then {
		return nil
	}
	return []lint.Trap{{
		Name: "usage-unmoved-by-starts",
		What: "fairshare measures cput, but a job that just started has used no cput. So a job that starts " +
			"does not change the order of entities within the cycle",
		Place:  l.option("fairshare_usage_res"),
		Effect: fmt.Sprintf("this cycle starts %s. If fairshare_usage_res were ncpus*walltime, the cycle would start %s", now, then),
		Fix:    []string{l.setOption("fairshare_usage_res", `"ncpus*walltime"`)},
	}}
}

// startsOf counts the starts of each entity in a plan.
func (l *pbsLinter) startsOf(p *model.Plan) string {
	entity := map[uint32]string{}
	for i := range l.Jobs {
		entity[l.Jobs[i].Number] = fairshare.EntityOf(l.pbs.Fairshare.Policy, &l.Jobs[i])
	}
	count := map[string]int{}
	for _, d := range p.Decisions {
		if d.Verdict == model.Now {
			count[entity[d.Job]]++
		}
	}
	var parts []string
	for name, n := range count {
		parts = append(parts, fmt.Sprintf("%s of %s", lint.Many(n, "job"), name))
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return "no job"
	}
	return lint.Few(parts)
}

// charged are the entities that have used something, as the usage file tells; an idle one has 1.
func (l *pbsLinter) charged() (names []string) {
	for _, r := range l.pbs.Fairshare.Usage.Records {
		if r.Usage > 1 {
			names = append(names, r.Name)
		}
	}
	return names
}

// wasShared reports whether fair_share was on and is off, while the formula reads usage.
func (l *pbsLinter) wasShared() bool {
	if l.pbs.Formula == "" || !l.config.Present || l.fairShare() {
		return false
	}
	f, err := formula.ParseJob(l.pbs.Formula, formula.KnownNames(l.Resources))
	return err == nil && f.UsesFairshare() && len(l.charged()) > 0
}

// chargedAgain finds a formula that reads usage which is charged to the wrong jobs since fair_share was switched off
// (quirk P4).
func chargedAgain(l *pbsLinter) []lint.Trap {
	if !l.wasShared() {
		return nil
	}
	running := 0
	for i := range l.Jobs {
		if p := l.Jobs[i].PBS; p != nil && p.State == "R" {
			running++
		}
	}
	return []lint.Trap{{
		Name: "usage-charged-again",
		What: "the formula uses fairshare usage, but fair_share is off. Until the scheduler restarts, every cycle " +
			"again charges the jobs that ran when fair_share was switched off, and no other job",
		Place: l.option("fair_share"),
		Effect: lint.Sentences(fmt.Sprintf("the usage file has usage of %s, and no new job adds to it", lint.Few(l.charged())),
			fmt.Sprintf("running jobs that every cycle charges again, or that no cycle charges: %d", running),
			l.mended(func(s *model.Snapshot) { both(s, func(p *model.CyclePolicy) { p.FairShare = true }) })),
		Fix: []string{l.setOption("fair_share", "True ALL"), qmgr("unset sched job_sort_formula")},
	}}
}
