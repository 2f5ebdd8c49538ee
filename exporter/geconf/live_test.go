package geconf_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/audit"
	"qprism/engine/migrate/gridengine"
	"qprism/engine/model"
	"qprism/exporter/geconf"
	"qprism/fixtures/master"
	ge "qprism/importer/gridengine"
)

// TestARealMasterTakesTheFilesAndOrdersAsPBSWould installs a translation on a real Grid Engine 8.1.9 twice, submits the jobs of a
// PBS cluster as the translation says, and compares what the master holds and how it orders with what was meant.
func TestARealMasterTakesTheFilesAndOrdersAsPBSWould(t *testing.T) {
	if testing.Short() {
		t.Skip("a real master takes a few seconds")
	}
	m := master.Start(t, master.Options{})
	must(t, m.Apply(master.Scenario{Hosts: []master.Object{{"name": "node01"}}, Users: []master.Object{{"name": "alice"}, {"name": "bob"}, {"name": "cathy"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "1", "pe_list": "make"}}}))
	pbs := waiting()
	tr, err := gridengine.Translate([]*model.Snapshot{pbs})
	must(t, err)
	install(t, m, tr.To)
	first := captured(t, m)
	install(t, m, tr.To)
	second := captured(t, m)
	for i, s := range []*model.Snapshot{first, second} {
		compareMaster(t, fmt.Sprintf("installed %d times", i+1), s, tr.To)
	}
	_, err = m.Run("qconf", "-mattr", "queue", "pe_list", gridengine.ParallelEnvironment, "all.q")
	must(t, err)
	_, err = m.Run("qmod", "-d", "all.q") // nothing starts: all wait to be ordered
	must(t, err)
	numbers := submit(t, m, tr.Jobs(pbs))
	_, err = m.Trigger()
	must(t, err)
	s := captured(t, m)
	_, quirks := compat.For(s.Release)
	v, _ := audit.Look(s, audit.Options{Quirks: quirks})
	if v == nil {
		t.Fatal("the run cannot be recomputed")
	}
	var got []uint32
	for _, j := range v.Result.Pending {
		got = append(got, numbers[j.Job.Number])
	}
	// 100*ncpus + 7*tok + 2*queue_priority of each, by hand
	want := []uint32{3, 5, 1, 4, 2, 6}
	if !slices.Equal(got, want) {
		t.Errorf("the master orders %v, PBS %v", got, want)
	}
	if a := tr.Prove("live", pbs, quirks); a.TauB != 1 {
		t.Errorf("the proof says %+v", a)
	}
}

