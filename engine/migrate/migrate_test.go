package migrate

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// cluster is a small cluster: two queues on three hosts.
func cluster() *model.Snapshot {
	s := &model.Snapshot{Policy: model.Policy{Hierarchy: "OFS", QueueSort: "seqno", ScheduleInterval: time.Minute}}
	s.Resources = []model.Resource{
		{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeYes},
		{Name: "h_rt", Shortcut: "h_rt", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestYes},
		{Name: "lic", Shortcut: "l", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeYes},
		{Name: "big", Shortcut: "b", Type: model.TypeBool, Relop: model.Equal, Requestable: model.RequestForced},
		{Name: "once", Shortcut: "o", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeJob},
	}
	s.Hosts = []model.Host{{Name: "global", Capacity: []model.Setting{{Name: "lic", Value: "7"}}},
		{Name: "n1"}, {Name: "n2"}, {Name: "n3"}}
	s.Queues = []model.Queue{{Name: "all.q"}, {Name: "short.q"}}
	for _, h := range []string{"n1", "n2", "n3"} {
		s.Instances = append(s.Instances, model.QueueInstance{Name: "all.q@" + h, Queue: "all.q", Host: h, Slots: 4})
		if h != "n3" {
			s.Instances = append(s.Instances, model.QueueInstance{Name: "short.q@" + h, Queue: "short.q", Host: h, Slots: 2})
		}
	}
	return s
}

func translate(s *model.Snapshot, lines ...model.Line) *Translation {
	return Translate([]*model.Snapshot{s}, lines)
}

// limits are the limits of the server, and of queues behind their names.
func limits(t *Translation) (list []string) {
	for _, l := range t.To.PBS.Server.Limits {
		list = append(list, limitName(l)+" "+limitItem(l))
	}
	for _, q := range t.To.Queues {
		for _, l := range q.PBS.Limits {
			list = append(list, q.Name+": "+limitName(l)+" "+limitItem(l))
		}
	}
	return list
}

