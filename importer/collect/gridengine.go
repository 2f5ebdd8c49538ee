package collect

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// gridEngine captures a Grid Engine cluster.
func (c *capture) gridEngine() {
	c.findCell()
	c.captureSchedConf() // small: shows whether the master is slow
	c.captureMoment()
	c.captureSettings()
	c.captureObjects()
	c.captureFiles()
}

// findCell says which cell it is. Where the program for the share tree is, is asked again when
// configuration has become old.
func (c *capture) findCell() {
	if !c.isRecentFact("sge_root", c.ConfigAge) {
		c.state.Facts["share_mon"] = ""
		c.fresh("sge_root")
	}
	if c.report.Master = c.Site.Host; c.report.Master != "" {
		fmt.Fprintf(&c.head, "master %s\n", c.report.Master)
	}
	fmt.Fprintf(&c.head, "cell %s\n", c.Site.Cell)
}

func (c *capture) root() string { return c.Site.Root }

// common is the folder of the cell's files.
func (c *capture) common() string { return path.Join(c.Site.Root, c.Site.Cell, "common") }

// setting is the value of a line "key value".
func setting(text, key string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == key {
			return f[1]
		}
	}
	return ""
}

// isRecentFact reports whether a fact is known and not old.
func (c *capture) isRecentFact(name string, most time.Duration) bool {
	at, err := time.Parse(time.RFC3339, c.state.Facts["at "+name])
	age := c.report.Captured.Sub(at)
	return err == nil && !c.Full && age >= 0 && age < most
}

// fresh notes that a fact is known now.
func (c *capture) fresh(name string) {
	c.state.Facts["at "+name] = c.report.Captured.UTC().Format(time.RFC3339)
}

func (c *capture) captureSchedConf() {
	const file = "sched_conf.txt"
	c.sometimes(func() {
		c.probe(func() time.Duration {
			return c.require("qconf cannot show the scheduler configuration",
				recording{file: file, argv: []string{"qconf", "-ssconf"}})
		})
	}, file)
}

// abbreviate leaves out what was asked for a short time ago, but for jobs and queues.
func (c *capture) abbreviate() {
	if c.brief = c.isRecentFact("state", c.StateAge); !c.brief && c.StateAge > 0 {
		c.fresh("state")
	}
}

// reuseRecent puts a file of an earlier capture into the bundle, where that is so young that nothing but jobs
// and queues is asked for.
func (c *capture) reuseRecent(file string) bool { return c.brief && c.reuse(file) }

// sometimes asks for files that are not asked for each time. The first keeps the lines of all in MANIFEST.
func (c *capture) sometimes(ask func(), files ...string) {
	if c.reuseRecent(files[0]) {
		for _, file := range files[1:] {
			c.reuseRecent(file)
		}
		return
	}
	from := c.lines.Len()
	ask()
	for _, file := range files {
		if c.StateAge != 0 {
			c.remember(file, nil, from)
		}
		from = c.lines.Len()
	}
}

// recordSometimes records what is not asked each time.
func (c *capture) recordSometimes(r recording) { c.sometimes(func() { c.recordOrNote(r) }, r.file) }

// captureMoment captures what belongs to one moment, without a pause. Without -g d, all waiting tasks of an
// array take one line. The listing for people has one number more than the XML, urg. By queue instance only
// running jobs are listed.
func (c *capture) captureMoment() {
	jobs, urgency := []string{"qstat", "-u", "*", "-r", "-ext", "-urg", "-pri", "-xml"},
		[]string{"qstat", "-u", "*", "-urg"}
	if c.Tasks {
		jobs = slices.Insert(jobs, len(jobs)-1, "-g", "d")
		urgency = append(urgency, "-g", "d")
	}
	details := recording{file: "qstat-j.xml", argv: []string{"qstat", "-u", "*", "-j", "*", "-xml"}}
	if !c.Environment {
		details.filter = withoutEnvironment
		fmt.Fprintf(&c.lines, "without qstat-j.xml JB_env_list\n")
	}
	c.require("qstat cannot reach the master", recording{file: "qstat.xml", argv: jobs})
	c.recordSometimes(recording{file: "qstat-urg.txt", argv: urgency})
	c.captureUsage()
	c.recordOrNote(details)
	c.listed()
	queues := []string{"qstat", "-u", "*", "-s", "rs", "-f", "-r", "-ext", "-urg", "-pri", "-F", "-xml"}
	c.recordOrNote(recording{file: "qstat-f.xml", argv: queues})
	c.recordSometimes(recording{file: "qhost.xml", argv: []string{"qhost", "-q", "-F", "-j", "-xml"}})
	c.recordSometimes(recording{file: "qrstat.xml", argv: []string{"qrstat", "-u", "*", "-xml"}}) // since 6.2
	c.captureReservations()
}

