package gridengine

import (
	"testing"

	"qprism/engine/model"
)

func TestEveryLineOfAHostIsRead(t *testing.T) {
	same(t, "hosts", mustRead(t, readHosts, "hosts.txt", readFile(t, "odd/hosts.txt")).Hosts, []model.Host{{
		Name: "node01",
		Capacity: []model.Setting{{Name: "lic", Value: "5"}, {Name: "mem1", Value: "34G"}, {Name: "t1", Value: "3600"},
			{Name: "cs", Value: `"a b"`}, {Name: "rx", Value: "x|y"}, {Name: "excl", Value: "true"}, {Name: "slots", Value: "0x10"}},
		LoadScaling:  []model.Amount{{Name: "load_avg", Value: 2.5}, {Name: "np_load_avg", Value: 0.1}},
		UsageScaling: []model.Amount{{Name: "cpu", Value: 1.5}, {Name: "mem", Value: 0.5}},
		ACL:          []string{"a1", "a2"}, XACL: []string{"both"}, Projects: []string{"p1"}, XProjects: []string{"p2"},
		Reports: []string{"load_avg", "np_load_avg"},
	}})
}

func TestAHostsReportedLoadIsKept(t *testing.T) {
	h := mustRead(t, readHosts, "hosts.txt", `hostname              h
complex_values        gpu=2(a b),mem=8G
load_values           arch=lx-amd64,num_proc=2, \
                      mem_free=23209.179688M
processors            2
`).Hosts[0]
	same(t, "load_values", h.LoadReport, []model.Setting{{Name: "arch", Value: "lx-amd64"}, {Name: "num_proc", Value: "2"},
		{Name: "mem_free", Value: "23209.179688M"}})
	same(t, "capacity", h.Capacity, []model.Setting{{Name: "gpu", Value: "2(a b)"}, {Name: "mem", Value: "8G"}})
	same(t, "processors", h.Processors, 2)
}

func TestHostsThatCannotBeReadAreRefused(t *testing.T) {
	refuses(t, readHosts, "hosts.txt", map[string]struct{ text, want string }{
		"a factor": {"hostname h\ncomplex_values NONE\nload_scaling a=1,b\n",
			`hosts.txt:3: load_scaling: b: "": invalid syntax: "load_scaling a=1,b"`},
		"cut off": {"hostname h\n", `hosts.txt:1: complex_values: missing: "hostname h"`},
	})
}
