package records_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
)

const separator = "::::::::\n"

func TestScheduleFilesAreCutIntoRuns(t *testing.T) {
	line := func(n int) string {
		return fmt.Sprintf("%d:1:STARTING:1795248697:960:Q:all.q@node01:slots:1.000000\n", n)
	}
	for name, c := range map[string]struct{ release, file, want string }{
		"no run": {"SGE 8.1.9", "", ""},
		"one":    {"SGE 8.1.9", separator + line(1) + line(2), "1 2 …"},
		"the last one not known to be complete": {"SGE 8.1.9", separator + line(1) + separator +
			separator + line(2), "1. . 2 …"},
		"runs without lines":                 {"SGE 8.1.9", separator + separator, ". …"},
		"the rest of one whose begin is cut": {"GE 6.2u5", line(1) + separator + line(2), "1. 2 …"},
		"before their records, still":        {"OCS 9.0.5", separator + line(1), "1 …"},
		"behind their records": {"OCS 9.0.6", line(1) + line(2) + separator +
			line(3) + separator, "1 2. 3."},
		"behind, the last being written": {"OCS 9.1.4", line(1) + separator + line(2), "1. 2 …"},
		"behind, without lines":          {"GCS 9.2.0prealpha", separator + separator, ". ."},
		"of an unknown release, before":  {"", separator + line(1), "1 …"},
		"of an unknown release, behind":  {"", line(1) + separator, "1."},
		"with a blank line":              {"SGE 8.1.9", separator + line(1) + "\n", "1 …"},
	} {
		t.Run(name, func(t *testing.T) {
			snap := sample.With(t, map[string]string{"qstat-help.txt": c.release + "\n", "schedule": c.file})
			var got []string
			for _, run := range snap.Runs {
				var jobs []string
				for _, l := range run.Lines {
					jobs = append(jobs, fmt.Sprint(l.Job))
				}
				text := strings.Join(jobs, " ")
				if run.Complete {
					text += "."
				} else {
					text = strings.TrimSpace(text + " …")
				}
				got = append(got, text)
			}
			expect.Same(t, "runs", strings.Join(got, " "), c.want)
		})
	}
}

func TestTheLinesOfAScheduleFile(t *testing.T) {
	for name, c := range map[string]struct{ release, line, want string }{
		"in seconds": {"SGE 8.1.9", "19:2:RESERVING:1795248697:1760:H:node03:scratch:8589934592.000000",
			"19.2 RESERVING 08:11:37 29m20s H node03 scratch 8.589934592e+09"},
		"in microseconds": {"OCS 9.1.4", "1:1:RUNNING:1795248697000005:90000000:G:global:lic:2.000000",
			"1.1 RUNNING 08:11:37.000005 1m30s G global lic 2"},
		"in microseconds, by the looks of it": {"", "1:1:RUNNING:1795248697000005:90000000:G:global:lic:2.000000",
			"1.1 RUNNING 08:11:37.000005 1m30s G global lic 2"},
		"at time zero": {"SGE 8.1.9", "2:1:RESERVING:0:90:Q:all.q@node01:slots:1.000000",
			"2.1 RESERVING 00:00:00 1m30s Q all.q@node01 slots 1"},
		"a limit": {"SGE 8.1.9", "6:5:STARTING:1795248697:960:L:lim1://///:1.000000",
			"6.5 STARTING 08:11:37 16m0s L lim1 ///// 1"},
		"colons in the object": {"SGE 8.1.9", "6:5:STARTING:1795248697:960:P:a:b::c:slots:1.000000",
			"6.5 STARTING 08:11:37 16m0s P a:b::c slots 1"},
		"for ever, as newer releases count": {"OCS 9.1.4",
			"1:1:RUNNING:1795248697000000:4294967355000000:G:global:lic:2.000000",
			"1.1 RUNNING 08:11:37 1193046h29m15s G global lic 2"},
		"longer than a duration can be": {"SGE 8.1.9", "1:1:RUNNING:1795248697:9223372036854775807:G:global:lic:2.000000",
			fmt.Sprintf("1.1 RUNNING 08:11:37 %v G global lic 2", model.Forever)},
	} {
		t.Run(name, func(t *testing.T) {
			snap := sample.With(t, map[string]string{"qstat-help.txt": c.release + "\n", "schedule": separator + c.line + "\n"})
			l := snap.Runs[len(snap.Runs)-1].Lines[0]
			expect.Same(t, "line", fmt.Sprintf("%d.%d %s %s %v %s %s %s %v", l.Job, l.Task, l.State,
				l.Start.Format("15:04:05.999999"), l.Duration, l.Level, l.Object, l.Resource, l.Amount), c.want)
			if day := l.Start.Format(time.DateOnly); day != "2026-11-21" && day != "1970-01-01" {
				t.Errorf("it starts on %s", day)
			}
		})
	}
}

