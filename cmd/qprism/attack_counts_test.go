package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A statedCount is a count that a file states and that no cluster has: what replaces the first match of a pattern, in all files or one.
type statedCount struct {
	what, bundle, file string
	pattern, with      string
}

const (
	countsGE  = "8.1.9-dispatch-8.tar.gz/dispatch-8/run1/before"
	countsRun = "8.1.9-dispatch-8.tar.gz/dispatch-8/run1/after"
	countsPBS = "23.06.06-job-zoo.tar.gz/job_zoo/running"
)

// statedCounts are the numbers by which a file of a few bytes could ask for more memory or time than there is.
func statedCounts() []statedCount {
	return []statedCount{
		{"tasks of a waiting array", countsGE, "qstat.xml", `<tasks>[^<]*<`, "<tasks>1-1000000:1<"},
		{"tasks of all waiting arrays", countsGE, "qstat.xml", `(?s)<job_list state="pending">.*<tasks>[^<]*<`,
			"${0}/tasks><tasks>1-4294967295:1<"},
		{"tasks of a running array", countsRun, "qstat.xml", `<tasks>[^<]*<`, "<tasks>1-1000000:1<"},
		{"tasks in qstat-j.xml", countsGE, "qstat-j.xml", `(<JB_ja_structure>\s*<task_id_range>\s*<RN_min>)\d+(</RN_min>\s*<RN_max>)\d+`,
			"${1}1${2}4294967295"},
		{"slots of a task", countsRun, "qstat.xml", `<slots>\d+<`, "<slots>2147483647<"},
		{"slots asked for", countsGE, "", `<requested_pe name="([^"]*)">[^<]*<`, `<requested_pe name="$1">1-9999999<`},
		{"slots granted", countsRun, "", `<granted_pe name="([^"]*)">[^<]*<`, `<granted_pe name="$1">2147483647<`},
		{"slots of a parallel environment", countsGE, "", `(?m)^slots( +)999$`, "slots${1}2147483647"},
		{"slots of a queue", countsGE, "queues/all.q.txt", `(?m)^slots .*$`, "slots 2147483647"},
		{"an amount of a resource", countsGE, "", `complex_values( +).*`, "complex_values${1}slots=9e18,gpu=9e18,scratch=1e300"},
		{"jobs that may take tickets", countsGE, "sched_conf.txt", `max_functional_jobs_to_schedule +\d+`,
			"max_functional_jobs_to_schedule 4294967295"},
		{"reservations", countsGE, "sched_conf.txt", `max_reservation +\d+`, "max_reservation 4294967295"},
		{"tasks that take tickets", countsGE, "sched_conf.txt", `max_pending_tasks_per_job +\d+`, "max_pending_tasks_per_job 4294967295"},
		{"a short interval", countsGE, "sched_conf.txt", `schedule_interval +\S+`, "schedule_interval 0:0:0"},
		{"a long halftime", countsGE, "sched_conf.txt", `halftime +\d+`, "halftime 4294967295"},
		{"a default duration", countsGE, "sched_conf.txt", `default_duration +\S+`, "default_duration 2147483647:59:59"},
		{"a calendar of all years", countsGE, "", `(?m)^calendar( +)NONE`, "calendar${1}forever"},
		{"a deep share tree", countsGE, "share_tree.txt", `(?s).*`, deepTree(20_000)},
		{"a share tree that turns around", countsGE, "share_tree.txt", `(?s).*`,
			"id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\nid=1\nname=a\ntype=1\nshares=1\nchildnodes=0,1\n"},
		{"a share tree of many children", countsGE, "share_tree.txt", `childnodes=1,2`, "childnodes=" + strings.Repeat("1,", 100_000) + "1"},
		{"shares", countsGE, "share_tree.txt", `shares=\d+`, "shares=4294967295"},
		{"a range of hosts", countsGE, "", `hostlist node01`, "hostlist node[1-1000000000]"},
		{"groups in each other", countsGE, "hostgroups/@half.txt", `hostlist .*`, "hostlist @allhosts @half @half"},
		{"a limit of a quota", countsGE, "", `slots=3`, "slots=9223372036854775807"},
		{"a use in the schedule file", countsRun, "schedule", `\d+:P`, "4294967295:P"},

		{"subjobs that wait", countsPBS, "", `"array_indices_(\w+)":\s*"[^"]*"`, `"array_indices_$1": "0-1000000"`},
		{"subjobs of all numbers", countsPBS, "", `"array_indices_(\w+)":\s*"[^"]*"`, `"array_indices_$1": "0-4294967295"`},
		{"subjobs by state", countsPBS, "", `Queued:\d+ Running:\d+`, "Queued:1000000000 Running:1000000000"},
		{"chunks", countsPBS, "", `"(sched)?select":\s*"[^"]*"`, `"${1}select": "1000000000:ncpus=1"`},
		{"small chunks", countsPBS, "", `"(sched)?select":\s*"[^"]*"`, `"${1}select": "1000000000:ncpus=0"`},
		{"many chunks", countsPBS, "", `"(sched)?select":\s*"[^"]*"`, `"${1}select": "` + strings.Repeat("9999:ncpus=1+", 2000) + `1:ncpus=1"`},
		{"processors of a chunk", countsPBS, "", `"(sched)?select":\s*"[^"]*"`, `"${1}select": "1:ncpus=9223372036854775807"`},
		{"parts of exec_vnode", countsPBS, "", `"exec_vnode":\s*"[^"]*"`,
			`"exec_vnode": "` + strings.Repeat("(pbsn1:ncpus=1)+", 50_000) + `(pbsn1:ncpus=1)"`},
		{"processors of a vnode", countsPBS, "", `"ncpus":\s*4`, `"ncpus": 9223372036854775807`},
		{"a decay each second", countsPBS, "", `fairshare_decay_time: \S+`, "fairshare_decay_time: 00:00:00"},
		{"a decay of long ago", countsPBS, "", `fairshare_decay_time: \S+`,
			"fairshare_decay_time: 00:00:01\nfairshare_decay_factor: 0.9999999999"},
		{"dedicated time of all years", countsPBS, "dedicated_time", `(?s).*`, "01/01/1970 00:00 12/31/9999 00:00\n"},
		{"a walltime", countsPBS, "", `"walltime":\s*"[^"]*"`, `"walltime": "2562047788015215:30:07"`},
		{"an old job", countsPBS, "", `"(\w*time)":\s*"\w+ \w+ +\d+ [\d:]+ 2026"`, `"$1": "Thu Jan 01 00:00:01 1970"`},
		{"a deep group", countsPBS, "resource_group", `(?s).*`, deepGroup(20_000)},
		{"occurrences of a reservation", countsPBS, "pbs_rstat_F.txt", `(?s).*`, manyOccurrences},
	}
}