func TestQuotaRulesBecomeLimits(t *testing.T) {
	each := func(names ...string) model.QuotaFilter {
		return model.QuotaFilter{Set: true, Each: true, Include: names}
	}
	all := func(names ...string) model.QuotaFilter { return model.QuotaFilter{Set: true, Include: names} }
	slots := func(n string) []model.Setting { return []model.Setting{{Name: "slots", Value: n}} }
	for name, c := range map[string]struct {
		rules  []model.QuotaRule
		want   []string
		hooked int     // rules that the hook counts
		worst  Verdict // of the set
	}{
		"a limit for all": {[]model.QuotaRule{{Limits: slots("9")}}, []string{"max_run_res.ncpus [o:PBS_ALL=9]"}, 0, Exact},
		"a limit for each user": {[]model.QuotaRule{{Users: each("*"), Limits: slots("3")}},
			[]string{"max_run_res.ncpus [u:PBS_GENERIC=3]"}, 0, Exact},
		"of single users": {[]model.QuotaRule{{Users: each("ann", "bob"), Limits: slots("3")}},
			[]string{"max_run_res.ncpus [u:ann=3]", "max_run_res.ncpus [u:bob=3]"}, 0, Exact},
		"of projects": {[]model.QuotaRule{{Projects: each("*"), Limits: slots("3")}},
			[]string{"max_run_res.ncpus [p:PBS_GENERIC=3]"}, 0, Exact},
		"by the shortcut of a name": {[]model.QuotaRule{{Limits: []model.Setting{{Name: "l", Value: "2"}}}},
			[]string{"max_run_res.lic [o:PBS_ALL=2]"}, 0, Exact},
		"a queue's own": {[]model.QuotaRule{{Queues: all("short.q"), Limits: slots("3")}},
			[]string{"short_q: max_run_res.ncpus [o:PBS_ALL=3]"}, 0, Approximate},
		"each user in each queue": {[]model.QuotaRule{{Users: each("*"), Queues: each("*"), Limits: slots("1")}},
			[]string{"all_q: max_run_res.ncpus [u:PBS_GENERIC=1]",
				"short_q: max_run_res.ncpus [u:PBS_GENERIC=1]"}, 0, Approximate},
		"one user first, then others": {[]model.QuotaRule{{Users: each("ann"), Limits: slots("9")},
			{Users: each("*"), Limits: slots("2")}},
			[]string{"max_run_res.ncpus [u:ann=9]", "max_run_res.ncpus [u:PBS_GENERIC=2]"}, 0, Exact},
		"users together are counted by a hook": {[]model.QuotaRule{{Users: all("ann", "bob"), Limits: slots("3")}},
			[]string{"max_run_res.quota_set_1_ncpus [o:PBS_ALL=3]"}, 1, Exact},
		"the first rule that fits needs a hook": {[]model.QuotaRule{{Users: each("*"), Limits: slots("2")},
			{Users: each("ann"), Limits: slots("9")}},
			[]string{"max_run_res.quota_set_1_ncpus [u:PBS_GENERIC=2]",
				"max_run_res.quota_set_2_ncpus [u:PBS_GENERIC=9]"}, 2, Exact},
		"users of a queue before the queue": {[]model.QuotaRule{{Users: each("ann"), Queues: all("short.q"), Limits: slots("1")},
			{Queues: all("short.q"), Limits: slots("2")}},
			[]string{"max_run_res.quota_set_1_ncpus [u:PBS_GENERIC=1]",
				"max_run_res.quota_set_2_ncpus [o:PBS_ALL=2]"}, 2, Approximate},
		"each host":              {[]model.QuotaRule{{Hosts: each("*"), Limits: slots("3")}}, nil, 0, Exact},
		"hosts together":         {[]model.QuotaRule{{Hosts: all("n1", "n2"), Limits: slots("3")}}, nil, 0, Lost},
		"what each host has":     {[]model.QuotaRule{{Hosts: each("*"), Limits: slots("$num_proc*2")}}, nil, 0, Lost},
		"a parallel environment": {[]model.QuotaRule{{PEs: all("mpi"), Limits: slots("3")}}, nil, 0, Lost},
		"a resource that is nowhere": {[]model.QuotaRule{{Limits: []model.Setting{{Name: "gold", Value: "1"}}}},
			nil, 0, Lost},
		"no number": {[]model.QuotaRule{{Limits: slots("many")}}, nil, 0, Lost},
	} {
		t.Run(name, func(t *testing.T) {
			s := cluster()
			s.Quotas = []model.QuotaSet{{Name: "set", Enabled: true, Rules: c.rules}}
			var lines []model.Line
			for i := range c.rules {
				lines = append(lines, model.Line{File: "rqs.txt", Number: i + 1, Count: 1,
					Kind: "rqs", Object: "set", Key: "limit", Index: i})
			}
			x := translate(s, lines...)
			if got := limits(x); !slices.Equal(got, c.want) {
				t.Errorf("limits %q, want %q", got, c.want)
			}
			hooked := 0
			for _, q := range x.Submit.Quotas {
				hooked += len(q.Rules)
			}
			worst := NoEffect
			for _, e := range x.Ledger {
				if e.Verdict.severity() > worst.severity() {
					worst = e.Verdict
				}
			}
			if hooked != c.hooked || worst != c.worst {
				t.Errorf("%d rules hooked, verdict %s; want %d, %s: %+v", hooked, worst, c.hooked, c.worst, x.Ledger)
			}
		})
	}
}

func TestASetThatIsOffLimitsNothing(t *testing.T) {
	s := cluster()
	s.Quotas = []model.QuotaSet{{Name: "set",
		Rules: []model.QuotaRule{{Limits: []model.Setting{{Name: "slots", Value: "1"}}}}}}
	if got := limits(translate(s)); got != nil {
		t.Errorf("%q", got)
	}
}

// nodeText is what a node has.
func nodeText(t *Translation, name string) string {
	var list []string
	for _, c := range t.nodeNamed(name).Capacity {
		list = append(list, c.Name+"="+c.Value)
	}
	return strings.Join(list, " ")
}

