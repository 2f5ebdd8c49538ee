package slurm

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

//go:embed slurm.txt
var slurmText string

var slurmTable = migrate.ReadTable(slurmText)

// say notes what became of the lines of a kind with a key, or of an object of that kind.
func (t *Translation) say(kind, name string, v migrate.Verdict, into, note string) {
	t.said[[2]string{kind, name}] = migrate.Rule{Verdict: v, Into: into, Note: note}
}

// account makes the ledger of all lines from that of the translation to PBS, which knows what lines
// configure something.
func (t *Translation) account(base *migrate.Translation) {
	for _, e := range base.Ledger {
		t.Ledger = append(t.Ledger, t.entry(e))
	}
}

func (t *Translation) entry(e migrate.Entry) migrate.Entry {
	rule, known := t.ruleFor(e)
	switch {
	case e.Verdict == migrate.NoRule || e.Key == model.LineBlank || e.Key == model.LineRecords:
	case known:
		e.Verdict, e.Into, e.Note = rule.Verdict, rule.Into, rule.Note
	case e.Verdict == migrate.NoEffect:
		e.Note = strings.ReplaceAll(e.Note, "PBS", "Slurm")
	default:
		what, _ := slurmTable.Rule("by hand", e.Kind, "")
		e.Verdict, e.Into, e.Note = migrate.Lost, "", "not translated: only the order of jobs is; "+
			cmp.Or(what.Note, "see slurm.conf(5)")
	}
	return e
}

// ruleFor is what was said of a line or its object, or what the table says. What is off is no loss.
func (t *Translation) ruleFor(e migrate.Entry) (migrate.Rule, bool) {
	rule, known := t.said[[2]string{e.Kind, e.Key}]
	if !known {
		rule, known = t.said[[2]string{e.Kind, e.Object}]
	}
	if !known && e.Kind == "sched_conf" && t.weighs(e.Key) {
		rule, known = slurmTable.Rule(e.Kind, e.Key, e.Value)
		rule = rule.Fill(t.numbers()...)
	}
	switch {
	case known && (e.Verdict != migrate.NoEffect || rule.Verdict != migrate.Lost):
		return rule, true
	case e.Kind == "share_tree" && t.Policy.Fairshare == 0:
		return slurmTable.Rule("no share tree", "*", "")
	case e.Kind == "share_tree":
		if rule, known = slurmTable.Rule(e.Kind, e.Key, ""); known {
			return rule.Fill("{value}", e.Value), true
		}
		return slurmTable.Rule(e.Kind, "*", "")
	case e.Kind != "user" && e.Kind != "project" && e.Kind != "userset":
		return rule, false
	case t.Policy.Assoc == 0:
		return slurmTable.Rule("no tickets", e.Key, e.Value)
	}
	return slurmTable.Rule("tickets", e.Key, e.Value)
}

// weighs reports whether a line of the scheduler's configuration has a part in the weights.
func (t *Translation) weighs(key string) bool {
	return t.scale > 0 && (key != "weight_waiting_time" || t.From.Policy.WeightWaitingTime > 0 && t.Policy.Age > 0)
}

// numbers are those of the translation by their names in the table.
func (t *Translation) numbers() []string {
	w := &t.Policy
	return []string{"{step}", fmt.Sprintf("%.0f", t.Config.Site.Step), "{range}",
		fmt.Sprintf("%.6g (%s)", t.Range, t.RangeFrom),
		"{fairshare}", itoa(w.Fairshare), "{assoc}", itoa(w.Assoc), "{age}", itoa(w.Age), "{max age}", days(w.MaxAge),
		"{half-life}", days(t.From.Policy.HalfTime)}
}

// config is where the files of the cluster are.
const config = `"${SLURM_CONF:-/etc/slurm/slurm.conf}"`

// tellSteps says how to install what was written.
func (t *Translation) tellSteps() {
	steps := []migrate.Step{
		{What: "As root on the host of slurmctld, in this folder; slurmdbd runs, and slurm.conf names " +
			"the cluster, hosts and accounting. Accounts and users with their shares.",
			Command: `sacctmgr -i load file=sacctmgr.cfg cluster="$(sed -n 's/^ClusterName=//p' ` + config + `)"`}}
	steps = append(steps, migrate.Step{What: "Every cluster has the user root: set its shares to 0. Then set " +
		"the limits, if there are any.",
		Command: "sh sacctmgr.sh"},
		migrate.Step{What: "Weights, nodes and the script of the site factor. If slurm.conf already names " +
			"nodes and partitions, leave out nodes.conf and its Include line. The nodes need as many " +
			"CPUs as Grid Engine has slots.",
			Command: `cp priority.conf nodes.conf job_submit.lua "$(dirname ` + config +
				`)/" && printf 'Include priority.conf\nInclude nodes.conf\n' >>` + config},
		migrate.Step{What: "Let the controller read the files.", Command: restart})
	if used(t.Config.Root) {
		steps = append(steps,
			migrate.Step{What: "Usage, as of the newest bundle. No command of Slurm takes it, so this writes " +
				"the usage into the controller's own file while the controller is stopped.", Command: stop},
			migrate.Step{What: "The usage of each association, and the time since when it decays. This replaces " +
				"usage that Slurm has recorded.",
				Command: "python3 usage.py usage.tsv"},
			migrate.Step{What: "And on.", Command: start})
	}
	t.Steps = append(steps, append(t.Steps, []migrate.Step{
		{What: "Users without an association cannot submit jobs. Add each further user.",
			Command: "sacctmgr add user LOGIN account=ACCOUNT fairshare=SHARES"},
		{What: "Tell users how they submit now: submit.txt has the table. qsub.py takes most command " +
			"lines and scripts as they are.",
			Command: "cat submit.txt"},
		{What: "When jobs wait, see what orders them.", Command: "sprio -l; sshare -l"},
	}...)...)
}

const (
	restart = "systemctl restart slurmctld"
	stop    = "systemctl stop slurmctld"
	start   = "systemctl start slurmctld"
)

// used reports whether anybody in an account has used anything.
func used(a *multifactor.Assoc) bool { return a.Usage > 0 || slices.ContainsFunc(a.Children, used) }
