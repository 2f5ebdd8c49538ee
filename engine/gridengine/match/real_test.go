package match_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

// The cluster of the real master: hosts with a word each, and queues on groups of them.
var (
	realHosts  = []string{"n1", "n2", "g1", "g2"}
	realWords  = map[string]string{"n1": "Alpha-1", "n2": "alpha-2", "g1": "beta", "g2": "[b]"}
	realGroups = []model.HostGroup{
		{Name: "@allhosts", Members: realHosts},
		{Name: "@gpu", Members: []string{"g1", "g2"}},
		{Name: "@mixed", Members: []string{"@gpu", "n1"}},
	}
	realInstances = []string{"all.q@n1", "all.q@n2", "all.q@g1", "all.q@g2", "big.q@g1", "big.q@g2"}
)

// TestRealMasterAgrees asks a real 8.1.9 master what its scheduler and clients make of patterns.
func TestRealMasterAgrees(t *testing.T) {
	m := master.Start(t, master.Options{})
	s := realScenario()
	for i, r := range realRules {
		s.RQS += fmt.Sprintf("{\n name r%02d\n enabled TRUE\n limit %s to slots=1000\n}\n", i, r)
	}
	if err := m.Apply(s); err != nil {
		t.Fatal(err)
	}
	t.Run("on expressions", func(t *testing.T) { realExpressions(t, m) })
	t.Run("on queue lists", func(t *testing.T) { realQueueLists(t, m) })
	t.Run("on quota rules", func(t *testing.T) { realQuotas(t, m) })
}

func realScenario() master.Scenario {
	s := master.Scenario{
		Complexes: []string{"rword rword RESTRING == YES NO NONE 0", "word word STRING == YES NO NONE 0",
			"cword cword CSTRING == YES NO NONE 0"},
		Users:     []master.Object{{"name": "ann"}, {"name": "bob"}, {"name": "eve"}},
		Usersets:  []master.Object{{"name": "dev", "type": "ACL", "entries": "ann"}, {"name": "devops", "type": "ACL", "entries": "bob"}},
		Projects:  []master.Object{{"name": "p1"}, {"name": "p2"}},
		PEs:       []master.Object{{"pe_name": "mpi"}},
		Queues:    []master.Object{{"qname": "all.q", "slots": "50", "pe_list": "mpi"}, {"qname": "big.q", "slots": "50", "hostlist": "@gpu"}},
		SchedConf: master.Object{"max_reservation": "5", "default_duration": "1:0:0"},
	}
	for _, name := range realHosts {
		word := realWords[name]
		values := fmt.Sprintf("rword=%s,word=%s,cword=%s", word, word, word)
		s.Hosts = append(s.Hosts, master.Object{"name": master.Value(name), "complex_values": master.Value(values)})
	}
	for _, g := range realGroups[1:] {
		s.HostGroups = append(s.HostGroups, master.Object{"name": master.Value(g.Name), "hosts": master.Value(strings.Join(g.Members, " "))})
	}
	return s
}

// realExpressions asks qselect for the hosts whose word matches. It compares itself, and so ignores domains if told to.
func realExpressions(t *testing.T, m *master.Master) {
	ignoreDomains(t, m)
	types := map[string]model.ResourceType{
		"rword": model.TypeReString, "word": model.TypeString, "cword": model.TypeCString, "hostname": model.TypeHost,
	}
	patterns := []string{"beta", "BETA", "b*", "B*", "*", "?eta", "alpha-[12]", "[Aa]lpha*", "[^a]*", "!b*",
		"!!b*", "!(b*|n1)", "a*|b*", "a*&*2", "A*&!*2", "(a*|b*)&!*2", "a*|b*&x", "!a*&!b*", "((beta))",
		"beta|", "(beta", "beta)", "()", "!", "[b]", "[[]b[]]", "g[12]", "G1", "n*.some.org", "N?",
		"[[:alpha:]]*[[:digit:]]", `\beta`, "b-*|[", "g1|(", "[!b]*"}
	for _, name := range []string{"rword", "word", "cword", "hostname"} {
		for _, pattern := range patterns {
			out, _ := m.Run("qselect", "-l", name+"="+pattern) // fails where it selects nothing
			for _, host := range realHosts {
				value := realWords[host]
				if name == "hostname" {
					value = host
				}
				want := slices.Contains(strings.Fields(out), "all.q@"+host)
				if got := match.Expression(types[name], pattern, value) == match.Matches; got != want {
					t.Errorf("%s %q of %q: %v, the master says %v", types[name], pattern, value, got, want)
				}
			}
		}
	}
}

// ignoreDomains sets what an installation has by default; of the programs those see it that start after.
func ignoreDomains(t *testing.T, m *master.Master) {
	path := filepath.Join(m.Root, "default/common/bootstrap")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "ignore_fqdn false", "ignore_fqdn true", 1)
	if changed == string(text) {
		t.Fatalf("no ignore_fqdn in\n%s", text)
	}
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
}

