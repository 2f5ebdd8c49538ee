package geconf_test

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/migrate/gridengine"
	"qprism/engine/model"
	"qprism/exporter/geconf"
	recorded "qprism/fixtures/pbs"
	ge "qprism/importer/gridengine"
	"qprism/importer/pbs"
)

// TestFilesReadBackToTheSameModel translates all recordings of PBS, and a cluster that has everything; our importer reads what is
// written as what was meant.
func TestFilesReadBackToTheSameModel(t *testing.T) {
	check(t, "everything", everything())
	n := 0
	for name, bundle := range recorded.Bundles() {
		s, err := pbs.Read(bundle, pbs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := gridengine.Translate([]*model.Snapshot{s})
		if err != nil {
			continue
		}
		n++
		check(t, name, tr.To)
	}
	if n < 100 {
		t.Errorf("only %d translations", n)
	}
}

func check(t *testing.T, name string, want *model.Snapshot) {
	t.Helper()
	got := reread(t, want)
	for _, part := range []struct {
		what      string
		got, want any
	}{
		{"policy", rounded(got.Policy), rounded(want.Policy)}, {"share tree", got.ShareTree, want.ShareTree}, {"quotas", plainQuotas(got.Quotas), plainQuotas(want.Quotas)},
		{"users", plainUsers(got.Users), plainUsers(want.Users)}, {"projects", len(got.Projects), len(want.Projects)}, {"complex", plainComplex(got.Resources), plainComplex(want.Resources)},
		{"PEs", plainPEs(got.PEs), plainPEs(want.PEs)},
	} {
		if !reflect.DeepEqual(part.got, part.want) {
			t.Errorf("%s: %s\n got %+v\nwant %+v", name, part.what, part.got, part.want)
		}
	}
	if len(got.Unknown)+len(got.LeftOut) > 0 {
		t.Errorf("%s: %+v %+v", name, got.Unknown, got.LeftOut)
	}
}

// reread lays files out as those of a bundle.
func reread(t *testing.T, s *model.Snapshot) *model.Snapshot {
	t.Helper()
	files, err := geconf.Files(s)
	if err != nil {
		t.Fatal(err)
	}
	bundle := fstest.MapFS{"qstat.xml": {Data: []byte("<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info></job_info></job_info>\n")}}
	for _, f := range files {
		switch f.Name {
		case geconf.Script, "global", "global_host":
		default:
			bundle[f.Name+".txt"] = &fstest.MapFile{Data: f.Text}
		}
	}
	got, err := ge.Read(bundle, ge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// rounded is what the file says of a policy, with six decimals.
func rounded(p model.Policy) string {
	return fmt.Sprintf("%d %v %v %v %v %v %v %v %v %v %v %v %v %v %.6f %.6f %.6f %.6f %.6f %v %v", p.MaxUserJobs, p.HalfTime, p.UsageWeights, p.CompensationFactor, p.WeightUser, p.WeightProject,
		p.WeightDepartment, p.WeightJob, p.FunctionalTickets, p.ShareTreeTickets, p.ShareOverrideTickets, p.ShareFunctionalShares, p.ReportPendingTickets, p.Hierarchy,
		p.WeightTicket, p.WeightWaitingTime, p.WeightDeadline, p.WeightUrgency, p.WeightPriority, p.MaxReservation, p.DefaultDuration)
}

// plainQuotas are sets by name: all of them hold, in whatever order they come.
func plainQuotas(list []model.QuotaSet) []model.QuotaSet {
	return slices.SortedFunc(slices.Values(list), func(a, b model.QuotaSet) int { return strings.Compare(a.Name, b.Name) })
}

func plainUsers(list []model.User) map[string]uint32 {
	out := map[string]uint32{}
	for _, u := range list {
		out[u.Name] = u.OverrideTickets
	}
	return out
}

func plainComplex(list []model.Resource) (out []model.Resource) {
	for _, r := range list {
		r.BuiltIn = false
		out = append(out, r)
	}
	return out
}

func plainPEs(list []model.PE) (out []model.PE) {
	for _, p := range list {
		p.Settings = nil
		out = append(out, p)
	}
	return out
}

// everything is a cluster that has all kinds of files.
func everything() *model.Snapshot {
	s := &model.Snapshot{Policy: model.Policy{Algorithm: "default", QueueSort: "load", LoadFormula: "np_load_avg", SchedulerJobInfo: "true", DefaultDuration: model.Forever, WeightPriority: 1,
		WeightUrgency: 2.5, WeightTicket: 0.000001, UsageWeights: []model.Amount{{Name: "cpu", Value: 1}}, MaxReservation: 3, Hierarchy: "OFS"}}
	s.ShareTree = &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{{Name: "p1", Project: true, Shares: 3, Children: []*model.ShareNode{{Name: "a-b", Shares: 1}}}, {Name: "default", Shares: 7}}}
	s.Users = []model.User{{Name: "a-b", OverrideTickets: 5}, {Name: "größe"}, {Name: "-x"}, {Name: "a/../b"}}
	s.Projects = []model.Project{{Name: "p1"}}
	s.Resources = []model.Resource{{Name: "tok", Shortcut: "tok", Type: model.TypeDouble, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeNo, Default: "0", Urgency: "-1.5"}}
	s.PEs = []model.PE{{Name: "pbs", Slots: 10, AllocationRule: "$fill_up", UrgencySlots: "min"}}
	s.Quotas = []model.QuotaSet{{Name: "q", Description: "x", Enabled: true, Rules: []model.QuotaRule{
		{Users: model.QuotaFilter{Set: true, Each: true, Include: []string{"*"}}, Limits: []model.Setting{{Name: "slots", Value: "4"}}}}}}
	return s
}

// TestNamesThatQconfCannotTakeAreRefused: nothing is written that would be read as something else.
func TestNamesThatQconfCannotTakeAreRefused(t *testing.T) {
	for _, name := range []string{"", "a b", "a\nfshare 100", "a\tb", "\x00", "a\u2028b", "\xff"} {
		s := everything()
		s.Users[0].Name = name
		if _, err := geconf.Files(s); err == nil {
			t.Errorf("%q is written", name)
		}
	}
	s := everything()
	s.Quotas[0].Rules[0].Users.Include = []string{"a,b"}
	if _, err := geconf.Files(s); err == nil {
		t.Error("a user a,b is written as two")
	}
}

// TestFilesStayInTheirFolders: whatever a name is, it names a file in the folder of its kind, and two names never the same.
func TestFilesStayInTheirFolders(t *testing.T) {
	s := everything()
	s.Users = nil
	for _, name := range []string{"..", ".", "a/../../b", "-rf", "a+2fb", "a/b", "$(x)", "`x`", "*", "größe", "a.b", "A"} {
		s.Users = append(s.Users, model.User{Name: name})
	}
	files, err := geconf.Files(s)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range files {
		if !fs.ValidPath(f.Name) || strings.Count(f.Name, "/") > 1 || strings.ContainsAny(f.Name, " *?[$`'\"\\;&|<>(){}") || seen[f.Name] || strings.Contains(f.Name, "/-") {
			t.Errorf("a file is named %q", f.Name)
		}
		seen[f.Name] = true
	}
}
