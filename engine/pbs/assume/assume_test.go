package assume_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/assume"
	"qprism/engine/pbs/cycle"
	recordedpbs "qprism/fixtures/pbs"
	pbsfiles "qprism/importer/pbs"
)

// forEverybody are the files of a recording whose commands answer ordinary users as well; jobs apart.
var forEverybody = []string{"date.txt", "version.txt", "MANIFEST", "qstat_Bf.json", "qstat_Qf.json", "pbsnodes_av.json",
	"qmgr_print_server.txt", "qmgr_print_sched.txt", "qmgr_print_resource.txt", "pbs_rstat_F.txt"}

// forRoot are the scheduler's files.
var forRoot = []string{"sched_config", "sched_formula", "resource_group", "usage", "holidays", "dedicated_time"}

// eachUserStep calls check for every recorded step in which an ordinary user asked qstat as well.
func eachUserStep(t *testing.T, least int, check func(name string, files fs.FS)) {
	t.Helper()
	steps := 0
	for _, scenario := range recordedpbs.Scenarios() {
		files, err := recordedpbs.Scenario(scenario)
		if err != nil {
			t.Fatal(err)
		}
		names, err := recordedpbs.Steps(files)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			step, err := fs.Sub(files, name)
			if err != nil {
				t.Fatal(err)
			}
			if info, err := fs.Stat(step, "qstat_f_as_user.txt"); err == nil && info.Size() > 0 && sameJobs(t, step) {
				steps++
				check(scenario+"/"+name, step)
			}
		}
	}
	if steps < least {
		t.Errorf("only %d steps", steps)
	}
}

// sameJobs reports whether no job came or changed its state between the two listings.
func sameJobs(t *testing.T, step fs.FS) bool {
	t.Helper()
	states := func(file string) (list []string) {
		text, err := fs.ReadFile(step, file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "Job Id:") || strings.HasPrefix(line, "    job_state") ||
				strings.HasPrefix(line, "    estimated") {
				list = append(list, line)
			}
		}
		return list
	}
	return slices.Equal(states("qstat_f_as_user.txt"), states("qstat_f.txt"))
}

// bundle holds these files of a step, with a listing of jobs.
func bundle(t *testing.T, step fs.FS, listing string, names ...string) *model.Snapshot {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range names {
		if text, err := fs.ReadFile(step, name); err == nil {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	text, err := fs.ReadFile(step, listing)
	if err != nil {
		t.Fatal(err)
	}
	files["qstat_f.txt"] = &fstest.MapFile{Data: text}
	s, err := pbsfiles.Read(files, pbsfiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// outcome is what a plan decides, decision by decision.
func outcome(p *model.Plan) (list []string) {
	for _, d := range p.Decisions {
		text := d.ID + " " + string(d.Verdict) + " " + d.Placed
		for _, w := range d.Why {
			text += " " + string(w.Kind) + " " + w.Resource
		}
		list = append(list, text)
	}
	return list
}

func TestAnOrdinaryUsersListingOfJobsIsPlannedAsRoots(t *testing.T) {
	jobs := 0
	eachUserStep(t, 30, func(name string, step fs.FS) {
		all := append(slices.Clone(forEverybody), forRoot...)
		root, user := bundle(t, step, "qstat_f.txt", all...), bundle(t, step, "qstat_f_as_user.txt", all...)
		filled, said := assume.Fill(user)
		if slices.ContainsFunc(said, func(a assume.Assumption) bool { return a.About == assume.Groups }) {
			root = withoutGroups(root) // the limits on them are said not to be applied
		}
		at := cycle.Options{At: root.TakenAt}
		want, got := outcome(cycle.Run(root, at)), outcome(cycle.Run(filled, at))
		jobs += len(want)
		if !slices.Equal(want, got) {
			t.Errorf("%s: root\n%s\nuser\n%s", name, strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	})
	if jobs < 200 {
		t.Errorf("only %d decisions", jobs)
	}
}

func withoutGroups(s *model.Snapshot) *model.Snapshot {
	for i := range s.Jobs {
		s.Jobs[i].Group = ""
	}
	return s
}

func TestWithoutTheSchedulersFilesTheInstalledOptionsCountAndAreTold(t *testing.T) {
	eachUserStep(t, 30, func(name string, step fs.FS) {
		raw := bundle(t, step, "qstat_f_as_user.txt", forEverybody...)
		s, said := assume.Fill(raw)
		if !slices.ContainsFunc(said, func(a assume.Assumption) bool { return a.About == assume.Options }) {
			t.Errorf("%s: nothing says that sched_config is missing", name)
		}
		if raw.PBS.SchedConfig.Prime.ByQueue || !s.PBS.SchedConfig.Prime.ByQueue {
			t.Errorf("%s: by_queue %v, was %v", name, s.PBS.SchedConfig.Prime.ByQueue, raw.PBS.SchedConfig.Prime.ByQueue)
		}
		if p := cycle.Run(s, cycle.Options{At: s.TakenAt}); len(p.Decisions) == 0 &&
			slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.PBS.State == "Q" }) {
			t.Errorf("%s: no decisions", name)
		}
	})
}

func TestAFullBundleIsLeftAsItIs(t *testing.T) {
	eachUserStep(t, 30, func(name string, step fs.FS) {
		root := bundle(t, step, "qstat_f.txt", append(slices.Clone(forEverybody), forRoot...)...)
		if s, said := assume.Fill(root); s != root || said != nil {
			t.Errorf("%s: %v", name, said)
		}
	})
}

func TestChunksGetTheDefaultsOfTheirQueueBeforeThoseOfTheServer(t *testing.T) {
	s := &model.Snapshot{TakenAt: time.Unix(1, 0), PBS: &model.PBS{SchedConfig: model.SchedConfig{Present: true},
		Schedulers: []model.PBSScheduler{{Name: "default"}},
		Server: model.PBSServer{Attributes: []model.Setting{{Name: "query_other_jobs", Value: "True"},
			{Name: "default_chunk.ncpus", Value: "1"}, {Name: "default_chunk.mem", Value: "1gb"}}}},
		Queues: []model.Queue{{Name: "q", PBS: &model.PBSQueue{},
			Attributes: []model.QueueAttribute{{Name: "default_chunk.mem", Default: "2gb"}}}},
		Jobs: []model.Job{{Number: 1, Owner: "alice", PBS: &model.PBSJob{ID: "1.s", State: "Q", Queue: "q",
			Select: "2:arch=x+1:ncpus=4:mem=8gb", AccrueType: -1}}}}
	filled, said := assume.Fill(s)
	if got := filled.Jobs[0].PBS.SchedSelect; got != "2:arch=x:mem=2gb:ncpus=1+1:ncpus=4:mem=8gb" || len(said) > 0 {
		t.Errorf("%s, %v", got, said)
	}
	if s.Jobs[0].PBS.SchedSelect != "" {
		t.Error("the snapshot itself was changed")
	}
}