var reservationID = regexp.MustCompile(`(?m)^\s*<id>([0-9]{1,10})</id>`)

// captureReservations captures what each advance reservation was granted, which the list of them lacks.
func (c *capture) captureReservations() {
	var ids []string
	for _, m := range reservationID.FindAllSubmatch(c.recorded("qrstat.xml"), -1) {
		ids = append(ids, string(m[1]))
	}
	if len(ids) > 0 {
		c.recordSometimes(recording{file: "qrstat-ar.xml", argv: []string{"qrstat", "-ar", strings.Join(ids, ","), "-xml"}})
	}
}

// recorded is a file of the bundle; empty where the bundle lacks it.
func (c *capture) recorded(file string) []byte {
	text, err := os.ReadFile(filepath.Join(c.folder, file))
	if !errors.Is(err, os.ErrNotExist) {
		c.fail(err)
	}
	return text
}

// captureUsage captures the share tree, and if there is one its usage. The program for that is none of the
// clients, and lies elsewhere.
func (c *capture) captureUsage() { c.sometimes(c.recordUsage, "share_tree.txt", "sge_share_mon.txt") }

func (c *capture) recordUsage() {
	tree := c.record(recording{file: "share_tree.txt", argv: []string{"qconf", "-sstree"}})
	if tree.status != 0 {
		if !nothing(tree.complaints) {
			c.noteLacking("share_tree.txt", tree)
		}
		return
	}
	programs := c.shareMonitors()
	for _, program := range programs {
		a := c.record(recording{file: "sge_share_mon.txt", argv: []string{program, "-c", "1", "-n", "-h"},
			removeFailed: true})
		if a.status == 0 {
			c.state.Facts["share_mon"] = program
			return
		}
	}
	c.noteLacking("sge_share_mon.txt", answer{complaints: "no program sge_share_mon in " + strings.Join(programs, ", ")})
}

// shareMonitors are the places where sge_share_mon may be.
func (c *capture) shareMonitors() []string {
	if known := c.state.Facts["share_mon"]; known != "" {
		return []string{known}
	}
	arch := c.ask(path.Join(c.root(), "util", "arch"))
	list := []string{"/usr/lib/gridengine/sge_share_mon"}
	if name := firstLine(arch.out); arch.status == 0 && name != "" {
		list = slices.Insert(list, 0, path.Join(c.root(), "utilbin", name, "sge_share_mon"))
	}
	return list
}

// captureSettings captures the configuration that a single call shows, whatever the size of the cluster.
func (c *capture) captureSettings() {
	for _, r := range []recording{
		{file: "conf.txt", argv: []string{"qconf", "-sconf"}},
		{file: "complex.txt", argv: []string{"qconf", "-sc"}},
		{file: "queues.txt", argv: []string{"qconf", "-sq", "*"}},
		{file: "rqs.txt", argv: []string{"qconf", "-srqs"}},
		{file: "event_clients.txt", argv: []string{"qconf", "-secl"}},
	} {
		c.recordUnless(c.isRecentFact("names", c.ListAge), r)
	}
}

// recordUnless records what seldom changes, unless that of an earlier capture still holds.
func (c *capture) recordUnless(holds bool, r recording) {
	if holds && c.reuse(r.file) {
		return
	}
	from := c.lines.Len()
	c.recordOrNote(r)
	c.remember(r.file, nil, from)
}

// sum is that of the configuration that is captured each time. Where it is another than last time, somebody
// is changing things.
func (c *capture) sum() string {
	h := sha256.New()
	for _, file := range []string{"sched_conf.txt", "conf.txt", "complex.txt", "queues.txt", "rqs.txt"} {
		text := c.recorded(file)
		fmt.Fprintf(h, "%s %d\n%s", file, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// captureFiles captures what the master wrote to files.
func (c *capture) captureFiles() {
	c.ending("schedule", "schedule", path.Join(c.common(), "schedule"), c.Records, nil)
	c.ending("accounting", "accounting", path.Join(c.common(), "accounting"), c.Accounting, nil)
	c.ending("reporting", "reporting", path.Join(c.common(), "reporting"), c.Reporting, nil)
	if spool := c.Site.Spool; spool != "" {
		c.ending("messages", "messages", path.Join(spool, "messages"), c.Records, schedulerLines)
	}
}

// absent reports whether a command complained that there is no such file.
func absent(complaints string) bool { return strings.Contains(complaints, "No such file") }

var hostName = regexp.MustCompile(`<host name='([^']*)'`)

// hostNames are the names of execution hosts in qhost -xml.
func (c *capture) hostNames() (names []string) {
	text, err := os.ReadFile(filepath.Join(c.folder, "qhost.xml"))
	c.fail(err)
	for _, m := range hostName.FindAllSubmatch(text, -1) {
		if name := html.UnescapeString(string(m[1])); name != "global" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