func TestAnErrorInTheScheduleFileSaysWhere(t *testing.T) {
	for name, line := range map[string]string{
		"too few fields": "1:1:RUNNING:0:1:Q:all.q:1.0",
		"a job":          "x:1:RUNNING:0:1:Q:all.q:slots:1.0",
		"a task":         "1:-1:RUNNING:0:1:Q:all.q:slots:1.0",
		"a start":        "1:1:RUNNING:now:1:Q:all.q:slots:1.0",
		"a duration":     "1:1:RUNNING:0:-1:Q:all.q:slots:1.0",
		"an amount":      "1:1:RUNNING:0:1:Q:all.q:slots:one",
		"no number":      "1:1:RUNNING:0:1:Q:all.q:slots:nan",
		"no end":         "1:1:RUNNING:0:1:Q:all.q:slots:-Inf",
	} {
		t.Run(name, func(t *testing.T) {
			bundle := expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(), "schedule": separator + line + "\n"})
			_, err := gridengine.Read(bundle, gridengine.Options{})
			if err == nil || !strings.HasPrefix(err.Error(), "schedule:2: ") ||
				!strings.HasSuffix(err.Error(), fmt.Sprintf("%q", line)) {
				t.Errorf("got %v", err)
			}
			if snap, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true}); err != nil || len(snap.LeftOut) != 1 {
				t.Errorf("keeping on: %v, left out %v", err, snap.LeftOut)
			}
		})
	}
}

func TestMessagesOfTheSchedulerAreKept(t *testing.T) {
	snap := sample.With(t, map[string]string{"MANIFEST": "utc_offset -0330\n", "messages": `11/21/2026 08:16:20|schedu|vm|P|PROF: a|b
11/21/2026 08:16:20|worker|vm|E|no matter
  of ours
2026-11-21 08:25:48.692981|   scheduler|00|vm|P|text
and more
11/21/2026 08:16|schedu|vm|P|no time
`})
	expect.Same(t, "trace", snap.Trace, []model.TraceLine{
		{At: time.Date(2026, 11, 21, 11, 46, 20, 0, time.UTC), Text: "PROF: a|b"},
		{At: time.Date(2026, 11, 21, 11, 55, 48, 692981000, time.UTC),
			Text: "text\nand more\n11/21/2026 08:16|schedu|vm|P|no time"},
	})
}

func TestUsageGoesToWhomItIsOf(t *testing.T) {
	const file = "curr_time\tusage_time\tnode_name\tuser_name\tproject_name\tshares\tjob_count\tlevel%\ttotal%\t" +
		"long_target_share\tshort_target_share\tactual_share\tusage\tcpu\tmem\tio\tltcpu\tltmem\tltio\t\n\n"
	node := func(named bool, path, user, project string, usageTime, cpu int) string {
		text := ""
		for i, v := range []any{1795248965, usageTime, path, user, project, 10, 1, 0.25, 0.5,
			0, 0, 0.125, cpu, cpu, 2, 3, 4, 5, 6} {
			if named {
				text += strings.Fields(file)[i] + "="
			}
			text += fmt.Sprint(v) + "\t"
		}
		return text + "\n"
	}
	for _, named := range []bool{true, false} {
		snap := sample.With(t, map[string]string{
			"users/al.txt": "name al\noticket 0\nfshare 7\ndelete_time 0\ndefault_project NONE\n",
			"sge_share_mon.txt": file + node(named, "/", "", "", 0, 0) + node(named, "/p", "", "p", 0, 30) +
				node(named, "/p/al", "al", "p", 1795248000, 10) +
				node(named, "/default", "", "", 0, 0) + node(named, "/default/al", "al", "", 1795248000, 20) +
				node(named, "/q", "bo", "q", 1795248001000005, 9),
		})
		decayed := func(cpu float64) []model.Amount {
			return []model.Amount{{Name: "cpu", Value: cpu}, {Name: "mem", Value: 2}, {Name: "io", Value: 3}}
		}
		longTerm := []model.Amount{{Name: "cpu", Value: 4}, {Name: "mem", Value: 5}, {Name: "io", Value: 6}}
		expect.Same(t, "users", snap.Users, []model.User{
			{Name: "al", FunctionalShares: 7, Usage: model.Usage{At: time.Unix(1795248000, 0).UTC(),
				Decayed: decayed(20), LongTerm: longTerm},
				Projects: []model.ProjectUsage{{Project: "p", Decayed: decayed(10), LongTerm: longTerm}}},
			{Name: "bo", Usage: model.Usage{At: time.UnixMicro(1795248001000005).UTC()},
				Projects: []model.ProjectUsage{{Project: "q", Decayed: decayed(9), LongTerm: longTerm}}},
		})
		expect.Same(t, "projects", snap.Projects,
			[]model.Project{{Name: "p", Usage: model.Usage{Decayed: decayed(30), LongTerm: longTerm}}})
		expect.Same(t, "a node", snap.ShareReport[2], model.ShareReport{
			Path: "/p/al", User: "al", Project: "p", At: time.Unix(1795248965, 0).UTC(), UsageAt: time.Unix(1795248000, 0).UTC(),
			Shares: 10, JobCount: 1, Level: 0.25, Total: 0.5, ActualShare: 0.125, Usage: 10,
			CPU: 10, Mem: 2, IO: 3, LongCPU: 4, LongMem: 5,
			LongIO: 6,
		})
	}
}

