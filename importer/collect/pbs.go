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

// pbsConf is where PBS says where its files are, unless the environment does.
const pbsConf = "/etc/pbs.conf"

// findServer says which server it is.
func (c *capture) findServer() {
	c.report.Master = c.Site.Host
	fmt.Fprintf(&c.head, "master %s\n", c.report.Master)
	if c.scheduler() != model.DefaultScheduler {
		fmt.Fprintf(&c.head, "scheduler %s\n", c.scheduler())
	}
}

// assignment is the value of the last line "NAME=value".
func assignment(text, name string) (value string) {
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			value = strings.Trim(v, `"'`)
		}
	}
	return value
}

// probeServer asks where the scheduler's files are, which is small, and shows whether the server is slow.
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

// captureJobs captures the jobs. JSON is exact, but releases before 14 have none; and Torque has XML, with
// an option that means finished jobs elsewhere.
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

// captureScheduler captures the scheduler's files, which root alone may read. An empty one says something
// too. The formula is asked for each time, as the server's own is: whether a -p counts depends on them.
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

// pbsfs is the command that shows the fairshare tree of a scheduler.
func (c *capture) pbsfs(option ...string) []string {
	argv := []string{"pbsfs"}
	if c.scheduler() != model.DefaultScheduler {
		argv = append(argv, "-I", c.Scheduler)
	}
	return append(argv, option...)
}

// mostEntities is of how many entities of the fairshare tree the details are captured.
const mostEntities = 100

var entity = regexp.MustCompile(`(?m)^ *([A-Za-z0-9_.-]*)\([-0-9]*\)$`)

// captureFairshare captures the fairshare tree. The details of each entity take a call for each, and say little more.
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

// captureServer captures what the server says of itself, its queues and nodes, as JSON where the release has that.
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

// listingSometimes captures a listing that is not asked for each time, as JSON or as text.
func (c *capture) listingSometimes(name string, argv []string) {
	if c.torque() {
		c.listing(name, argv)
		return
	}
	c.sometimes(func() { c.listing(name, argv) }, name+".json", name+".txt")
}

// listing captures a listing as JSON, or as text where the release has no JSON.
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

// captureLogs captures the end of the scheduler's log and of the accounting file, of which each day has
// one, of yesterday and today.
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
