package slurm

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

// A saying is what became of a line.
type saying struct {
	verdict    migrate.Verdict
	into, note string
}

// say notes what became of the lines of a kind with a key, or of an object of that kind.
func (t *Translation) say(kind, name string, v migrate.Verdict, into, note string) {
	t.said[[2]string{kind, name}] = saying{v, into, note}
}

// tellWeights says what became of the weights.
func (t *Translation) tellWeights() {
	p, w := &t.From.Policy, &t.Policy
	frozen := fmt.Sprintf("Grid Engine divides urgency by its range among all jobs, Slurm by %.6g (%s): it weighs as much more or less as the range is narrower or wider", t.Range, t.RangeFrom)
	t.say("sched_conf", "weight_priority", migrate.Exact, fmt.Sprintf("site factor: job_submit.lua, %.0f for each step of --nice",
		t.Config.Site.Step), "")
	t.say("sched_conf", "weight_urgency", migrate.Approximate, "PriorityWeightAge, site factor: job_submit.lua", frozen)
	t.say("sched_conf", "weight_ticket", migrate.Approximate,
		fmt.Sprintf("PriorityWeightFairshare=%d, PriorityWeightAssoc=%d", w.Fairshare, w.Assoc),
		"the factor of a user's association is that of all his jobs: Grid Engine divides tickets among them")
	if p.WeightWaitingTime > 0 && w.Age > 0 {
		t.say("sched_conf", "weight_waiting_time", migrate.Approximate,
			fmt.Sprintf("PriorityWeightAge=%d, PriorityMaxAge=%s", w.Age, days(w.MaxAge)),
			"as the range of urgency; after PriorityMaxAge a job gets no older")
	}
	t.say("sched_conf", "weight_deadline", migrate.Lost, "",
		"no factor of Slurm looks at deadlines: lower the nice of a job as its deadline comes near")
	t.say("sched_conf", "halftime", migrate.Exact, "PriorityDecayHalfLife="+days(p.HalfTime), "")
	t.say("sched_conf", "usage_weight_list", migrate.Approximate, "usage.tsv",
		"what was used is taken over by these weights; from then on Slurm charges processors that are allocated, not what is used")
	t.say("sched_conf", "compensation_factor", migrate.Lost, "", "2^(-usage/shares) has a bound of its own: nobody has more than 1")
	for _, key := range []string{"weight_tickets_share", "weight_tickets_functional"} {
		t.say("sched_conf", key, migrate.Approximate, "PriorityWeightFairshare, PriorityWeightAssoc",
			"both weights divide weight_ticket by these")
	}
	for _, key := range []string{"weight_user", "weight_project", "weight_department"} {
		t.say("sched_conf", key, migrate.Approximate, "Priority of associations",
			"shares of all there are, not of those who have jobs; not divided among a user's jobs")
	}
	t.say("sched_conf", "weight_job", migrate.Lost, "", "shares of single jobs (-js): use --nice")
	for _, key := range []string{"share_override_tickets", "share_functional_shares", "policy_hierarchy", "max_functional_jobs_to_schedule",
		"max_pending_tasks_per_job", "report_pjob_tickets", "reprioritize_interval"} {
		t.say("sched_conf", key, migrate.Lost, "", "factors do not depend on other jobs: there is nothing to divide or to limit")
	}
	t.say("sched_conf", "max_reservation", migrate.Approximate, "SchedulerParameters=bf_max_job_test",
		"backfill plans for jobs in their order, whether they asked for it or not")
	t.say("sched_conf", "default_duration", migrate.Approximate, "DefaultTime of the partition", "set it when partitions are made")
	t.say("sched_conf", "schedule_interval", migrate.Approximate, "PriorityCalcPeriod, SchedulerParameters=bf_interval",
		"Slurm also schedules at every submission and end of a job")
}

// byHand says what to do with what is not the order of jobs, by kind of file.
var byHand = map[string]string{
	"queue": "make a partition of it: PartitionName in slurm.conf", "host": "make a node of it: NodeName in slurm.conf",
	"hostgroup": "NodeSet in slurm.conf",
	"pe":        "jobs say --ntasks, --nodes and --ntasks-per-node themselves", "calendar": "reservations: scontrol create reservation",
	"ckpt":    "requeue and a signal: sbatch --requeue --signal",
	"userset": "AllowGroups or AllowAccounts of partitions", "rqs": "limits of a QOS, or of associations: sacctmgr",
	"complex": "gres.conf, Licenses, or node features",
	"conf":    "slurm.conf has parameters of its own", "managers": "sacctmgr modify user set AdminLevel=Administrator",
	"operators":  "sacctmgr modify user set AdminLevel=Operator",
	"sched_conf": "slurm.conf has parameters of its own",
}

