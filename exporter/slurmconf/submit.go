package slurmconf

import (
	_ "embed"
	"fmt"
	"strings"
	"text/tabwriter"

	"qprism/engine/model"
	"qprism/exporter/qsub"
)

//go:embed job_submit.lua
var submitScript string

//go:embed usage.py
var usageProgram string

//go:embed qsub.py
var wrapperProgram string

// wrapper returns qsub.py with the names of the cluster.
func (w *writer) wrapper(c *model.SlurmConfig) []byte {
	accounts := map[string]map[string]string{}
	for _, m := range c.Members {
		if accounts[m.Project] == nil {
			accounts[m.Project] = map[string]string{}
		}
		accounts[m.Project][m.User] = m.Account
	}
	licenses := c.Site.Licenses
	if licenses == nil {
		licenses = []model.SlurmLicense{}
	}
	text, err := qsub.Program("Submits jobs written for qsub to Slurm: qsub.py [OPTIONS] SCRIPT [ARGUMENTS]",
		map[string]any{"accounts": accounts, "licenses": licenses}, wrapperProgram)
	if err != nil && w.err == nil {
		w.err = err
	}
	return w.program(text)
}

// An option is a line of the table.
type option struct{ from, to, note string }

// table writes how users submit jobs. qsub.py also translates all options that have a counterpart.
func (w *writer) table(s *model.SlurmSite) []byte {
	list := []option{
		{"-p N", "--nice=-N", "only operators can use a negative nice, as -p above 0 in Grid Engine"},
		{"-pe NAME N", "--ntasks=N", "the smallest of a range"},
		{"-l h_rt=T", "--time=T", "1:30:00 is 0-01:30:00"},
		{"-P PROJECT", "--account=ACCOUNT", "its account, see sacctmgr.cfg"},
		{"-t 1-9:2 -tc 3", "--array=1-9:2%3", "SLURM_ARRAY_TASK_ID is the number of the task"},
		{"-hold_jid 1,2", "--dependency=afterany:1,afterany:2", "by number only"},
		{"-a 202612242300", "--begin=2026-12-24T23:00:00", ""},
		{"-N NAME", "--job-name=NAME", ""},
		{"-o FILE", "--output=FILE", "$JOB_ID is %j, $TASK_ID is %a"},
		{"-e FILE", "--error=FILE", "without it, and with -j y, errors go to the output"},
		{"-wd DIR", "--chdir=DIR", "the folder of the submission by default, as -cwd"},
		{"-h", "--hold", "later: scontrol release"},
		{"-r y, -r n", "--requeue, --no-requeue", ""},
		{"-sync y", "--wait", ""},
		{"-V, -v NAME=VALUE", "--export=ALL, --export=ALL,NAME=VALUE", ""},
		{"-m be", "--mail-type=BEGIN,END", ""},
		{"-b y COMMAND", "--wrap COMMAND", ""},
		{"#$ OPTIONS", "#SBATCH OPTIONS", ""},
		{"-q QUEUE", "--partition=PARTITION", "not translated: nodes.conf has one partition"},
		{"-l mem=M", "--mem-per-cpu=M", "not translated: nodes have no memory until slurm.conf says how much"},
		{"-dl TIME", "", "no priority rises before a deadline"},
		{"-R y", "", "backfill reserves for the first jobs, not on request"},
	}
	for _, l := range s.Licenses {
		list = append(list, w.licenseOption(l))
	}
	var b strings.Builder
	b.WriteString(w.head("#"))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "Grid Engine\tSlurm\tnote")
	for _, o := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\n", o.from, o.to, o.note)
	}
	_ = t.Flush() // a writer in memory cannot fail
	return []byte(b.String())
}

func (w *writer) licenseOption(l model.SlurmLicense) option {
	name := oneLine(l.Resource)
	switch {
	case !l.Counted:
		return option{"-l " + name, "--licenses=" + l.Name,
			"affects only the priority; add --constraint if nodes have the feature"}
	case l.Unit > 1:
		return option{"-l " + name + "=N", "--licenses=" + l.Name + ":M",
			fmt.Sprintf("for the whole job, in units of %.0f, rounded up", l.Unit)}
	case l.PerSlot:
		return option{"-l " + name + "=N", "--licenses=" + l.Name + ":M", "for the whole job: N times the slots"}
	}
	return option{"-l " + name + "=N", "--licenses=" + l.Name + ":N", ""}
}