func TestNodesHaveTheSlotsOfTheirQueues(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*model.Snapshot)
		n1, n3 string
	}{
		"of all queues together": {func(*model.Snapshot) {}, "ncpus=6 qlist=all_q,short_q slots_all_q=4 slots_short_q=2",
			"ncpus=4 qlist=all_q slots_all_q=4"},
		"but no more than the host has": {func(s *model.Snapshot) {
			s.Hosts[1].Capacity = []model.Setting{{Name: "slots", Value: "3"}}
		},
			"ncpus=3 qlist=all_q,short_q slots_all_q=4 slots_short_q=2", "ncpus=4 qlist=all_q slots_all_q=4"},
		"queues that suspend each other share them": {func(s *model.Snapshot) {
			for i := range s.Instances {
				if s.Instances[i].Queue == "short.q" {
					s.Instances[i].Subordinates = []model.Subordinate{{Queue: "all.q"}}
				}
			}
		}, "ncpus=4 qlist=all_q,short_q slots_short_q=2", "ncpus=4 qlist=all_q"},
		"what queues have is their hosts'": {func(s *model.Snapshot) {
			s.Instances[0].Capacity = []model.Setting{{Name: "once", Value: "2"}}
			s.Instances[1].Capacity = []model.Setting{{Name: "once", Value: "3"}}
		}, "ncpus=6 once=5 qlist=all_q,short_q slots_all_q=4 slots_short_q=2", "ncpus=4 qlist=all_q slots_all_q=4"},
		"a host's own amount is the bound": {func(s *model.Snapshot) {
			s.Hosts[1].Capacity = []model.Setting{{Name: "once", Value: "1"}}
			s.Instances[0].Capacity = []model.Setting{{Name: "once", Value: "2"}}
		}, "ncpus=6 once=1 qlist=all_q,short_q slots_all_q=4 slots_short_q=2", "ncpus=4 qlist=all_q slots_all_q=4"},
	} {
		t.Run(name, func(t *testing.T) {
			s := cluster()
			c.change(s)
			x := translate(s)
			if got := nodeText(x, "n1"); got != c.n1 {
				t.Errorf("n1 %q, want %q", got, c.n1)
			}
			if got := nodeText(x, "n3"); got != c.n3 {
				t.Errorf("n3 %q, want %q", got, c.n3)
			}
		})
	}
}

func TestResourcesGetTypesAndFlags(t *testing.T) {
	s := cluster()
	s.Hosts[1].Capacity = []model.Setting{{Name: "big", Value: "TRUE"}, {Name: "once", Value: "2"}}
	x := translate(s)
	got := map[string]string{}
	for _, r := range x.To.Resources {
		got[r.Name] = string(r.Type) + " " + r.Flags
	}
	for name, want := range map[string]string{"lic": "long q", "once": "long hf", "big": "boolean h",
		"qlist": "string_array h"} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if v, _ := model.Text(x.To.PBS.Server.Attributes, "default_chunk.big"); v != "False" {
		t.Errorf("a job that does not ask for what is forced: %q", v)
	}
	if v, _ := model.Text(x.To.PBS.Server.Available, "lic"); v != "7" {
		t.Errorf("lic of the server: %q", v)
	}
}

func TestWhatOneQueueHasChoosesIt(t *testing.T) {
	s := cluster()
	for i := range s.Instances {
		if s.Instances[i].Queue == "short.q" {
			s.Instances[i].Capacity = []model.Setting{{Name: "big", Value: "TRUE"}}
		}
	}
	s.Queues[1].Attributes = []model.QueueAttribute{{Name: "complex_values", Default: "big=TRUE"}}
	x := translate(s)
	if want := []model.PBSChoice{{Resource: "big", Queue: "short_q", Forced: true}}; !slices.Equal(
		x.Submit.Choices, want) {
		t.Fatalf("%+v", x.Submit.Choices)
	}
	s.Jobs = []model.Job{{Number: 1, Owner: "ann", Hard: []model.Request{{Resource: "b", Value: "1"}},
		Tasks: []model.Task{{State: "qw"}}}}
	j := x.Jobs(s, time.Time{}).Jobs[0]
	if j.PBS.Queue != "short_q" || j.PBS.Select != "1:ncpus=1:slots_short_q=1:qlist=short_q" {
		t.Errorf("%s %s", j.PBS.Queue, j.PBS.Select)
	}
}

