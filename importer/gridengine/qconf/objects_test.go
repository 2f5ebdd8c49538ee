package qconf

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestEveryLineOfAnObjectIsRead: the objects of testdata/config/odd are what odd.golden.json says.
func TestEveryLineOfAnObjectIsRead(t *testing.T) {
	const golden = "testdata/config/odd.golden.json"
	s := readFolder(t, "odd")
	got, err := json.MarshalIndent(map[string]any{"users": s.Users, "projects": s.Projects,
		"usersets": s.Usersets, "hosts": s.Hosts,
		"host groups": s.HostGroups, "environments": s.PEs, "checkpoints": s.Checkpoints, "configuration": s.Config}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, got %s", err, got)
	}
}

func TestUsersetsAreListsDepartmentsOrBoth(t *testing.T) {
	s := mustRead(t, readUsersets, "usersets.txt", `name    defaultdepartment
type    DEPT
fshare  0
oticket 0
entries NONE

name    both
type    ACL DEPT
fshare  10
oticket 300
entries usr1,@staff, \
        usr2
`)
	expect.Same(t, "usersets", s.Usersets, []model.Userset{
		{Name: "defaultdepartment", Department: true},
		{Name: "both", ACL: true, Department: true, FunctionalShares: 10, OverrideTickets: 300,
			Entries: []string{"usr1", "@staff", "usr2"}},
	})
}

func TestAUsersDeleteTimeMayBeInMicroseconds(t *testing.T) {
	s := readFolder(t, "ocs")
	expect.Same(t, "users", s.Users, []model.User{{Name: "root", DeleteTime: time.UnixMicro(1795337078993164).UTC()}})
}

func TestWhatNewerReleasesSayOfParallelEnvironmentsIsKept(t *testing.T) {
	s := readFolder(t, "ocs")
	for _, key := range []string{"ign_sreq_on_mhost", "master_forks_slaves", "daemon_forks_slaves"} {
		if value, _ := model.Text(s.PEs[0].Settings, key); value != "FALSE" {
			t.Errorf("%s is %q", key, value)
		}
	}
}

func TestAHostsReportedLoadIsKept(t *testing.T) {
	h := mustRead(t, readHosts, "hosts.txt", `hostname              h
complex_values        gpu=2(a b),mem=8G
load_values           arch=lx-amd64,num_proc=2, \
                      mem_free=23209.179688M
processors            2
`).Hosts[0]
	expect.Same(t, "load_values", h.LoadReport, []model.Setting{{Name: "arch", Value: "lx-amd64"},
		{Name: "num_proc", Value: "2"},
		{Name: "mem_free", Value: "23209.179688M"}})
	expect.Same(t, "capacity", h.Capacity, []model.Setting{{Name: "gpu", Value: "2(a b)"}, {Name: "mem", Value: "8G"}})
	expect.Same(t, "processors", h.Processors, 2)
}
