package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/lint"
	"qprism/engine/model"
	"qprism/engine/pbs"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// A pbsLinter looks at one snapshot of PBS.
type pbsLinter struct {
	lint.Input
	*model.Snapshot
	pbs    *model.PBS
	config *model.SchedConfig
	sched  model.PBSScheduler // the one that is planned
	at     time.Time
	lineup *cycle.Lineup // as the next cycle sorts the jobs
	plan   *model.Plan   // what it does
}

// inPBS are the checks, in the order of their findings in a report.
var inPBS = []func(*pbsLinter) []lint.Trap{
	configWords, prefixesMissing, depthWithoutStrict, strictWithoutBackfill, walltimesUnknown, fuzzyEstimates,
	expressQueues, roundRobinWins, formulaProblems, fairshareUnderFormula, keysUnderFormula,
	zeroShares, groupsRejected, negativeShares, workingGroups, usageUnmoved, chargedAgain, spillCrosswise, holidaysOld,
}

// Check reads a policy of PBS, or the settings of a Torque server.
func Check(in lint.Input) *lint.Report {
	in = in.Whole()
	if in.Snapshot.System == model.Torque {
		return checkTorque(in)
	}
	l := &pbsLinter{Input: in, Snapshot: in.Snapshot, pbs: in.Snapshot.PBS, config: &in.Snapshot.PBS.SchedConfig,
		at: in.At.Truncate(time.Second)}
	if len(l.pbs.Schedulers) > 0 {
		l.sched = *l.pbs.Scheduler()
	}
	l.lineup = cycle.LineUp(l.Snapshot, l.at)
	if !l.config.Present {
		return l.withoutConfig()
	}
	l.plan = cycle.Run(l.Snapshot, cycle.Options{At: l.at})
	r := &lint.Report{Words: l.words()}
	for _, check := range inPBS {
		r.Add(check(l))
	}
	r.Stuck = stuckPBS(in)
	return r
}

// withoutConfig checks what the server and its listings show where there is no sched_config: what the
// scheduler's options are would be invented.
func (l *pbsLinter) withoutConfig() *lint.Report {
	r := &lint.Report{Partly: true, Words: []lint.Word{
		{About: "order", Says: l.orderWithoutConfig()},
		{About: "not checked",
			Says: "fairshare, strict ordering, backfill, primetime, preemption and everything else in " +
				"sched_config: the bundle lacks this file, and only root can read it"},
		{About: "queues", Says: l.queueWords()},
	}}
	for _, check := range append([]func(*pbsLinter) []lint.Trap{formulaProblems}, inTorque...) {
		r.Add(check(l))
	}
	return r
}

// orderWithoutConfig is what is known of the order without sched_config: a formula goes before its keys.
func (l *pbsLinter) orderWithoutConfig() string {
	if l.pbs.Formula == "" {
		return "unknown: qmgr shows no job_sort_formula, and the bundle lacks sched_config"
	}
	return "by job_sort_formula, higher is sooner: " + l.pbs.Formula +
		"; the order of jobs with equal values is unknown: the bundle lacks sched_config"
}