func TestJobsAskForWhatTheyAskedFor(t *testing.T) {
	s := cluster()
	s.PEs = []model.PE{{Name: "smp", Slots: 99, AllocationRule: "$pe_slots"},
		{Name: "two", Slots: 99, AllocationRule: "2"},
		{Name: "rr", Slots: 3, AllocationRule: "$round_robin"}}
	s.Hosts[1].Capacity = []model.Setting{{Name: "once", Value: "9"}}
	x := translate(s)
	four := []model.Range{{Min: 4, Max: 8, Step: 1}}
	for name, c := range map[string]struct {
		job                   model.Job
		selects, place, whole string
	}{
		"one slot":    {model.Job{}, "1:ncpus=1", "free", "ncpus=1 nodect=1"},
		"on one host": {model.Job{PE: "smp", PERange: four}, "1:ncpus=4", "free", "ncpus=4 nodect=1"},
		"two on each": {model.Job{PE: "two", PERange: four}, "2:ncpus=2", "scatter", "ncpus=4 nodect=2"},
		"spread, and counted": {model.Job{PE: "rr", PERange: []model.Range{{Min: 3, Max: 3}}}, "3:ncpus=1", "scatter",
			"pe_rr=3 ncpus=3 nodect=3"},
		"each slot a licence": {model.Job{PE: "smp", PERange: four,
			Hard: []model.Request{{Resource: "lic", Value: "2"}}}, "1:ncpus=4", "free",
			"lic=8 ncpus=4 nodect=1"},
		"once for the job": {model.Job{PE: "two", PERange: four,
			Hard: []model.Request{{Resource: "once", Value: "2"}, {Resource: "h_rt", Value: "90"}}},
			"1:ncpus=2:once=2+1:ncpus=2", "scatter", "once=2 walltime=00:01:30 ncpus=4 nodect=2"},
		"a queue": {model.Job{HardQueues: []string{"sho*"}}, "1:ncpus=1:slots_short_q=1:qlist=short_q",
			"free", "ncpus=1 nodect=1"},
	} {
		t.Run(name, func(t *testing.T) {
			own := *s
			c.job.Number, c.job.Owner, c.job.Tasks = 1, "ann", []model.Task{{State: "qw"}}
			own.Jobs = []model.Job{c.job}
			j := x.Jobs(&own, time.Time{}).Jobs[0]
			var whole []string
			for _, r := range j.Hard {
				whole = append(whole, r.Resource+"="+r.Value)
			}
			if j.PBS.Select != c.selects || j.PBS.Place != c.place || strings.Join(whole, " ") != c.whole {
				t.Errorf("select %s, place %s, %q", j.PBS.Select, j.PBS.Place, whole)
			}
		})
	}
}

