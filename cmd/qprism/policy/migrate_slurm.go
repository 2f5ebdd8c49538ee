package policy

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/intend"
	"qprism/engine/migrate"
	"qprism/engine/migrate/slurm"
	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
	"qprism/exporter/report"
	"qprism/exporter/slurmconf"
)

// slurmScope is what every reader of the report has to know.
const slurmScope = "Only the order of jobs, shares, usage and limits of everybody are translated, and hosts with their slots. Queues, calendars, access lists and other " +
	"resources are listed as lost, with what to do instead."

// toSlurm translates the order of jobs of a Grid Engine cluster.
func toSlurm(m *migration) ([]migratedFile, error) {
	history := m.runs()
	if len(history) == 0 {
		return nil, errors.New("no scheduler run of these bundles can be recomputed: what orders jobs is not known")
	}
	seen := len(history.Seen())
	if seen == 0 {
		seen = len(history)
	}
	t := slurm.Translate(history, seen, migrate.Translate(m.history, m.lines))
	both := t.Choose(history, seen)
	files, err := slurmFiles(t, clusterName(m.newest()))
	if err != nil {
		return nil, err
	}
	m.translation = &migrate.Translation{From: t.From, To: &model.Snapshot{}, Ledger: t.Ledger, Names: t.Names, Steps: t.Steps}
	m.told = slurmReport(m, t, history, seen, both)
	m.elsewhere = underSlurm(t, history[len(history)-1])
	for i := range m.told.Candidates {
		m.told.Candidates[i].Lines = contentLines(files)
	}
	return files, nil
}

func slurmFiles(t *slurm.Translation, source string) ([]migratedFile, error) {
	name := "cluster"
	if host, _, found := strings.Cut(t.From.Cluster, "/"); found && slurm.Holds(host) {
		name = host
	}
	c := &slurmconf.Config{Source: source, Cluster: name, Settings: slurmSettings(t), Site: siteOf(&t.Site), Root: accountsOf(t, t.Tree),
		At: t.At, Members: membersOf(t)}
	for _, n := range t.Nodes {
		c.Nodes = append(c.Nodes, slurmconf.Node{Name: n.Name, CPUs: n.Slots})
	}
	for _, q := range t.QOS {
		c.QOS = append(c.QOS, slurmconf.QOS{Name: q.Name, Limits: q.Limits})
	}
	t.EachUsage(func(account, user string, usage float64) {
		c.Usage = append(c.Usage, slurmconf.Usage{Account: account, User: user, Seconds: usage})
	})
	written, err := slurmconf.Files(c)
	if err != nil {
		return nil, err
	}
	var files []migratedFile
	for _, f := range written {
		files = append(files, migratedFile{f.Name, f.About, f.Text})
	}
	return files, nil
}

func siteOf(s *slurm.Site) slurmconf.Site {
	out := slurmconf.Site{Offset: s.Offset, Step: s.Step, Slot: s.Slot, Furthest: slurm.Furthest}
	for _, l := range s.Licenses {
		out.Licenses = append(out.Licenses, slurmconf.License{Resource: l.Resource, Shortcut: l.Shortcut, Name: l.Name, Unit: l.Unit,
			PerSlot: l.PerSlot, Counted: l.Counted, Count: l.Count, Each: l.Each})
	}
	return out
}

// membersOf are the accounts of users, by project.
func membersOf(t *slurm.Translation) (list []slurmconf.Member) {
	account := map[*multifactor.Assoc]string{}
	var below func(a *multifactor.Assoc)
	below = func(a *multifactor.Assoc) {
		for _, c := range a.Children {
			if account[c] = a.Name; !c.User {
				below(c)
			}
		}
	}
	below(t.Tree)
	for m, a := range t.Members {
		list = append(list, slurmconf.Member{Project: m.Project, User: m.User, Account: account[a]})
	}
	return list
}

// slurmSettings are the lines of slurm.conf.
func slurmSettings(t *slurm.Translation) []model.Setting {
	p := &t.Policy
	flags := []string{"ACCRUE_ALWAYS"} // Grid Engine counts all time since submission
	if !p.FairTree {
		flags = append(flags, "NO_FAIR_TREE")
	}
	list := []model.Setting{{Name: "PriorityType", Value: "priority/multifactor"}, {Name: "PriorityFlags", Value: strings.Join(flags, ",")},
		{Name: "PriorityDecayHalfLife", Value: slurm.Days(t.HalfLife)}}
	if t.HalfLife == 0 && p.Fairshare > 0 {
		list = append(list, model.Setting{Name: "PriorityUsageResetPeriod", Value: "YEARLY"}) // Slurm wants one of the two
	}
	list = append(list, model.Setting{Name: "PriorityMaxAge", Value: slurm.Days(p.MaxAge)},
		model.Setting{Name: "PriorityFavorSmall", Value: "NO"},
		model.Setting{Name: "PriorityCalcPeriod", Value: "1"}) // a minute after a start jobs have their age again (M10)
	for _, w := range []struct {
		name  string
		value uint32
	}{{"Age", p.Age}, {"Assoc", p.Assoc}, {"Fairshare", p.Fairshare}, {"JobSize", p.JobSize}, {"Partition", p.Partition}, {"QOS", p.QOS}} {
		list = append(list, model.Setting{Name: "PriorityWeight" + w.name, Value: strconv.FormatUint(uint64(w.value), 10)})
	}
	enforce := "associations"
	if len(t.QOS) > 0 || p.Fairshare > 0 { // without limits nobody is charged for what a job ran since priorities were last computed (M13)
		enforce += ",limits,qos"
	}
	return append(list, model.Setting{Name: "AccountingStorageEnforce", Value: enforce}, model.Setting{Name: "JobSubmitPlugins", Value: "lua"})
}