// account makes the ledger of all lines from that of the translation to PBS, which knows what lines configure something.
func (t *Translation) account(base *migrate.Translation) {
	for _, e := range base.Ledger {
		t.Ledger = append(t.Ledger, t.entry(e))
	}
}

func (t *Translation) entry(e migrate.Entry) migrate.Entry {
	said, known := t.said[[2]string{e.Kind, e.Key}]
	if !known {
		said, known = t.said[[2]string{e.Kind, e.Object}]
	}
	switch {
	case e.Verdict == migrate.NoRule:
	case e.Key == model.LineBlank || e.Key == model.LineRecords:
	case known && (e.Verdict != migrate.NoEffect || said.verdict != migrate.Lost): // what is off is no loss
		e.Verdict, e.Into, e.Note = said.verdict, said.into, said.note
	case e.Kind == "share_tree":
		e.Verdict, e.Into, e.Note = t.treeEntry(e)
	case (e.Kind == "user" || e.Kind == "project" || e.Kind == "userset") && (e.Key == "fshare" || e.Key == "oticket"):
		e.Verdict, e.Into, e.Note = t.ticketEntry(e)
	case e.Verdict == migrate.NoEffect:
		e.Note = strings.ReplaceAll(e.Note, "PBS", "Slurm")
	default:
		e.Verdict, e.Into, e.Note = migrate.Lost, "", "not translated: only the order of jobs is; "+orElse(byHand[e.Kind], "see slurm.conf(5)")
	}
	return e
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func (t *Translation) treeEntry(e migrate.Entry) (migrate.Verdict, string, string) {
	switch {
	case t.Policy.Fairshare == 0:
		return migrate.NoEffect, "", "the share tree gives out no tickets"
	case e.Key == "shares":
		return migrate.Exact, "FairShare=" + e.Value, ""
	case e.Key == "name" || e.Key == "type":
		return migrate.Exact, "an account, or a user in one", ""
	}
	return migrate.NoEffect, "", "the tree is written by names"
}

func (t *Translation) ticketEntry(e migrate.Entry) (migrate.Verdict, string, string) {
	if e.Value == "0" {
		return migrate.NoEffect, "", "the default"
	}
	if t.Policy.Assoc == 0 {
		return migrate.Lost, "", "beside a share tree without functional tickets there is no weight for it: give the user more FairShare"
	}
	return migrate.Approximate, "Priority of associations", "by the part of all tickets, whoever has jobs"
}

// config is where the files of the cluster are.
const config = `"${SLURM_CONF:-/etc/slurm/slurm.conf}"`

// tellSteps says how to install what was written.
func (t *Translation) tellSteps() {
	steps := []migrate.Step{
		{What: "As root on the host of slurmctld, in this folder; slurmdbd runs, and slurm.conf names the cluster, hosts and accounting. Accounts and users with their shares.",
			Command: `sacctmgr -i load file=sacctmgr.cfg cluster="$(sed -n 's/^ClusterName=//p' ` + config + `)"`}}
	steps = append(steps, migrate.Step{What: "The user root, whom every cluster has, takes no share; and limits, where there are any.",
		Command: "sh sacctmgr.sh"},
		migrate.Step{What: "Weights, nodes and the script of the site factor. Leave nodes.conf out, and its line, where slurm.conf has nodes and partitions of its own; they need as many CPUs as there were slots.",
			Command: `cp priority.conf nodes.conf job_submit.lua "$(dirname ` + config +
				`)/" && printf 'Include priority.conf\nInclude nodes.conf\n' >>` + config},
		migrate.Step{What: "The controller reads them.", Command: restart})
	if used(t.Config.Root) {
		steps = append(steps,
			migrate.Step{What: "Usage, as of the newest bundle. No command of Slurm takes it, so it goes into the controller's own file while that does not run.", Command: stop},
			migrate.Step{What: "What each association had used, and since when it decays. What was used under Slurm meanwhile is replaced.",
				Command: "python3 usage.py usage.tsv"},
			migrate.Step{What: "And on.", Command: start})
	}
	t.Steps = append(steps, append(t.Steps, []migrate.Step{
		{What: "Who has no association cannot submit: add each further user.",
			Command: "sacctmgr add user LOGIN account=ACCOUNT fairshare=SHARES"},
		{What: "Tell users how they submit now: submit.txt has the table. qsub.py takes most command lines and scripts as they are.",
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
