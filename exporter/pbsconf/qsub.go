package pbsconf

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"qprism/engine/model"
	"qprism/exporter/qsub"
)

// Names of the files for users.
const (
	Table   = "users/submit.txt"
	Wrapper = "users/qsub.py"
)

//go:embed qsub.py
var wrapper string

// Submission makes the files for users: a table of requests, and a program that translates them.
func Submission(w model.PBSWords, source string) ([]File, error) {
	environments, resources := []map[string]string{}, []map[string]string{}
	for _, e := range w.Environments {
		environments = append(environments, map[string]string{"name": e.Name, "rule": e.Rule, "slots": e.Slots})
	}
	for _, r := range w.Resources {
		resources = append(resources, map[string]string{"name": r.Name, "shortcut": r.Shortcut,
			"to": r.To, "how": string(r.How),
			"type": string(r.Type), "note": r.Note})
	}
	program, err := qsub.Program("Submits jobs written for the qsub of Grid Engine to PBS: qsub.py "+
		"[OPTIONS] SCRIPT [ARGUMENTS]",
		map[string]any{"environments": environments, "resources": resources, "queues": w.Queues,
			"options": w.Options, "hosts": w.Hosts}, wrapper)
	if err != nil {
		return nil, err
	}
	return []File{
		{Table, "for users: how jobs are submitted, option by option", table(w, source)},
		{Wrapper, "for users: submits jobs written for the qsub of Grid Engine to PBS", []byte(program)},
	}, nil
}

// A row of the table has the old option, the new option, and the difference.
type row struct{ from, to, note string }

// common are the options of every cluster.
var common = []row{
	{"-N, -A, -M, -S, -v, -V, -h, -r", "the same", ""},
	{"-p N", "-p N", "at most 1023"},
	{"-P PROJECT", "-P PROJECT", ""},
	{"-t 1-9:2 -tc 3", "-J 1-9:2%3", "PBS_ARRAY_INDEX is the number of the task; an array has two tasks or more"},
	{"-hold_jid 1,2", "-W depend=afterany:1:2", "by number only"},
	{"-a 202612242300", "-a 202612242300", ""},
	{"-o PATH, -e PATH", "-o PATH, -e PATH", "$TASK_ID is ^array_index^, and $JOB_ID has no equivalent: give a folder"},
	{"-j y", "-j oe", ""},
	{"-cwd, -wd DIR", "cd \"$PBS_O_WORKDIR\"", "in the script: jobs begin in the home folder"},
	{"-b y COMMAND ARGUMENTS", "-- /PATH/OF/COMMAND ARGUMENTS", ""},
	{"SCRIPT ARGUMENTS", "-v NAME=VALUE SCRIPT", "scripts get no arguments"},
	{"-sync y", "-W block=true", ""},
	{"-m beas", "-m bea", ""},
	{"-soft -l …", "", "PBS has no soft requests"},
	{"#$ OPTIONS", "#PBS OPTIONS", ""},
	{"-l … of hosts", "one -l select=N:ncpus=C:…", "request host resources inside select, for N chunks of C cpus"},
}

// table writes how users submit jobs.
func table(w model.PBSWords, source string) []byte {
	list := slices.Clone(common)
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		list = append(list, row{name, "-l " + w.Options[name] + "=" + options[name].to, options[name].note})
	}
	for _, e := range w.Environments {
		list = append(list, environmentRow(e))
	}
	for _, r := range w.Resources {
		if r.To != "" || r.Note != "" {
			list = append(list, resourceRow(r))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Queues)) {
		list = append(list, row{"-q " + name, "-q " + w.Queues[name], ""})
	}
	var b strings.Builder
	b.WriteString("# Made by qprism from " + oneLine(source) +
		".\n# qsub.py accepts the old command lines and scripts. This table shows how to write them for PBS " +
		"by hand.\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "Grid Engine\tPBS\tnote")
	for _, r := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\n", oneLine(r.from), oneLine(cmp.Or(r.to, "–")), oneLine(r.note))
	}
	_ = t.Flush() // a writer in memory cannot fail
	return []byte(b.String())
}

// options says how users request the resources that replace options.
var options = map[string]row{
	"-R":  {to: "True", note: "for -R y: the job gets a reservation"},
	"-dl": {to: "SECONDS", note: "from now until the deadline; for users in deadlineusers"},
	"-js": {to: "N", note: ""},
}

func environmentRow(e model.PBSEnvironment) row {
	r := row{from: "-pe " + e.Name + " N", note: "the smallest of a range"}
	switch n, err := strconv.Atoi(e.Rule); {
	case e.Rule == "$fill_up":
		r.to = "-l select=N:ncpus=1 -l place=free"
	case e.Rule == "$round_robin":
		r.to = "-l select=N:ncpus=1 -l place=scatter"
	case err == nil && n > 0:
		r.to = fmt.Sprintf("-l select=M:ncpus=%d:mpiprocs=%d -l place=scatter", n, n)
		r.note = "M is N divided by " + e.Rule
	default:
		r.to = "-l select=1:ncpus=N"
	}
	if e.Slots != "" {
		r.to += " -l " + e.Slots + "=N"
	}
	return r
}

// whereAsked says how users request a resource in each place.
var whereAsked = map[model.PBSHow]struct{ form, note string }{
	model.PBSOfJob:   {"-l %s=%s", ""},
	model.PBSOfSlots: {"-l %s=%s", "for the whole job: the amount times the slots"},
	model.PBSOfSlot:  {"-l select=N:ncpus=C:%s=%s", "for each chunk: the amount times C"},
	model.PBSOfChunk: {"-l select=N:ncpus=C:%s=%s", "for each chunk"},
	model.PBSOfFirst: {"-l select=1:ncpus=C:%s=%s+…", "only for the first chunk"},
}

func resourceRow(r model.PBSWord) row {
	value := "N"
	switch r.Type {
	case model.TypePBSBoolean:
		value = "True"
	case model.TypePBSString, model.TypePBSStringArray:
		value = "TEXT"
	case model.TypePBSSize:
		value = "2gb"
	case model.TypePBSTime:
		value = "HH:MM:SS"
	}
	out := row{from: "-l " + r.Name, note: r.Note}
	if r.How == model.PBSOfQueue {
		out.to = "-q QUEUE"
	}
	if where, there := whereAsked[r.How]; there {
		out.to = fmt.Sprintf(where.form, r.To, value)
		if out.note = r.Note; where.note != "" && out.note != "" {
			out.note += "; "
		}
		out.note += where.note
	}
	return out
}