// realQueueLists asks the scheduler whether a job with a queue list could run in an instance.
func realQueueLists(t *testing.T, m *master.Master) {
	hosts := match.NewHosts(realGroups)
	for _, list := range []string{"all.q", "big.q", "*.q", "ALL.q", "all.q@g1", "*@g1", "all.q@G1",
		"all.q@g*", "all.q@!g*", "!(b*)@n1", "*@@gpu", "*@@mixed", "*@@m*", "*@@GPU", "*@@gpu|mixed",
		"all.q@n1,big.q@g1", "all.q@@gpu,*@n2", "*@n[12]", "all.q@n1|g1"} {
		l := match.NewQueueList(strings.Split(list, ","), hosts)
		for _, instance := range realInstances {
			queue, host, _ := strings.Cut(instance, "@")
			_, err := m.Run("qsub", "-w", "v", "-b", "y", "-q", list, "-l", "qname="+queue+",hostname="+host, "true")
			if got := l.Instance(queue, host); got != (err == nil) {
				t.Errorf("%q selects %s: %v, the master says %v", list, instance, got, err)
			}
		}
	}
}

// realRules are the filters of rules, one a quota set, with users, projects, parallel environments, queues and hosts.
var realRules = []string{"users ann", "users {a*,bob}", "users {*} queues {*}", "users @dev", "users {@dev*}",
	"users !@dev", "users {*,!ann}", "users {!@devops}", "projects p1", "projects {*}", "projects !*",
	"projects {p*,!p2}", "projects !p1", "pes {*}", "pes !*", "pes m*", "pes !mpi", "queues {*.q}",
	"queues big.q", "queues !big.q", "hosts {*}", "hosts g1", "hosts {G1}", "hosts @gpu", "hosts {@gpu}",
	"hosts {@m*}", "hosts !@gpu", "hosts {@allhosts,!@gpu}", "hosts n*", "hosts !n*", "hosts {!g1}",
	"users {ann} projects {p1} pes {mpi} queues {all.q} hosts {*}", "users ann projects p2",
	"users * hosts @gpu queues all.q"}

// realQuotas starts jobs of all kinds and compares the counters that the scheduler books for each in its schedule file.
func realQuotas(t *testing.T, m *master.Master) {
	quotas := map[int]match.Quota{}
	for _, user := range []string{"ann", "bob", "eve"} {
		for i, instance := range realInstances {
			queue, host, _ := strings.Cut(instance, "@")
			q := match.Quota{User: user, Group: user, Queue: queue, Host: host, Project: []string{"", "p1", "p2"}[i%3]}
			j := master.Job{User: user, Project: q.Project, Queues: instance}
			if i == 1 || i == 3 {
				q.PE, j.PE = "mpi", "mpi 1"
			}
			number, err := m.Submit(j)
			if err != nil {
				t.Fatal(err)
			}
			quotas[number] = q
		}
	}
	if _, err := m.Trigger(); err != nil {
		t.Fatal(err)
	}
	booked := bookedQuotas(t, m)
	for number, q := range quotas {
		if got, want := quotaKeys(q), booked[number]; !slices.Equal(got, want) {
			t.Errorf("%+v: %q, the master books %q", q, got, want)
		}
	}
}

// bookedQuotas are the counters of the jobs that started, as "set key".
func bookedQuotas(t *testing.T, m *master.Master) map[int][]string {
	text, err := os.ReadFile(filepath.Join(m.Root, "default/common/schedule"))
	if err != nil {
		t.Fatal(err)
	}
	booked := map[int][]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(line, ":"); len(f) == 9 && f[2] == "STARTING" && f[5] == "L" {
			job, err := strconv.Atoi(f[0])
			if err != nil {
				t.Fatal(err)
			}
			booked[job] = append(booked[job], f[6]+" "+f[7])
		}
	}
	if len(booked) == 0 {
		t.Fatal("no job started")
	}
	return booked
}

// quotaKeys are the counters that jobs of a kind have by the rules.
func quotaKeys(q match.Quota) (keys []string) {
	lists := match.NewUsersets([]model.Userset{{Name: "dev", Entries: []string{"ann"}}, {Name: "devops", Entries: []string{"bob"}}})
	order := []string{"users", "projects", "pes", "queues", "hosts"}
	for i, text := range realRules {
		var filters [5]string
		words := strings.Fields(text)
		for w := 0; w < len(words); w += 2 {
			filters[slices.Index(order, words[w])] = words[w+1]
		}
		r := rule(filters)
		if q.Matches(&r, match.NewHosts(realGroups), lists) {
			keys = append(keys, fmt.Sprintf("r%02d %s", i, q.Key(&r)))
		}
	}
	return keys
}