func TestRecordedUsageIsRead(t *testing.T) {
	snap := sample.Recording(t, "../testdata/8.1.9-usage.tar.gz")
	expect.Same(t, "nodes", len(snap.ShareReport), 9)
	var got []string
	for _, u := range snap.Users {
		if len(u.Usage.Decayed) > 0 && u.Usage.Decayed[0].Value > 0 {
			got = append(got, fmt.Sprint(u.Name, " ", u.Usage.Decayed[0].Value, u.Usage.At.Unix()))
		}
	}
	expect.Same(t, "usage", got, []string{"usr0 27.999111 1795249465", "usr1 36.999328 1795249465",
		"usr2 13.999555 1795249465",
		"usr4 13.999555 1795249465"})
}

func TestAnErrorInUsageSaysWhere(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a number":       {"curr_time=1\tnode_name=/\tcpu=much\t\n", `sge_share_mon.txt:1: cpu: invalid syntax`},
		"a time":         {"curr_time=now\tnode_name=/\t\n", `sge_share_mon.txt:1: curr_time: a time`},
		"no node":        {"\ncurr_time=1\tcpu=1\t\n", `sge_share_mon.txt:2: node_name: missing`},
		"too few fields": {"1795248965\t0\t/\t\n", `sge_share_mon.txt:1: 3 fields, not 19`},
	} {
		_, err := gridengine.Read(expect.Bundle(
			map[string]string{"qstat.xml": sample.Qstat(), "sge_share_mon.txt": c.text}), gridengine.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	snap := sample.With(t, map[string]string{"sge_share_mon.txt": "No share tree\n"})
	if len(snap.ShareReport) != 0 || len(snap.Unknown) != 1 {
		t.Errorf("got %v, %v", snap.ShareReport, snap.Unknown)
	}
}

// Requests for advance reservations write into the section of the last run: what runs, and as job 0 what
// they book (D37).
func TestLinesOfRequestsForAdvanceReservationsStandApart(t *testing.T) {
	const (
		first   = "1:1:RUNNING:100:50:H:a:mem:2.0\n1:1:RUNNING:100:50:Q:all.q@a:slots:1.0\n"
		quota   = "1:1:RUNNING:100:50:L:set:u/////:1.0\n"
		wide    = "2:1:RUNNING:100:50:P:mpi:slots:2.0\n2:1:RUNNING:100:50:H:a:mem:2.0\n2:1:RUNNING:100:50:Q:x.q@a:slots:1.0\n2:1:RUNNING:100:50:H:a:mem:2.0\n2:1:RUNNING:100:50:Q:y.q@a:slots:1.0\n"
		starts  = "3:1:STARTING:110:50:Q:all.q@b:slots:1.0\n"
		booked  = "0:0:RESERVING:200:50:Q:all.q@a:slots:2.0\n0:0:RESERVING:200:50:P:mpi:slots:2.0\n"
		separat = "::::::::\n"
	)
	for name, c := range map[string]struct{ run, request string }{
		"none":                            {first + wide + starts, ""},
		"of a run that started something": {first + wide + starts, first + wide + booked},
		"of a run that only looked":       {first + quota + wide, first + wide + booked},
		"of a run of one task":            {first + quota, first + booked},
		"refused":                         {first + quota + wide, first + wide},
		"two of them":                     {first + starts, first + booked + first + booked},
		"where nothing runs":              {starts, booked},
		"without reservations":            {"", first + wide + booked},
		"of suspended tasks": {strings.ReplaceAll(first, "RUNNING", "SUSPENDED") + starts,
			strings.ReplaceAll(first, "RUNNING", "SUSPENDED") + booked},
	} {
		snap, err := gridengine.Read(
			expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(), "qstat-help.txt": "SGE 8.1.9\n",
				"schedule": separat + c.run + c.request}), gridengine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if own, asked := strings.Count(c.run, "\n"), strings.Count(c.request, "\n"); len(snap.Runs) != 1 ||
			len(snap.Runs[0].Lines) != own ||
			len(snap.Runs[0].Advance) != asked {
			t.Errorf("%s: %d and %d lines, want %d and %d", name, len(snap.Runs[0].Lines), len(snap.Runs[0].Advance), own, asked)
		}
	}
}
