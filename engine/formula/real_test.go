package formula_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qprism/engine/formula"
	"qprism/fixtures/master"
)

// hostValues are the resources of the real master's hosts; n5 has no b.
var hostValues = map[string]map[string]float64{
	"n1": {"a1": 1, "b1": 9, "c1": 4},
	"n2": {"a1": 5, "b1": 2, "c1": 0},
	"n3": {"a1": 3, "b1": 7, "c1": 8},
	"n4": {"a1": -2, "b1": 4, "c1": 2},
	"n5": {"a1": 4, "c1": 6},
}

var hostNames = []string{"n1", "n2", "n3", "n4", "n5"}

// TestRealMasterPrefersTheSameHost lets a real 8.1.9 scheduler choose between any two hosts by several formulas.
func TestRealMasterPrefersTheSameHost(t *testing.T) {
	m := master.Start(t, master.Options{})
	s := master.Scenario{
		Complexes: []string{"a1 a1 DOUBLE <= YES NO 0 0", "b1 b1 DOUBLE <= YES NO 0 0", "c1 c1 DOUBLE <= YES NO 0 0"},
		Queues:    []master.Object{{"qname": "all.q", "slots": "1000"}},
		SchedConf: master.Object{"max_reservation": "5", "default_duration": "1:0:0", "queue_sort_method": "load"},
	}
	for _, name := range hostNames {
		var values []string
		for resource, v := range hostValues[name] {
			values = append(values, fmt.Sprintf("%s=%g", resource, v))
		}
		s.Hosts = append(s.Hosts, master.Object{"name": master.Value(name), "complex_values": master.Value(strings.Join(values, ","))})
	}
	if err := m.Apply(s); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a1", "-a1", "a1*3-b1", "-b1+c1", "b1", "a1-b1*0.5+c1*2", "3-a1", "a1+1*2", "-c1-a1"} {
		comparePreferences(t, m, text)
	}
}

// comparePreferences submits a job for each two hosts that differ by a formula.
func comparePreferences(t *testing.T, m *master.Master, text string) {
	if err := m.SetSchedConf(master.Object{"load_formula": master.Value(text)}); err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	f := formula.Parse(text)
	load := func(host string) float64 {
		return f.Load(func(name string) (float64, bool) {
			v, ok := hostValues[host][name]
			return v, ok
		})
	}
	want := map[string]string{}
	for i, one := range hostNames {
		for _, other := range hostNames[:i] {
			first := one
			switch a, b := load(one), load(other); {
			case a == b:
				continue
			case b < a:
				first = other
			}
			number, err := m.Submit(master.Job{Resources: "hostname=" + one + "|" + other})
			if err != nil {
				t.Fatal(err)
			}
			want[fmt.Sprint(number)] = first
		}
	}
	if _, err := m.Trigger(); err != nil {
		t.Fatal(err)
	}
	started := startedOn(t, m)
	for job, host := range want {
		if started[job] != host {
			t.Errorf("%s: job %s is on %s, want %s: loads are n1 %v, n2 %v, n3 %v, n4 %v, n5 %v", text, job, started[job], host,
				load("n1"), load("n2"), load("n3"), load("n4"), load("n5"))
		}
	}
}

// startedOn are the hosts of the jobs that the scheduler started, from its schedule file.
func startedOn(t *testing.T, m *master.Master) map[string]string {
	text, err := os.ReadFile(filepath.Join(m.Root, "default/common/schedule"))
	if err != nil {
		t.Fatal(err)
	}
	hosts := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(line, ":"); len(f) == 9 && f[2] == "STARTING" && f[5] == "Q" {
			_, hosts[f[0]], _ = strings.Cut(f[6], "@")
		}
	}
	return hosts
}
