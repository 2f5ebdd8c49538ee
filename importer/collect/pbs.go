package collect

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"qprism/engine/model"
)

// pbs captures a PBS or Torque cluster.
func (c *capture) pbs() {
	c.findServer()
	c.probeServer()
	c.captureJobs()
	c.listed()
	c.captureScheduler() // belongs to the same moment as the jobs
	c.captureFairshare()
	c.captureServer()
	c.captureLogs()
}

func (c *capture) torque() bool { return c.Site.System == model.Torque }

func (c *capture) scheduler() string { return cmp.Or(c.Scheduler, model.DefaultScheduler) }

// pbsConf is the file in which PBS says where its files are. The environment may override it.
const pbsConf = "/etc/pbs.conf"

// findServer finds the server.
func (c *capture) findServer() {
	c.report.Master = c.Site.Host
	fmt.Fprintf(&c.head, "master %s\n", c.report.Master)
	if c.scheduler() != model.DefaultScheduler {
		fmt.Fprintf(&c.head, "scheduler %s\n", c.scheduler())
	}
}

// assignment returns the value of the last line "NAME=value".
func assignment(text, name string) (value string) {
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			value = strings.Trim(v, `"'`)
		}
	}
	return value
}

// probeServer asks where the scheduler's files are. The command is small, so its time shows whether the server
// is slow.
func (c *capture) probeServer() {
	if c.brief && c.state.Facts["sched_priv"] != "" {
		return
	}
	var private answer
	c.probe(func() time.Duration {
		private = c.ask("qmgr", "-c", "list sched "+c.scheduler()+" sched_priv")
		return private.took
	})
	logs := c.ask("qmgr", "-c", "list sched "+c.scheduler()+" sched_log")
	c.state.Facts["sched_priv"] = cmp.Or(Attribute(private.out, "sched_priv"), path.Join(c.Site.Home, "sched_priv"))
	c.state.Facts["sched_log"] = cmp.Or(Attribute(logs.out, "sched_log"), path.Join(c.Site.Home, "sched_logs"))
}

// Attribute returns the value of the line "    name = value" in text.
func Attribute(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && key == name {
			return value
		}
	}
	return ""
}

// captureJobs captures the jobs. JSON is exact, but releases before 14 do not have it. Torque has XML, but its
// option -x means finished jobs on other systems.
func (c *capture) captureJobs() {
	first := recording{file: "qstat_f.json", argv: []string{"qstat", "-f", "-t", "-F", "json"}, removeFailed: true}
	text := recording{file: "qstat_f.txt", argv: []string{"qstat", "-f", "-t"}, removeFailed: true}
	if c.torque() {
		first.file, first.argv = "qstat_x.xml", []string{"qstat", "-x"}
	}
	if !c.Environment {
		first.filter, text.filter = withoutVariables, withoutVariables
	}
	if c.record(first).status != 0 {
		c.require("qstat cannot reach the server", text)
	}
}

// captureScheduler captures the scheduler's files, which only root may read. An empty file is also information.
// It captures the formula and the server's formula each time, because they decide whether -p counts.
func (c *capture) captureScheduler() {
	for _, file := range []string{"sched_config", "sched_formula", "resource_group", "usage",
		"holidays", "dedicated_time"} {
		if file == "sched_formula" {
			c.captureFile(file)
			continue
		}
		c.sometimes(func() { c.captureFile(file) }, file)
	}
}

func (c *capture) captureFile(file string) {
	a := c.record(recording{file: file, argv: []string{"cat", path.Join(c.state.Facts["sched_priv"], file)}})
	if a.status == 0 {
		return
	}
	c.remove(file)
	if !absent(a.complaints) || file == "sched_config" {
		c.noteLacking(file, a)
	}
}

// pbsfs returns the command that shows the fairshare tree of a scheduler.
func (c *capture) pbsfs(option ...string) []string {
	argv := []string{"pbsfs"}
	if c.scheduler() != model.DefaultScheduler {
		argv = append(argv, "-I", c.Scheduler)
	}
	return append(argv, option...)
}