// deepTree is a share tree of nodes inside each other.
func deepTree(nodes int) string {
	var b strings.Builder
	for i := range nodes {
		child := fmt.Sprint(i + 1)
		if i == nodes-1 {
			child = "NONE"
		}
		fmt.Fprintf(&b, "id=%d\nname=n%d\ntype=0\nshares=1\nchildnodes=%s\n", i, i, child)
	}
	return b.String()
}

func deepGroup(groups int) string {
	var b strings.Builder
	parent := "root"
	for i := range groups {
		fmt.Fprintf(&b, "g%d %d %s 10\n", i, i+10, parent)
		parent = fmt.Sprintf("g%d", i)
	}
	return b.String()
}

const manyOccurrences = `Resv ID: S1.pbsvm
Reserve_Name = often
Reserve_Owner = root@pbsvm
reserve_type = 2
reserve_state = RESV_CONFIRMED
reserve_substate = 2
reserve_start = Sat Nov 21 09:00:00 2026
reserve_end = Sat Nov 21 10:00:00 2026
reserve_duration = 3600
queue = S1
Resource_List.ncpus = 1
Resource_List.select = 1:ncpus=1
Resource_List.place = free
Resource_List.walltime = 01:00:00
schedselect = 1:ncpus=1
resv_nodes = (pbsn1:ncpus=1)
reserve_rrule = FREQ=MINUTELY;COUNT=2147483647
reserve_count = 2147483647
reserve_index = 1
`

// TestACountThatAFileStatesCostsWhatTheFileShows: a number in a file asks for no more memory or time than a bundle of its size needs.
func TestACountThatAFileStatesCostsWhatTheFileShows(t *testing.T) {
	if testing.Short() {
		t.Skip("tries hundreds of commands")
	}
	bundles := map[string]wholeBundle{}
	for _, b := range wholeBundles(t) {
		bundles[b.name] = b
	}
	const memory = 500 << 20
	every := 8
	if *attackWhole {
		every = 1
	}
	for i, c := range statedCounts() {
		t.Run(c.what, func(t *testing.T) {
			b := bundles[c.bundle]
			m := &mutation{from: b.name, files: maps.Clone(b.files), whole: b}
			if !m.state(c) {
				t.Fatal("nothing to replace")
			}
			folder := filepath.Join(t.TempDir(), "x")
			m.write(t, folder)
			list, peak := attacked(t, folder, i, every)
			for _, one := range list {
				if one.wrong() != "" {
					t.Errorf("%s: %.1f s: %s", strings.Join(one.Args, " "), one.Seconds, one.wrong())
				}
			}
			if peak > memory {
				t.Errorf("%d MB", peak>>20)
			}
		})
	}
}

// state puts a count into the bundle, and reports whether there was a place for it.
func (m *mutation) state(c statedCount) (found bool) {
	pattern := regexp.MustCompile(c.pattern)
	for name, text := range m.files {
		if c.file == "" && !strings.Contains(name, "qstat_x") || c.file == name {
			found = found || pattern.Match(text)
			m.files[name] = pattern.ReplaceAll(text, []byte(c.with))
		}
	}
	if strings.Contains(c.with, "forever") {
		m.files["calendars/forever.txt"] = []byte("calendar_name forever\nyear 1.1.0-31.12.9999,1.1.1-31.12.9999=off\nweek mon-sun,sun-mon=0-24=suspended\n")
	}
	return found
}