// waiting are the jobs that wait, considered or not, in the cycle's order.
func (l *pbsLinter) waiting() (list []*criteria.JobValues) {
	for i := range l.lineup.Jobs {
		if s := &l.lineup.Jobs[i]; s.Place > 0 || len(s.Why) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// standing are the waiting jobs that a condition holds for.
func (l *pbsLinter) standing(holds func(*criteria.JobValues) bool) (list []*criteria.JobValues) {
	for _, s := range l.waiting() {
		if holds(s) {
			list = append(list, s)
		}
	}
	return list
}

// ids are those of jobs.
func ids(jobs []*criteria.JobValues) string {
	var names []string
	for _, s := range jobs {
		names = append(names, s.ID)
	}
	return lint.Few(names)
}

// either says whether a policy holds in primetime or out of it.
func (l *pbsLinter) either(holds func(*model.CyclePolicy) bool) bool {
	return holds(&l.config.Prime) || holds(&l.config.NonPrime)
}

// both changes the policy of either time.
func both(s *model.Snapshot, change func(*model.CyclePolicy)) {
	change(&s.PBS.SchedConfig.Prime)
	change(&s.PBS.SchedConfig.NonPrime)
}

// changed is a snapshot that can be changed without the other: what its own slices hold must be replaced.
func (l *pbsLinter) changed(change func(*model.Snapshot)) *model.Snapshot {
	s, p := *l.Snapshot, *l.pbs
	p.Schedulers = slices.Clone(p.Schedulers)
	s.PBS = &p
	change(&s)
	return &s
}

// starts counts the tasks that a plan starts.
func starts(p *model.Plan) (n int) {
	for i := range p.Decisions {
		if p.Decisions[i].Verdict == model.Now {
			n++
		}
	}
	return n
}

// reserved are the decisions about top jobs.
func reserved(p *model.Plan) (list []model.Decision) {
	for _, d := range p.Decisions {
		if d.Verdict == model.Later {
			list = append(list, d)
		}
	}
	return list
}

// mended says what a change does to the cycle.
func (l *pbsLinter) mended(change func(*model.Snapshot)) string {
	s := l.changed(change)
	after := cycle.Run(s, cycle.Options{At: l.at})
	var parts []string
	if a, b := starts(l.plan), starts(after); a != b {
		parts = append(parts, fmt.Sprintf("%s in this cycle instead of %d", lint.Many(b, "job")+
			" "+lint.Verb(b, "starts", "start"), a))
	}
	if a, b := len(reserved(l.plan)), len(reserved(after)); a != b {
		parts = append(parts, fmt.Sprintf("%s a reservation instead of %d", lint.Many(b, "job")+
			" "+lint.Verb(b, "has", "have"), a))
	}
	if moved := l.movedBy(s); moved > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s get another place", moved, lint.Many(len(l.waiting()), "waiting job")))
	}
	if len(parts) == 0 {
		return "with the fix, nothing changes for " + lint.Many(len(l.waiting()), "waiting job") + " now"
	}
	return "with the fix, " + strings.Join(parts, ", ")
}

// movedBy counts the jobs whose place another policy changes.
func (l *pbsLinter) movedBy(s *model.Snapshot) (moved int) {
	place := map[string]int{}
	after := cycle.LineUp(s, l.at)
	for _, j := range after.Jobs {
		place[j.ID] = j.Place
	}
	for _, j := range l.lineup.Jobs {
		if place[j.ID] != j.Place {
			moved++
		}
	}
	return moved
}

// source is the file that a part of the snapshot was read from.
func (l *pbsLinter) source(part string) string {
	if file, ok := model.Text(l.pbs.Sources, part); ok {
		return file
	}
	return part
}

// option is the last line of sched_config about an option that counts.
func (l *pbsLinter) option(name string) lint.Place {
	p := lint.Place{File: l.source("sched_config")}
	for _, line := range l.config.Lines {
		if line.Name == name && line.Used {
			p.Line, p.Text = line.Line, lineText(line)
		}
	}
	return p
}

func lineText(line model.SchedLine) string {
	return strings.TrimSpace(line.Name + ": " + line.Value + " " + line.Prime)
}

// setting is where an attribute of the server, a queue or the scheduler is set: the line with which qmgr prints it, or
// the one of the listing that it was read from.
func (l *pbsLinter) setting(part, object, key string) lint.Place {
	for _, file := range []string{"qmgr_print_" + strings.Fields(object)[0] + ".txt", "qmgr_print_server.txt",
		"server/qmgr_ps.out"} {
		p := l.Line(file, func(words []string) bool {
			return strings.HasPrefix(strings.Join(words, " "), "set "+object+" "+key+" ")
		})
		if p.Line > 0 {
			return p
		}
	}
	return l.listed(l.source(part), strings.TrimPrefix(object, "queue "), key)
}

// listed is the line of a listing, in text or JSON, that has an attribute of an object.
func (l *pbsLinter) listed(file, object, key string) lint.Place {
	inside := part(object) != "queue"
	return l.Line(file, func(words []string) bool {
		if len(words) == 0 {
			return false
		}
		if first := strings.Trim(words[0], `":`); first == object || len(words) > 1 && first == "Queue" &&
			words[1] == object {
			inside = true
		}
		return inside && strings.Trim(words[0], `":`) == key
	})
}

// part says whether an object is a queue by its name: server and sched stand for themselves.
func part(object string) string {
	if object == "server" || object == "sched" {
		return object
	}
	return "queue"
}

// schedPriv is where the scheduler's files are.
func (l *pbsLinter) schedPriv() string {
	if dir, ok := model.Text(l.sched.Attributes, "sched_priv"); ok && dir != "" {
		return lint.Quote(dir)
	}
	return "$PBS_HOME/sched_priv"
}

// again makes the scheduler read its files.
const again = " && pkill -HUP -x pbs_sched"

// setOption gives an option of sched_config another value.
func (l *pbsLinter) setOption(name, value string) string {
	file := l.schedPriv() + "/sched_config"
	if l.option(name).Line == 0 {
		return "echo " + lint.Quote(name+": "+value) + " >> " + file + again
	}
	return "sed -i " + lint.Quote("s/^"+lint.Pattern(name)+"[:[:space:]].*/"+name+": "+lint.Replacement(value)+
		"/") + " " + file + again
}

// qmgr is a command for qmgr.
func qmgr(format string, args ...any) string {
	return "qmgr -c " + lint.Quote(fmt.Sprintf(format, args...))
}

func stuckPBS(in lint.Input) []lint.Stuck {
	return lint.NeverRun(in.Snapshot, pbs.NewChances(in.Snapshot))
}