// mostEntities is for how many entities of the fairshare tree to capture details.
const mostEntities = 100

var entity = regexp.MustCompile(`(?m)^ *([A-Za-z0-9_.-]*)\([-0-9]*\)$`)

// captureFairshare captures the fairshare tree. The details of each entity need a separate command, and add
// little.
func (c *capture) captureFairshare() {
	if c.torque() {
		return
	}
	c.recordSometimes(recording{file: "pbsfs_p.txt", argv: c.pbsfs("-p"), removeFailed: true})
	c.recordSometimes(recording{file: "pbsfs_t.txt", argv: c.pbsfs("-t"), removeFailed: true})
	if !c.Full {
		return
	}
	tree := c.ask(c.pbsfs("-t")...)
	for _, m := range entity.FindAllStringSubmatch(tree.out, mostEntities) {
		a := c.record(recording{file: "pbsfs_g_" + m[1] + ".txt", argv: c.pbsfs("-g", m[1]), removeFailed: true})
		c.spare(a.took)
	}
}

// captureServer captures the server, its queues and nodes, as JSON if the release has it.
func (c *capture) captureServer() {
	c.listing("qstat_Qf", []string{"qstat", "-Q", "-f"})
	c.listing("qstat_Bf", []string{"qstat", "-B", "-f"})
	c.listingSometimes("pbsnodes_av", []string{"pbsnodes", "-av"})
	texts := []recording{{file: "qmgr_print_server.txt", argv: []string{"qmgr", "-c", "print server"}}}
	if !c.torque() {
		texts = append(texts,
			recording{file: "qmgr_print_sched.txt", argv: []string{"qmgr", "-c", "print sched"}},
			recording{file: "qmgr_print_resource.txt", argv: []string{"qmgr", "-c", "print resource"}},
			recording{file: "qmgr_list_hook.txt", argv: []string{"qmgr", "-c", "list hook"}},
			recording{file: "pbs_rstat_F.txt", argv: []string{"pbs_rstat", "-F"}})
	}
	for _, r := range texts {
		r.removeFailed = true
		c.recordSometimes(r)
	}
}

// listingSometimes captures a listing that need not be captured each time, as JSON or as text.
func (c *capture) listingSometimes(name string, argv []string) {
	if c.torque() {
		c.listing(name, argv)
		return
	}
	c.sometimes(func() { c.listing(name, argv) }, name+".json", name+".txt")
}

// listing captures a listing as JSON, or as text if the release has no JSON.
func (c *capture) listing(name string, argv []string) {
	text := recording{file: name + ".txt", argv: argv, removeFailed: true}
	if c.torque() {
		if name == "pbsnodes_av" {
			text = recording{file: "pbsnodes_a.txt", argv: []string{"pbsnodes", "-a"}, removeFailed: true}
		}
		c.recordOrNote(text)
		return
	}
	json := recording{file: name + ".json", argv: append(argv[:len(argv):len(argv)], "-F", "json"), removeFailed: true}
	if c.record(json).status != 0 {
		c.recordOrNote(text)
	}
}

// captureLogs captures the ends of the scheduler's log and of the accounting file. Each day has its own files;
// it captures yesterday and today.
func (c *capture) captureLogs() {
	today := c.report.Captured
	for _, l := range []struct {
		file, folder string
		megabytes    int
	}{
		{"sched_log.txt", c.state.Facts["sched_log"], c.Records},
		{"accounting.txt", path.Join(c.Site.Home, "server_priv", "accounting"), c.Accounting},
	} {
		var text strings.Builder
		for _, day := range []string{today.AddDate(0, 0, -1).Format("20060102"), today.Format("20060102")} {
			file := l.file + "." + day
			c.ending(file, l.file, path.Join(l.folder, day), l.megabytes, nil)
			text.Write(c.recorded(file))
			c.remove(file)
		}
		if text.Len() > 0 {
			c.write(l.file, text.String())
		}
	}
}
