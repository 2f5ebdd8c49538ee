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
	c.captureSchedConf() // small; its time shows whether the master is slow
	c.captureMoment()
	c.captureSettings()
	c.captureObjects()
	c.captureFiles()
}

// findCell finds the cell. It searches for the share tree program again when the configuration is old.
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

// common returns the folder of the cell's files.
func (c *capture) common() string { return path.Join(c.Site.Root, c.Site.Cell, "common") }

// setting returns the value of a line "key value".
func setting(text, key string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == key {
			return f[1]
		}
	}
	return ""
}

// isRecentFact reports whether a fact is known and recent.
func (c *capture) isRecentFact(name string, most time.Duration) bool {
	at, err := time.Parse(time.RFC3339, c.state.Facts["at "+name])
	age := c.report.Captured.Sub(at)
	return err == nil && !c.Full && age >= 0 && age < most
}

// fresh notes that a fact was found now.
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

// abbreviate turns off commands that ran a short time ago, except those for jobs and queues.
func (c *capture) abbreviate() {
	if c.brief = c.isRecentFact("state", c.StateAge); !c.brief && c.StateAge > 0 {
		c.fresh("state")
	}
}

// reuseRecent puts a file of an earlier capture into the bundle, if that capture is recent enough.
func (c *capture) reuseRecent(file string) bool { return c.brief && c.reuse(file) }

// sometimes runs commands that need not run each time, unless their files can be reused. The first file has the
// MANIFEST lines of all.
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

// recordSometimes records a file that need not be recorded each time.
func (c *capture) recordSometimes(r recording) { c.sometimes(func() { c.recordOrNote(r) }, r.file) }

// captureMoment captures everything that belongs to one moment, without a pause. Without -g d, all waiting
// tasks of an array need only one line. The listing for people has urg, which the XML lacks. The listing by
// queue instance has only running jobs.
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

// captureReservations captures the queue instances that each advance reservation got. The list of reservations
// lacks them.
func (c *capture) captureReservations() {
	var ids []string
	for _, m := range reservationID.FindAllSubmatch(c.recorded("qrstat.xml"), -1) {
		ids = append(ids, string(m[1]))
	}
	if len(ids) > 0 {
		c.recordSometimes(recording{file: "qrstat-ar.xml", argv: []string{"qrstat", "-ar", strings.Join(ids, ","), "-xml"}})
	}
}

// recorded returns a file of the bundle. It is empty if the bundle lacks the file.
func (c *capture) recorded(file string) []byte {
	text, err := os.ReadFile(filepath.Join(c.folder, file))
	if !errors.Is(err, os.ErrNotExist) {
		c.fail(err)
	}
	return text
}

// captureUsage captures the share tree, and its usage if there is a tree. The program for usage is not beside
// the other commands.
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

// shareMonitors returns the paths where sge_share_mon may be.
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

// captureSettings captures the configuration that one command shows, for any size of cluster.
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

// recordUnless records a file that seldom changes. If holds is true, it reuses the file of an earlier capture.
func (c *capture) recordUnless(holds bool, r recording) {
	if holds && c.reuse(r.file) {
		return
	}
	from := c.lines.Len()
	c.recordOrNote(r)
	c.remember(r.file, nil, from)
}

// sum returns a checksum of the configuration that is captured each time. If it differs from the last one,
// somebody is changing the configuration.
func (c *capture) sum() string {
	h := sha256.New()
	for _, file := range []string{"sched_conf.txt", "conf.txt", "complex.txt", "queues.txt", "rqs.txt"} {
		text := c.recorded(file)
		fmt.Fprintf(h, "%s %d\n%s", file, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// captureFiles captures files that the master writes.
func (c *capture) captureFiles() {
	c.ending("schedule", "schedule", path.Join(c.common(), "schedule"), c.Records, nil)
	c.ending("accounting", "accounting", path.Join(c.common(), "accounting"), c.Accounting, nil)
	c.ending("reporting", "reporting", path.Join(c.common(), "reporting"), c.Reporting, nil)
	if spool := c.Site.Spool; spool != "" {
		c.ending("messages", "messages", path.Join(spool, "messages"), c.Records, schedulerLines)
	}
}

// absent reports whether a command complained that a file does not exist.
func absent(complaints string) bool { return strings.Contains(complaints, "No such file") }

var hostName = regexp.MustCompile(`<host name='([^']*)'`)

// hostNames returns the names of execution hosts in qhost -xml.
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