// waiting is a PBS cluster with six jobs, a formula of requests and queues, shares, and limits.
func waiting() *model.Snapshot {
	now := time.Now().UTC().Truncate(time.Second)
	s := &model.Snapshot{System: model.PBSSystem, TakenAt: now, PBS: &model.PBS{Formula: "100*ncpus + 7*tok + 2*queue_priority", Schedulers: []model.PBSScheduler{{Name: "default"}}}}
	s.PBS.SchedConfig = model.SchedConfig{Present: true, PrimetimePrefix: "p_", NonprimetimePrefix: "np_", DedicatedPrefix: "ded"}
	s.PBS.SchedConfig.Prime.StrictOrdering = true
	s.PBS.Fairshare.Policy = model.DefaultFairsharePolicy()
	s.PBS.Server.Attributes = []model.Setting{{Name: "resources_default.walltime", Value: "01:30:00"}}
	s.PBS.Server.Limits = []model.Limit{{Attribute: "max_run", Kind: "u", Entity: "PBS_GENERIC", Value: "9", Amount: 9}, {Attribute: "max_queued", Kind: "o", Entity: "PBS_ALL", Value: "5000", Amount: 5000},
		{Attribute: "max_run_res", Resource: "ncpus", Kind: "u", Entity: "PBS_GENERIC", Value: "12", Amount: 12}, {Attribute: "max_run_res", Resource: "ncpus", Kind: "u", Entity: "bob", Value: "20", Amount: 20}}
	for name, kind := range map[string]model.ResourceType{"ncpus": model.TypePBSLong, "host": model.TypePBSString, "vnode": model.TypePBSString} {
		s.Resources = append(s.Resources, model.Resource{Name: name, Type: kind, Flags: "h", BuiltIn: true})
	}
	s.Resources = append(s.Resources, model.Resource{Name: "tok", Type: model.TypePBSLong, Flags: "q"})
	s.Queues = []model.Queue{{Name: "workq", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true}}, {Name: "fast", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true, Priority: 60}}}
	s.Hosts = []model.Host{{Name: "n1", Capacity: []model.Setting{{Name: "ncpus", Value: "64"}}, PBS: &model.PBSHost{State: []string{"free"}}}}
	for i, j := range []struct {
		owner, queue string
		ncpus, tok   float64
	}{{"alice", "workq", 4, 0}, {"bob", "workq", 1, 8}, {"bob", "fast", 4, 2}, {"cathy", "workq", 1, 20}, {"alice", "workq", 4, 4}, {"bob", "workq", 1, 0}} {
		at := now.Add(time.Duration(i-100) * time.Second)
		s.Jobs = append(s.Jobs, model.Job{Number: uint32(i + 1), Owner: j.owner, Group: "users", Submitted: at,
			Hard: []model.Request{{Resource: "ncpus", Value: fmt.Sprint(j.ncpus), Amount: j.ncpus}, {Resource: "tok", Value: fmt.Sprint(j.tok), Amount: j.tok}},
			PBS:  &model.PBSJob{ID: fmt.Sprint(i+1, ".s"), State: "Q", Queue: j.queue, SchedSelect: "1:ncpus=1", Place: "free", QueueRank: at.UnixMicro()}})
	}
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// install writes the files and runs their script as a manager.
func install(t *testing.T, m *master.Master, s *model.Snapshot) {
	t.Helper()
	dir, err := os.MkdirTemp("", "geconf-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	files, err := geconf.Files(s)
	must(t, err)
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, f.Text, 0o644))
	}
	out, err := m.Run("sh", filepath.Join(dir, geconf.Script))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func captured(t *testing.T, m *master.Master) *model.Snapshot {
	t.Helper()
	dir := t.TempDir()
	must(t, m.Capture(dir))
	s, err := ge.Read(os.DirFS(dir).(fs.ReadDirFS), ge.Options{})
	must(t, err)
	return s
}

// compareMaster compares what a master holds with what was to be installed.
func compareMaster(t *testing.T, when string, got, want *model.Snapshot) {
	t.Helper()
	if a, b := rounded(got.Policy), rounded(want.Policy); a != b {
		t.Errorf("%s: the policy\n got %s\nwant %s", when, a, b)
	}
	for _, r := range want.Resources {
		i := slices.IndexFunc(got.Resources, func(x model.Resource) bool { return x.Name == r.Name })
		if i < 0 || got.Resources[i].Urgency != r.Urgency || got.Resources[i].Type != r.Type {
			t.Errorf("%s: the resource %s is missing, or another", when, r.Name)
		}
	}
	if len(got.Resources) < 40 {
		t.Errorf("%s: only %d resources are left", when, len(got.Resources))
	}
	if x, y := fmt.Sprintf("%+v", plainQuotas(got.Quotas)), fmt.Sprintf("%+v", plainQuotas(want.Quotas)); x != y {
		t.Errorf("%s: quotas\n got %s\nwant %s", when, x, y)
	}
	for _, s := range want.Config.Global {
		if v, _ := model.Text(got.Config.Global, s.Name); !strings.Contains(v, s.Value) {
			t.Errorf("%s: %s is %q, want %q", when, s.Name, v, s.Value)
		}
	}
	if want.ShareTree != nil && fmt.Sprint(got.ShareTree) == "<nil>" {
		t.Errorf("%s: no share tree", when)
	}
}

// submit submits jobs as they would be after the translation, and returns their numbers by those of the master.
func submit(t *testing.T, m *master.Master, s *model.Snapshot) map[uint32]uint32 {
	t.Helper()
	numbers := map[uint32]uint32{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		var requests []string
		for _, r := range j.Hard {
			requests = append(requests, r.Resource+"="+r.Value)
		}
		job := master.Job{User: j.Owner, Resources: strings.Join(requests, ",")}
		if j.PE != "" {
			job.PE = fmt.Sprintf("%s %d", j.PE, j.PERange[0].Min)
		}
		n, err := m.Submit(job)
		must(t, err)
		numbers[uint32(n)] = j.Number
	}
	return numbers
}