func TestCalendarsBecomeCronLines(t *testing.T) {
	s := cluster()
	const hour = time.Hour
	s.Calendars = []model.Calendar{{Name: "night",
		Week: []model.WeekEntry{{Days: []model.WeekdayRange{{From: time.Monday, To: time.Friday}},
			Times: []model.Daytime{{From: 6 * hour, To: 20*hour + 30*time.Minute}}, State: "off"}}}}
	for i := range s.Instances {
		if s.Instances[i].Queue == "short.q" {
			s.Instances[i].Calendar = "night"
		}
	}
	var got []string
	for _, step := range translate(s).Steps {
		if step.Cron != "" {
			got = append(got, step.Cron+" "+step.Command)
		}
	}
	want := []string{`0 6 * * 1-5 qmgr -c "set queue short_q started=False"`,
		`30 20 * * 1-5 qmgr -c "set queue short_q started=True"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAccessListsLetInTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		allow, deny   []string
		users, groups []string
	}{
		"users alone":             {[]string{"ann", "bob"}, nil, []string{"ann", "bob"}, nil},
		"all but some":            {nil, []string{"eve"}, []string{"-eve", "+"}, nil},
		"some, but one of them":   {[]string{"ann", "eve"}, []string{"eve"}, []string{"-eve", "ann"}, nil},
		"groups alone":            {[]string{"@staff"}, nil, nil, []string{"staff"}},
		"an empty list lets none": {[]string{}, nil, []string{"-"}, nil},
	} {
		s := cluster()
		s.Queues[0].Attributes = []model.QueueAttribute{{Name: "user_lists", Default: "NONE"},
			{Name: "xuser_lists", Default: "NONE"}}
		if c.allow != nil {
			s.Queues[0].Attributes[0].Default = "in"
			s.Usersets = append(s.Usersets, model.Userset{Name: "in", ACL: true, Entries: c.allow})
		}
		if c.deny != nil {
			s.Queues[0].Attributes[1].Default = "out"
			s.Usersets = append(s.Usersets, model.Userset{Name: "out", ACL: true, Entries: c.deny})
		}
		q := translate(s).queueNamed("all_q")
		for attribute, want := range map[string][]string{"acl_users": c.users, "acl_groups": c.groups} {
			i := slices.IndexFunc(q.Attributes, func(a model.QueueAttribute) bool { return a.Name == attribute })
			got := ""
			if i >= 0 {
				got = q.Attributes[i].Default
			}
			if got != strings.Join(want, ",") {
				t.Errorf("%s: %s %q, want %q", name, attribute, got, want)
			}
		}
	}
}

// Who is in a department matters where its shares or tickets order jobs; a formula says what becomes of it.
func TestMembersOfADepartmentCountWhereItsSharesDo(t *testing.T) {
	s := cluster()
	s.Policy = model.Policy{WeightTicket: 1, FunctionalTickets: 100, WeightDepartment: 1}
	var lines []model.Line
	for _, u := range []model.Userset{{Name: "chem", FunctionalShares: 5, Entries: []string{"ann"}},
		{Name: "phys", OverrideTickets: 5, Entries: []string{"@phys"}}, {Name: "maths", Entries: []string{"bob"}}} {
		u.Department = true
		s.Usersets = append(s.Usersets, u)
		lines = append(lines, model.Line{File: "usersets/" + u.Name + ".txt", Number: 5, Count: 1,
			Kind: "userset", Object: u.Name,
			Key: "entries", Value: u.Entries[0]})
	}
	x := translate(s, lines...)
	verdicts := func() (list []Verdict) {
		for _, e := range x.Ledger {
			list = append(list, e.Verdict)
		}
		return list
	}
	if got, want := verdicts(), []Verdict{Lost, NoEffect, Lost}; !slices.Equal(got, want) { // by file: chem, maths, phys
		t.Errorf("without a formula: %v, want %v", got, want)
	}
	x.Use(Formula{Text: "a", Says: []Says{{Kind: "userset", Object: "*", Key: Members, Verdict: Exact},
		{Kind: "userset", Object: "*", Key: GroupMembers, Verdict: Approximate}}})
	if got, want := verdicts(), []Verdict{Exact, NoEffect, Approximate}; !slices.Equal(got, want) {
		t.Errorf("with a formula: %v, want %v", got, want)
	}
}

// What orders no jobs is no loss, and no formula has to stand for it.
func TestWhatOrdersNothingIsNotLost(t *testing.T) {
	line := func(key string) model.Line {
		return model.Line{File: "sched_conf.txt", Number: 1, Count: 1, Kind: "sched_conf", Key: key, Value: "1"}
	}
	entry := model.Line{File: "complex.txt", Number: 1, Count: 1, Kind: "complex", Object: "slots", Key: model.LineEntry}
	for name, c := range map[string]struct {
		change func(s *model.Snapshot)
		line   model.Line
		want   Verdict
	}{
		"tickets that nobody has": {func(s *model.Snapshot) {
			s.Policy.WeightTicket, s.Policy.FunctionalTickets = 1, 100
		}, line("weight_ticket"),
			NoEffect},
		"tickets of a user": {func(s *model.Snapshot) {
			s.Policy.WeightTicket = 1
			s.Users = []model.User{{Name: "ann", OverrideTickets: 1}}
		}, line("weight_ticket"), Lost},
		"a hierarchy of tickets that nobody has": {func(s *model.Snapshot) {
			s.Policy.WeightTicket, s.Policy.Hierarchy = 1, "OFS"
		},
			line("policy_hierarchy"), NoEffect},
		"urgency that nothing has": {func(s *model.Snapshot) {
			s.Policy.WeightUrgency = 1
		}, line("weight_urgency"), NoEffect},
		"urgency of waiting": {func(s *model.Snapshot) { s.Policy.WeightUrgency, s.Policy.WeightWaitingTime = 1, 1 },
			line("weight_urgency"), Lost},
		"the urgency of an entry": {func(s *model.Snapshot) {
			s.Policy.WeightUrgency, s.Resources = 1,
				append(s.Resources, model.Resource{Name: "slots", Type: model.TypeInt, Urgency: "1000"})
		}, entry, Lost},
		"the urgency of an entry where urgency has no weight": {func(s *model.Snapshot) {
			s.Resources = append(s.Resources, model.Resource{Name: "slots", Type: model.TypeInt, Urgency: "1000"})
		}, entry, Exact},
	} {
		s := cluster()
		c.change(s)
		if got := translate(s, c.line).Ledger[0]; got.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Verdict, got.Note, c.want)
		}
	}
}

// Jobs that name no queue must not get onto nodes that Grid Engine keeps for some: those have no queue for everybody.
func TestNodesOfClosedQueuesAreNotForEverybody(t *testing.T) {
	for name, c := range map[string]struct {
		change func(i *model.QueueInstance)
		want   string // qlist of n3, which has short.q alone
	}{
		"open to all":  {func(*model.QueueInstance) {}, "short_q"},
		"for users":    {func(i *model.QueueInstance) { i.ACL = []string{"dep"} }, "short_q"},
		"for projects": {func(i *model.QueueInstance) { i.Projects = []string{"p"} }, "short_q"},
		"to ask for": {func(i *model.QueueInstance) {
			i.Capacity = []model.Setting{{Name: "big", Value: "TRUE"}}
		}, "short_q"},
		"not for users": {func(i *model.QueueInstance) { i.XACL = []string{"dep"} }, "short_q"},
	} {
		s := cluster()
		s.Instances = slices.DeleteFunc(s.Instances, func(i model.QueueInstance) bool { return i.Name == "all.q@n3" })
		s.Instances = append(s.Instances, model.QueueInstance{Name: "short.q@n3", Queue: "short.q", Host: "n3", Slots: 2})
		for k := range s.Instances {
			if s.Instances[k].Queue == "short.q" {
				c.change(&s.Instances[k])
			}
		}
		x := translate(s)
		closed := name == "for users" || name == "for projects" || name == "to ask for"
		chunk, _ := attributeOf(x.queueNamed("anyq"), "default_chunk.qlist")
		n1, _ := model.Text(x.nodeNamed("n1").Capacity, "qlist")
		n3, _ := model.Text(x.nodeNamed("n3").Capacity, "qlist")
		if closed != (chunk.Default == "anyq") || closed != (n1 == "all_q,short_q,anyq") || n3 != c.want {
			t.Errorf("%s: anyq asks for %q, n1 has %q, n3 %q", name, chunk.Default, n1, n3)
		}
		s.Jobs = []model.Job{{Number: 1, Owner: "ann", Tasks: []model.Task{{State: "qw"}}}}
		if j := x.Jobs(s, time.Time{}).Jobs[0]; closed != strings.Contains(j.PBS.Select, "qlist=anyq") {
			t.Errorf("%s: a job asks for %s", name, j.PBS.Select)
		}
	}
}

func TestWhomEveryQueueKeepsOutNoQueueLetsIn(t *testing.T) {
	s := cluster()
	s.Usersets = []model.Userset{{Name: "bad", ACL: true, Entries: []string{"eve", "mal"}},
		{Name: "worse", ACL: true, Entries: []string{"eve"}}}
	s.Queues[0].Attributes = []model.QueueAttribute{{Name: "xuser_lists", Default: "bad"}}
	s.Queues[1].Attributes = []model.QueueAttribute{{Name: "xuser_lists", Default: "worse"}}
	if a, _ := attributeOf(translate(s).queueNamed("anyq"), "acl_users"); a.Default != "-eve,+" {
		t.Errorf("acl_users %q", a.Default)
	}
}

func TestAmountsInTheWordsOfPBS(t *testing.T) {
	for _, c := range []struct {
		kind        model.ResourceType
		value, want string
	}{
		{model.TypePBSSize, "34G", "34gb"}, {model.TypePBSSize, "1.5G", "1536mb"}, {model.TypePBSSize, "100", "100b"},
		{model.TypePBSSize, "2k", "2000b"}, {model.TypePBSSize, "INFINITY", ""},
		{model.TypePBSTime, "90", "00:01:30"}, {model.TypePBSTime, "30:0:0", "30:00:00"}, {model.TypePBSBoolean, "1", "True"},
		{model.TypePBSBoolean, "FALSE", "False"},
		{model.TypePBSLong, "3.5", ""}, {model.TypePBSLong, "INFINITY", ""}, {model.TypePBSLong, "1k", "1000"},
		{model.TypePBSFloat, "0.25", "0.25"}, {model.TypePBSString, "lx", "lx"}, {model.TypePBSLong, "x", ""},
	} {
		got, ok := amount(c.kind, c.value)
		if !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.value, got, c.want)
		}
	}
}

func TestALineThatNothingHandlesIsLoud(t *testing.T) {
	x := translate(cluster(), model.Line{File: "queues/all.q.txt", Number: 3, Count: 1, Kind: "queue",
		Object: "all.q", Key: "warp_speed",
		Value: "9"},
		model.Line{File: "sched_conf.txt", Number: 1, Count: 1, Kind: "sched_conf", Key: "algorithm", Value: "default"})
	if !x.NeedsAttention() || x.Ledger[0].Verdict != NoRule || x.Ledger[1].Verdict != NoEffect {
		t.Errorf("%+v", x.Ledger)
	}
}

func TestQuotasFindHostsAsGridEngineDoes(t *testing.T) {
	for name, pattern := range map[string]string{
		"a wildcard": "n[12]", "a group of groups, ten deep": "@g9", "a wildcard of groups": "@G8*",
	} {
		t.Run(name, func(t *testing.T) {
			s := cluster()
			s.HostGroups = []model.HostGroup{{Name: "@g0", Members: []string{"N1", "n2", "@g9"}}} // round in a circle
			for i := range 9 {
				members := []string{"@g" + strconv.Itoa(i)}
				s.HostGroups = append(s.HostGroups, model.HostGroup{Name: "@g" + strconv.Itoa(i+1), Members: members})
			}
			s.Quotas = []model.QuotaSet{{Name: "set", Enabled: true, Rules: []model.QuotaRule{{
				Hosts:  model.QuotaFilter{Set: true, Each: true, Include: []string{pattern}},
				Limits: []model.Setting{{Name: "slots", Value: "3"}}}}}}
			x := translate(s)
			for node, want := range map[string]string{"n1": "3", "n2": "3", "n3": "4"} {
				if got := x.nodeNamed(node).Capacity[0].Value; got != want {
					t.Errorf("%s has %s slots, want %s", node, got, want)
				}
			}
		})
	}
}

// TestSharesAreThoseOfTheirNode: a leaf default stands for nobody who has a node of his own, wherever it is.
func TestSharesAreThoseOfTheirNode(t *testing.T) {
	s := cluster()
	s.Policy.ShareTreeTickets, s.Policy.WeightTicket = 1000, 1
	s.ShareTree = &model.ShareNode{Name: "Root", Children: []*model.ShareNode{
		{Name: "default", Shares: 10}, {Name: "ann", Shares: 90}}}
	s.Jobs = []model.Job{{Number: 1, Owner: "ann"}, {Number: 2, Owner: "bob"}}
	x := translate(s, model.Line{File: "t", Number: 1, Kind: "share_tree", Object: "/ann", Key: "shares"},
		model.Line{File: "t", Number: 2, Kind: "share_tree", Object: "/default", Key: "shares"})
	for _, g := range x.To.PBS.Fairshare.Groups {
		if want := map[string]int32{"ann": 90, "bob": 10}[g.Name]; g.Shares != want {
			t.Errorf("%s has %d shares, want %d", g.Name, g.Shares, want)
		}
	}
	for i, want := range []string{"resource_group: ann 11 root 90", "resource_group: bob 12 root 10"} {
		if got := x.Ledger[i].Into; got != want {
			t.Errorf("line %d became %q, want %q", i+1, got, want)
		}
	}
}