// accountsOf is a part of the tree of associations.
func accountsOf(t *slurm.Translation, a *multifactor.Assoc) *slurmconf.Account {
	out := &slurmconf.Account{Name: a.Name, Shares: sharesText(a)}
	priorities := map[*multifactor.Assoc]uint32{}
	for m, assoc := range t.Members {
		priorities[assoc] = t.Priority[m]
	}
	for _, c := range a.Children {
		if c.User {
			out.Users = append(out.Users, slurmconf.User{Name: c.Name, Shares: sharesText(c), Priority: priorities[c]})
			continue
		}
		out.Accounts = append(out.Accounts, accountsOf(t, c))
	}
	return out
}

func sharesText(a *multifactor.Assoc) string {
	if a.Parent {
		return "parent"
	}
	return strconv.FormatUint(uint64(a.Shares), 10)
}

// slurmReport is the report, with the order of every run under both algorithms of fair share.
func slurmReport(m *migration, t *slurm.Translation, h synthesis.History, seen int, both [2][]synthesis.Agreement) *report.Report {
	r := translationReport(m.translation, migrationNames["slurm"])
	r.Scope = slurmScope
	if n := len(t.Refused(h[len(h)-1])); n > 0 {
		r.Scope += fmt.Sprintf(" Of the jobs that wait in the newest bundle Slurm refuses %d, which ask for more than there is or whose owner it cannot name; Grid Engine lets them wait.", n)
	}
	for i, run := range h {
		r.Snapshots = append(r.Snapshots, report.Snapshot{Name: run.Name, At: run.At, Jobs: len(run.Result.Pending), HeldOut: i >= seen})
	}
	for i, name := range []string{"fair-tree", "classic"} {
		c := report.Candidate{Name: name, Title: "Multifactor priority with " + []string{"the fair tree", "classic fair share"}[i],
			Chosen:  t.Policy.FairTree == (i == 0),
			Formula: t.Formula(), Needs: "nothing", Resolution: report.Number(t.Resolution())}
		for k := range both[i] {
			c.Runs = append(c.Runs, reportedRun(&both[i][k], ownersOf(h[k].Snapshot)))
		}
		c.Seen, c.HeldOut = report.Summarize(c.Runs, false), report.Summarize(c.Runs, true)
		if c.Chosen {
			newest := h[len(h)-1].Snapshot
			c.Forecast = reportedForecast(t.Forecast(h, forecast.Options{MostRuns: mostMigrationRuns, History: forecast.Learn(newest.Ended)}))
		}
		r.Candidates = append(r.Candidates, c)
	}
	if t.RangeFrom != "" {
		moves := 0.0
		for _, seen := range t.Seen {
			if !math.IsNaN(seen) {
				moves = max(moves, math.Abs(seen/t.Range-1))
			}
		}
		r.Constants = []report.Constant{{Name: "urgency_range", Means: "greatest less least urgency of all jobs", Value: report.Number(t.Range),
			From: t.RangeFrom, Since: momentOf(h, t.RangeFrom), Drift: numbersOf(t.Seen), Moves: report.Number(moves)}}
		r.Refresh = "qprism migrate --to slurm BUNDLE... -o DIR --replace   # then cp priority.conf job_submit.lua /etc/slurm/, and: scontrol reconfigure"
	}
	return r
}

// underSlurm is the order of jobs in Slurm, where those that it refuses keep their places.
func underSlurm(t *slurm.Translation, last synthesis.Run) *intend.Elsewhere {
	now := t.Case(last.Snapshot, last.Quirks)
	return &intend.Elsewhere{Most: mostTranslated, Forecast: now.Forecast, Order: func(s *model.Snapshot, _ bool) []uint32 {
		return t.Case(s, last.Quirks).Order(s.TakenAt)
	}}
}

// momentOf is when a run was.
func momentOf(h synthesis.History, name string) (at time.Time) {
	for _, run := range h {
		if run.Name == name {
			at = run.At
		}
	}
	return at
}

// contentLines is how many lines files have, comments and blank ones left out.
func contentLines(files []migratedFile) (n int) {
	for _, f := range files {
		for line := range strings.Lines(string(f.text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				n++
			}
		}
	}
	return n
}
