package pbs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
)

// configOf reads a sched_config.
func configOf(t *testing.T, text string) (model.SchedConfig, model.FairsharePolicy) {
	t.Helper()
	s := readOne(t, "sched_config", text)
	return s.PBS.SchedConfig, s.PBS.Fairshare.Policy
}

// Quirks P11 and P28.
func TestOptionsAreReadAsTheSchedulerReadsThem(t *testing.T) {
	type fair = model.FairsharePolicy
	both := func(set func(*model.CyclePolicy)) func(*model.SchedConfig, *fair) {
		return func(c *model.SchedConfig, _ *fair) { set(&c.Prime); set(&c.NonPrime) }
	}
	queues := both(func(c *model.CyclePolicy) { c.ByQueue = true })
	nothing := func(*model.SchedConfig, *fair) {}
	for name, c := range map[string]struct {
		line  string
		want  func(*model.SchedConfig, *fair)
		error string // what the scheduler logs
	}{
		"true in any case":                      {"by_queue: TRUE", queues, ""},
		"a word that is no boolean is true":     {"by_queue: no", queues, ""},
		"a quoted false with a word is true":    {`by_queue: "False ALL"`, queues, ""},
		"a number but 0 is true":                {"by_queue: 7", queues, ""},
		"0 is false":                            {"by_queue: 0", nothing, ""},
		"a number is read as far as it goes":    {"by_queue: 0x1", nothing, ""},
		"the colon may be missing":              {"by_queue true", queues, ""},
		"blanks before the name do not count":   {" \tby_queue: true", queues, ""},
		"behind a blank the colon is the value": {"by_queue : false", queues, "Invalid prime keyword: false"},
		"a line goes on behind a backslash":     {"by_queue: \\\n true", queues, ""},
		"only in primetime": {"by_queue: true prime", func(c *model.SchedConfig, _ *fair) {
			c.Prime.ByQueue = true
		}, ""},
		"only in the other time": {"by_queue: true NON_PRIME", func(c *model.SchedConfig, _ *fair) {
			c.NonPrime.ByQueue = true
		},
			""},
		"at no time": {"by_queue: true none", nothing, ""},
		"a wrong time is an error, and all times": {"by_queue: true All", queues, "Invalid prime keyword: All"},
		"a later line overrides":                  {"by_queue: false\nby_queue: true", queues, ""},
		"a name alone":                            {"by_queue", nothing, "Config line invalid"},
		"a name that is none":                     {"by_quue: true", nothing, "Unknown config parameter"},
		"comments of both kinds":                  {"# by_queue: true\n  * by_queue: true", nothing, ""},
		"an obsolete name that is obeyed": {"backfill: false", both(func(c *model.CyclePolicy) {
			c.Backfill = false
		}), ""},
		"an obsolete name that is not": {"help_starving_jobs: true", nothing, ""},
		"a decay time": {"fairshare_decay_time: 12:00:00",
			func(_ *model.SchedConfig, f *fair) { f.DecayTime = 12 * time.Hour }, ""},
		"half_life is its old name": {"half_life: 00:10:00", func(_ *model.SchedConfig, f *fair) {
			f.DecayTime = 10 * time.Minute
		},
			""},
		"a time without a colon counts": {"fairshare_decay_time: 90",
			func(_ *model.SchedConfig, f *fair) { f.DecayTime = 90 * time.Second }, "Invalid time 90"},
		"a decay factor": {"fairshare_decay_factor: 0.7", func(_ *model.SchedConfig, f *fair) { f.DecayFactor = 0.7 },
			""},
		"a decay factor of 1 does not count": {"fairshare_decay_factor: 1", nothing,
			"fairshare_decay_factor: Invalid value.  Valid values are between 0 and 1."},
		"a decay factor that is no number": {"fairshare_decay_factor: half", nothing, "Invalid fairshare_decay_factor"},
		"an entity that is none counts": {"fairshare_entity: euser:egroup",
			func(_ *model.SchedConfig, f *fair) {
				f.Entity = "euser:egroup"
			}, "fairshare_entity euser:egroup is erroneous (or deprecated)."},
		"a quoted formula": {`fairshare_usage_res: "ncpus*walltime"`,
			func(_ *model.SchedConfig, f *fair) { f.UsageResource = "ncpus*walltime" }, ""},
		"shares of unknown": {"unknown_shares: 10", func(_ *model.SchedConfig, f *fair) {
			f.UnknownShares = 10
		}, ""},
		"shares that are no number are -1": {"unknown_shares: ten", func(_ *model.SchedConfig, f *fair) {
			f.UnknownShares = -1
		}, ""},
		"zero shares may run": {"fairshare_enforce_no_shares: false",
			func(_ *model.SchedConfig, f *fair) { f.EnforceNoShares = false }, ""},
		"any value switches it on": {"allow_aoe_calendar: false", func(c *model.SchedConfig, _ *fair) {
			c.AOECalendar = true
		},
			""},
		"a spill of primetime": {"prime_spill: 1:00:00 prime",
			func(c *model.SchedConfig, _ *fair) { c.PrimeSpill = time.Hour }, ""},
		"resources, with host and vnode": {`resources: "ncpus, mem"`,
			func(c *model.SchedConfig, _ *fair) { c.Resources = []string{"host", "mem", "ncpus", "vnode"} }, ""},
		"a name with host in it is taken for it": {`resources: "ncpus,ghosts,vnode"`,
			func(c *model.SchedConfig, _ *fair) { c.Resources = []string{"ghosts", "ncpus", "vnode"} }, ""},
		"unset is infinite": {`resource_unset_infinite: "lic"`, func(c *model.SchedConfig, _ *fair) {
			c.UnsetInfinite = []string{"lic", "mpiprocs", "ompthreads"}
		}, ""},
		"a sort key": {`job_sort_key: "ncpus HIGH"`,
			both(func(c *model.CyclePolicy) { c.JobSortKeys = []model.SortKey{{Resource: "ncpus", Descending: true}} }), ""},
		"its old name": {`job_sort_key: "sort_priority low"`,
			both(func(c *model.CyclePolicy) { c.JobSortKeys = []model.SortKey{{Resource: "job_priority"}} }), ""},
		"a sort key without order":      {`job_sort_key: "ncpus"`, nothing, "Invalid job_sort_key"},
		"a sort key with a wrong order": {`job_sort_key: "ncpus DOWN"`, nothing, "Invalid job_sort_key"},
		"a sort key at a wrong time":    {`job_sort_key: "ncpus LOW" sometimes`, nothing, "Invalid job_sort_key"},
		"a key of vnodes, by what is free": {`node_sort_key: "mem LOW unused"`, func(c *model.SchedConfig, f *fair) {
			both(func(c *model.CyclePolicy) { c.NodeSortKeys = []model.SortKey{{Resource: "mem", By: "unused"}} })(c, f)
			c.SortNodesByUse = true
		}, ""},
		"a key of vnodes by nothing known": {`node_sort_key: "mem LOW free"`, nothing, "Invalid node_sort_key"},
		"vnodes in turn": {"smp_cluster_dist: round_robin", both(func(c *model.CyclePolicy) {
			c.RoundRobinDist = true
		}), ""},
		"vnodes in no way that is known": {"smp_cluster_dist: random", nothing, ""},
		"a script gives a resource": {`server_dyn_res: "lic !/bin/lic -q"`, func(c *model.SchedConfig, _ *fair) {
			c.DynamicResources = []model.Setting{{Name: "lic", Value: "/bin/lic -q"}}
		}, ""},
		"a script without its mark": {`server_dyn_res: "lic /bin/lic"`, nothing, "Invalid server_dyn_res"},
		"a queue of another server": {`peer_queue: "workq  far@there"`, func(c *model.SchedConfig, _ *fair) {
			c.PeerQueues = []model.PeerQueue{{Local: "workq", Remote: "far", Server: "there"}}
		}, ""},
		"a peer without a queue": {"peer_queue: workq", nothing, "Invalid peer queue"},
		"all jobs are checked":   {"max_job_check: ALL_JOBS", nothing, ""},
		"some jobs are checked": {"max_job_check: 100",
			func(c *model.SchedConfig, _ *fair) { c.MaxJobCheck = model.Count{Set: true, N: 100} }, ""},
		"reservations ignore dedicated time": {"resv_confirm_ignore: dedicated_time",
			func(c *model.SchedConfig, _ *fair) { c.ResvIgnoresDedicated = true }, ""},
		"a prefix": {"primetime_prefix: p_", func(c *model.SchedConfig, _ *fair) { c.PrimetimePrefix = "p_" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			wantConfig, wantFair := schedconfig.New().Config, model.DefaultFairsharePolicy()
			wantConfig.Present = true
			c.want(&wantConfig, &wantFair)
			gotConfig, gotFair := configOf(t, c.line)
			if diff := cmp.Diff(wantConfig, gotConfig, cmpopts.EquateEmpty(),
				cmpopts.IgnoreFields(model.SchedConfig{}, "Lines")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(wantFair, gotFair); diff != "" {
				t.Error(diff)
			}
			last := ""
			if n := len(gotConfig.Lines); n > 0 {
				last = gotConfig.Lines[n-1].Error
			}
			if last != c.error {
				t.Errorf("logged %q, want %q", last, c.error)
			}
		})
	}
}

func TestVnodesAreNotSortedByUseAndInTurn(t *testing.T) {
	c, _ := configOf(t, "smp_cluster_dist: round_robin\nnode_sort_key: \"mem LOW unused\"\n")
	if c.Prime.RoundRobinDist || c.NonPrime.RoundRobinDist {
		t.Error("both hold")
	}
}

func TestOptionLinesSayWhereTheyAre(t *testing.T) {
	c, _ := configOf(t, "# first\n\nresources: \"ncpus, \\\nmem\"\nstrict_fifo: true\nsort_queues: true\n")
	want := []model.SchedLine{
		{Line: 3, Name: "resources", Value: "ncpus, mem", Used: true},
		{Line: 5, Name: "strict_fifo", Value: "true", Used: true, Old: true},
		{Line: 6, Name: "sort_queues", Value: "true", Old: true},
	}
	if diff := cmp.Diff(want, c.Lines); diff != "" {
		t.Error(diff)
	}
}

func TestABundleWithoutSchedConfigHasTheDefaults(t *testing.T) {
	s := readOne(t, "resource_group", "")
	if c := s.PBS.SchedConfig; c.Present || !c.Prime.Backfill || c.Prime.Preemptive || c.PrimetimePrefix != "" ||
		s.PBS.Fairshare.Policy.DecayFactor != 0.5 {
		t.Errorf("%+v", c)
	}
}

func TestReadSchedConfigOfAFile(t *testing.T) {
	c, f, err := ReadSchedConfig(fstest.MapFS{"x": {Data: []byte("fair_share: true\nunknown_shares: 3\n")}}, "x")
	if err != nil || !c.Prime.FairShare || f.UnknownShares != 3 {
		t.Errorf("%+v %+v %v", c, f, err)
	}
	if _, _, err := ReadSchedConfig(fstest.MapFS{}, "x"); err == nil || !strings.HasPrefix(err.Error(), "x: ") {
		t.Errorf("%v", err)
	}
}

func TestLinesOfResourceGroup(t *testing.T) {
	s := readOne(t, "resource_group",
		"# tree\ngrp1\t50 root\t 10\n* note\nalice 60 grp1 -3 extra\nbad 1 root\nworse x root 1\n  bob 61 grp1 4294967297\n")
	want := []model.ResourceGroup{
		{Line: 2, Name: "grp1", Group: 50, Parent: "root", Shares: 10},
		{Line: 4, Name: "alice", Group: 60, Parent: "grp1", Shares: -3},
		{Line: 7, Name: "bob", Group: 61, Parent: "grp1", Shares: 1},
	}
	if diff := cmp.Diff(want, s.PBS.Fairshare.Groups); diff != "" {
		t.Error(diff)
	}
	if len(s.Unknown) != 2 || s.Unknown[0].Line != 5 || s.Unknown[1].Line != 6 {
		t.Errorf("%+v", s.Unknown)
	}
}

// usageFile makes a usage file of version 2.
func usageFile(order binary.ByteOrder, lastDecay int64, records map[string]float64) string {
	b := make([]byte, 32)
	copy(b, usageMagic)
	order.PutUint64(b[16:], math.Float64bits(2))
	order.PutUint64(b[24:], uint64(lastDecay))
	for _, name := range slices.Sorted(mapKeys(records)) {
		r := make([]byte, usageRecord)
		copy(r, name)
		order.PutUint64(r[56:], math.Float64bits(records[name]))
		b = append(b, r...)
	}
	return string(b)
}

func mapKeys(m map[string]float64) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestUsageFilesOfEveryKind(t *testing.T) {
	old := make([]byte, 24)
	copy(old, "eve")
	binary.LittleEndian.PutUint64(old[16:], math.Float64bits(12.5))
	records := map[string]float64{"alice": 100.25, "b o:b.1-x_": 3}
	list := []model.EntityUsage{{Name: "alice", Usage: 100.25}, {Name: "b o:b.1-x_", Usage: 3}}
	for name, c := range map[string]struct {
		text string
		want model.FairshareUsage
	}{
		"version 2": {usageFile(binary.LittleEndian, 1795251213, records),
			model.FairshareUsage{Version: 2, LastDecay: time.Unix(1795251213, 0).UTC(), Records: list}},
		"of a machine the other way": {usageFile(binary.BigEndian, 1795251213, records),
			model.FairshareUsage{Version: 2, LastDecay: time.Unix(1795251213, 0).UTC(), Records: list}},
		"never decayed": {usageFile(binary.LittleEndian, 0, nil), model.FairshareUsage{Version: 2}},
		"version 1": {string(old),
			model.FairshareUsage{Version: 1, Records: []model.EntityUsage{{Name: "eve", Usage: 12.5}}}},
	} {
		if diff := cmp.Diff(c.want, readOne(t, "usage", c.text).PBS.Fairshare.Usage, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	bad := readOne(t, "usage", usageFile(binary.LittleEndian, 0,
		map[string]float64{"a/b": 1, "neg": -1, "nan": math.NaN(), "ok": 2, strings.Repeat("x", 50): 3}))
	if r := bad.PBS.Fairshare.Usage.Records; len(r) != 1 || r[0].Name != "ok" || len(bad.Unknown) != 4 {
		t.Errorf("%+v %+v", r, bad.Unknown)
	}
	for name, text := range map[string]string{
		"a header cut off":     usageFile(binary.LittleEndian, 0, nil)[:20],
		"a record cut off":     usageFile(binary.LittleEndian, 0, records)[:100],
		"a decay before 2000":  usageFile(binary.LittleEndian, 5, nil),
		"a version of its own": strings.Replace(usageFile(binary.LittleEndian, 0, nil), "\x00\x40", "\x10\x40", 1),
	} {
		if _, err := Read(bundleOf(map[string]string{"usage": text}), Options{}); err == nil ||
			!strings.HasPrefix(err.Error(), "usage: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHolidays(t *testing.T) {
	clock := func(h, m int) model.DayStart {
		return model.DayStart{At: time.Duration(h)*time.Hour + time.Duration(m)*time.Minute}
	}
	all, none := model.DayStart{All: true}, model.DayStart{None: true}
	s := readOne(t, "holidays",
		"HOLIDAYFILE_VERSION1\n* comment\nYEAR 2026\nweekday 0600 1730\nfriday none all\nsaturday all "+
			"all\nsunday none none\n325 Nov 21 Test day\n1\tJan 1\nmonday x 1\n")
	h := s.PBS.Holidays
	want := []model.PrimeDay{{Prime: all}, {Prime: clock(6, 0), NonPrime: clock(17, 30)},
		{Prime: clock(6, 0), NonPrime: clock(17, 30)},
		{Prime: clock(6, 0), NonPrime: clock(17, 30)}, {Prime: clock(6, 0), NonPrime: clock(17, 30)},
		{Prime: none, NonPrime: all}, {Prime: all}}
	if diff := cmp.Diff(want, h.Days); diff != "" || h.Year != 2026 || !slices.Equal(h.Dates, []int{325, 1}) {
		t.Errorf("%+v %s", h, diff)
	}
	if len(s.Unknown) != 1 || s.Unknown[0].Line != 10 {
		t.Errorf("%+v", s.Unknown)
	}
	if h := readOne(t, "holidays", "YEAR 2026\n").PBS.Holidays; len(h.Days) != 7 || !h.Days[0].Prime.All ||
		!h.Days[6].NonPrime.None {
		t.Errorf("days that nothing is said of: %+v", h)
	}
	if h := readOne(t, "holidays", "weekday 0600 1730\n").PBS.Holidays; h.Year != 0 || h.Days != nil {
		t.Errorf("without a year: %+v", h)
	}
}

func TestDedicatedTime(t *testing.T) {
	s := mustRead(t, bundleOf(map[string]string{"MANIFEST": "taken_at 1795251213\nutc_offset +0100\n",
		"dedicated_time": "# from to\n11/21/2026 08:12 11/21/2026 09:52\n1/2/27 0:00 1/3/27 " +
			"24:00\nsoon\n11/21/2026 8 11/21/2026 9\n"}))
	at := func(text string) time.Time {
		m, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return m.UTC()
	}
	want := []model.Period{{Start: at("2026-11-21T08:12:00+01:00"), End: at("2026-11-21T09:52:00+01:00")},
		{Start: at("2027-01-02T00:00:00+01:00"), End: at("2027-01-04T00:00:00+01:00")}}
	if diff := cmp.Diff(want, s.PBS.Dedicated); diff != "" || len(s.Unknown) != 1 || s.Unknown[0].Count != 2 {
		t.Errorf("%s %+v", diff, s.Unknown)
	}
}

func TestAFormulaThatWasUnsetIsNone(t *testing.T) {
	const file = "### PBS INTERNAL FILE DO NOT MODIFY ###\nncpus + 1\n"
	server := func(formula string) string { return "Server: s\n    scheduling = True\n" + formula }
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the file, where nothing else tells": {map[string]string{"sched_formula": file}, "ncpus + 1"},
		"the file, where one is set": {map[string]string{"sched_formula": file,
			"qstat_Bf.txt": server("    job_sort_formula = ncpus + 1\n")}, "ncpus + 1"},
		"none, where none is set":        {map[string]string{"sched_formula": file, "qstat_Bf.txt": server("")}, ""},
		"the attribute without the file": {map[string]string{"qmgr_list_sched.txt": "Sched default\n    job_sort_formula = mem\n"}, "mem"},
		"lines of a long one":            {map[string]string{"sched_formula": "#\na +\nb\n"}, "a +\nb"},
	} {
		if got := mustRead(t, bundleOf(c.files)).PBS.Formula; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestPbsfsOfReleasesWithoutTreeUsage(t *testing.T) {
	s := readOneMore(t, map[string]string{
		"pbsfs_p.txt": "Fairshare usage units are in: cput\nTREEROOT  : Grp: -1     cgrp: 0    Shares: " +
			"-1     Usage: 1201   Perc: 100.000%\n" +
			"a very long name: x: Grp: 11    cgrp: 15   Shares: 40     Usage: 12345678 Perc: 24.000%\n",
		"pbsfs_g_scott.txt": "fairshare entity: scott\nResgroup        : 11\ncresgroup       : " +
			"15\nShares          : 40\nPercentage      : 24.000000%\n" +
			"usage           : 1000 (cput)\nusage/perc      : 4167\nPath from root: \nTREEROOT  :     0 " +
			"      1201 / 1.000 = 1201\nsco:tt    :    15       1000 / 0.240 = 4167\n",
		"pbsfs_g_gone.txt": "Fairshare Entity gone does not exist.\n",
	})
	if n := s.PBS.Fair[1]; n.Name != "a very long name: x" || n.Usage != 12345678 || n.Shares != 40 || n.Percent != 24 {
		t.Errorf("%+v", n)
	}
	e := s.PBS.FairEntities
	if len(e) != 1 || !math.IsNaN(e[0].TreeUsage) || e[0].Usage != 1000 || e[0].Unit != "cput" || e[0].Percentage != 24 ||
		len(e[0].Path) != 2 || e[0].Path[1].Name != "sco:tt" {
		t.Errorf("%+v", e)
	}
}

func readOneMore(t *testing.T, files map[string]string) *model.Snapshot {
	t.Helper()
	return mustRead(t, bundleOf(files))
}

func TestLogLinesTellTheirStory(t *testing.T) {
	log := "11/21/2026 08:00:00.25;0080;pbs_sched;Req;;Starting Scheduling Cycle\n" +
		"11/21/2026 08:00:01;0080;pbs_sched;Job;1.s;Considering job to run\n" +
		"11/21/2026 08:00:01;0040;pbs_sched;Job;1.s;Not enough; of anything\n" +
		"a line of no log\n" +
		"11/21/2026 08:00:01;0400;pbs_sched;Job;1.s;only for debugging\n" +
		"11/21/2026 08:00:01;0080;pbs_sched;Job;1.s;Fairshare usage of entity eve increased due to job " +
		"becoming a top job.\n" +
		"11/21/2026 08:00:02;0080;pbs_sched;Req;;Starting Scheduling Cycle\n" +
		"11/21/2026 08:00:03;0040;pbs_sched;Job;1.s;Job run\n" +
		"11/21/2026 08:00:04;0080;pbs_sched;Req;;Leaving Scheduling Cycle\n" +
		"11/21/2026 08:00:05;0040;pbs_sched;Job;1.s;Job run\n"
	cycles, err := ReadCycles(fstest.MapFS{"log": {Data: []byte(log)}}, "log", time.FixedZone("", 3600))
	if err != nil || len(cycles) != 2 || !cycles[0].End.IsZero() || cycles[0].Start.Format(
		time.RFC3339Nano) != "2026-11-21T07:00:00.25Z" ||
		cycles[1].End.Second() != 4 {
		t.Fatalf("%+v, %v", cycles, err)
	}
	type told struct {
		Kind         model.EventKind
		Object, Text string
	}
	var got []told
	for _, e := range cycles[0].Events {
		got = append(got, told{e.Kind, e.Object, e.Text})
	}
	want := []told{{model.EventConsidered, "1.s", "Considering job to run"},
		{model.EventNotRun, "1.s", "Not enough; of anything"},
		{model.EventTopJobUsage, "eve", "job becoming a top job."}}
	if diff := cmp.Diff(want, got); diff != "" || len(cycles[1].Of(model.EventRun)) != 1 {
		t.Error(diff)
	}
}

func TestAccountingRecords(t *testing.T) {
	text := "11/21/2026 08:00:00;Q;1.s;user=eve account=\"a b, c\" jobname=x=y depend=afterok:1 " +
		"Resource_List.select=1:ncpus=2:os=\"a b\" empty=\n" +
		"11/21/2026 08:00:01;r;1.s;\n11/21/2026 08:00:02;L;license;floating license hour:0 " +
		"day:1\n\n11/21/2026 08:00:03;a;1.s;Priority=100 and more\n"
	list, err := ReadAccounting(fstest.MapFS{"f": {Data: []byte(text)}}, "f", nil)
	if err != nil || len(list) != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	q := list[0]
	if q.Value("account") != "a b, c" || q.Value("jobname") != "x=y" ||
		q.Value("Resource_List.select") != `1:ncpus=2:os="a b"` ||
		q.Value("empty") != "" || q.Value("none") != "" {
		t.Errorf("%+v", q)
	}
	if list[1].Text != "" || list[2].Text != "floating license hour:0 day:1" ||
		list[3].Value("Priority") != "100 and more" {
		t.Errorf("%+v", list[1:])
	}
	for text, want := range map[string]string{"yesterday;Q;1.s;\n\n": "f:1: no accounting record",
		"one\ntwo\n": "f:1: no accounting record",
		"\n":         "<nil>"} {
		if _, err = ReadAccounting(fstest.MapFS{"f": {Data: []byte(text)}}, "f", nil); !strings.HasPrefix(
			fmt.Sprint(err), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestUsersCannotBreakAccountingRecords reads what a real server (OpenPBS 23.06.06) wrote of jobs whose
// users gave them line breaks and quotes: it escapes nothing.
func TestUsersCannotBreakAccountingRecords(t *testing.T) {
	const text = `nq r" jobname=STDIN queue=workq
11/21/2026 22:37:08;Q;8.pbsvm;user=bob group=bob account="ac"ct" project=_pbs_project_default jobname=STDIN queue=workq ctime=1795300628
11/21/2026 22:37:08;Q;9.pbsvm;user=bob group=bob account="a
b" project=_pbs_project_default jobname=STDIN queue=workq ctime=1795300628
11/21/2026 22:37:08;Q;11.pbsvm;user=bob group=bob project=pro'j jobname=STDIN queue=workq ctime=1795300628
11/21/2026 22:40:49;Q;26.pbsvm;user=bob group=bob project=p
q jobname=STDIN queue=workq ctime=1795300849
11/21/2026 22:40:49;Q;28.pbsvm;user=bob group=bob account="a" b" project=_pbs_project_default jobname=STDIN queue=workq ctime=1795300849
11/21/2026 22:40:49;Q;30.pbsvm;user=bob group=bob jobname=STDIN queue=workq ctime=1795300849 Resource_List.software='a"b c' Resource_List.walltime=00:01:00 
11/21/2026 22:40:50;a;7.pbsvm;Account_Name=p
q
`
	s := mustRead(t, fstest.MapFS{"qstat_f.json": {Data: []byte(`{"Jobs":{}}`)}, "accounting.txt": {Data: []byte(text)}})
	var got []string
	for _, r := range s.PBS.Accounting {
		got = append(got, strings.Join([]string{r.Type, r.ID, r.Value("account") + r.Value("project") +
			r.Value("Account_Name"), r.Value("queue"),
			r.Value("Resource_List.software")}, "|"))
	}
	want := []string{`Q|8.pbsvm|ac"ct_pbs_project_default|workq|`, "Q|9.pbsvm|a\nb_pbs_project_default|workq|",
		"Q|11.pbsvm|pro'j|workq|",
		"Q|26.pbsvm|p\nq|workq|", `Q|28.pbsvm|a" b_pbs_project_default|workq|`, `Q|30.pbsvm||workq|a"b c`, "a|7.pbsvm|p\nq||"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r := s.PBS.Repairs; len(r) != 2 || r[0].Line != 1 || r[1].Line != 4 || r[1].Count != 3 {
		t.Errorf("%+v", r)
	}
}
