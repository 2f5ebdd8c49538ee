package policy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/recorded"
	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/exporter/pbsconf"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
)

// translated is the translation of one bundle.
func translated(t *testing.T, bundle fs.FS) *migrate.Translation {
	t.Helper()
	lines, err := gridengine.Lines(bundle)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gridengine.Read(bundle, gridengine.Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	return migrate.Translate([]*model.Snapshot{s}, lines)
}

// asInstalled is what PBS would have after the files were installed, as our importer reads them: qmgr
// prints what it was told.
func asInstalled(t *testing.T, x *migrate.Translation) *model.Snapshot {
	t.Helper()
	files, err := pbsFiles(x, "a test\nof a hostile source")
	if err != nil {
		t.Fatal(err)
	}
	return filesAsInstalled(t, files)
}

func filesAsInstalled(t *testing.T, files []migratedFile) *model.Snapshot {
	t.Helper()
	bundle := fstest.MapFS{}
	for _, f := range files {
		switch {
		case f.name == pbsconf.Script:
			for _, name := range []string{"qmgr_print_server.txt", "qmgr_print_node.txt", "qmgr_print_sched.txt",
				"qmgr_print_hook.txt"} {
				bundle[name] = &fstest.MapFile{Data: f.text}
			}
		case !strings.Contains(f.name, "/") && f.name != "crontab" && f.name != refreshFile:
			bundle[f.name] = &fstest.MapFile{Data: f.text}
		}
	}
	s, err := pbs.Read(bundle, pbs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Unknown) > 0 {
		t.Errorf("our own importer does not know %+v", s.Unknown)
	}
	return s
}

// configured keeps of a PBS snapshot what is configuration, without the places in files.
func configured(s *model.Snapshot) any {
	c := s.PBS.SchedConfig
	c.Lines = slices.Clone(c.Lines)
	for i := range c.Lines {
		c.Lines[i].Line = 0
	}
	f := s.PBS.Fairshare
	f.Groups = slices.Clone(f.Groups)
	for i := range f.Groups {
		f.Groups[i].Line = 0
	}
	server := s.PBS.Server
	server.Name = "" // the server's own
	sched := slices.Clone(s.PBS.Schedulers)
	for i := range sched {
		sched[i] = model.PBSScheduler{Name: sched[i].Name, Formula: sched[i].Formula,
			SchedulerIteration: sched[i].SchedulerIteration,
			LogEvents:          sched[i].LogEvents, Attributes: sched[i].Attributes}
	}
	return []any{
		slices.DeleteFunc(slices.Clone(s.Resources), func(r model.Resource) bool { return r.BuiltIn }),
		s.Queues, s.Hosts, server, sched, c, f.Groups, f.Policy, s.PBS.Holidays, s.PBS.Dedicated, s.PBS.Formula,
	}
}

func roundTrip(t *testing.T, x *migrate.Translation) {
	t.Helper()
	sameAsMeant(t, x, asInstalled(t, x))
}

func sameAsMeant(t *testing.T, x *migrate.Translation, got *model.Snapshot) {
	t.Helper()
	if diff := cmp.Diff(configured(x.To), configured(got), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	for _, l := range got.PBS.SchedConfig.Lines {
		if l.Error != "" || !l.Used {
			t.Errorf("sched_config: %+v", l)
		}
	}
}

func TestTheFilesOfAMigrationAreReadAsTheyWereMeant(t *testing.T) {
	for name, bundle := range recorded.Recordings(t) {
		t.Run(name, func(t *testing.T) { roundTrip(t, translated(t, bundle)) })
	}
}

// With the formula that the command chooses over all runs of a recording.
func TestTheFilesOfAWholeMigrationAreReadAsTheyWereMeant(t *testing.T) {
	var histories = map[string][]string{}
	for name := range recorded.Recordings(t) {
		scenario, run, _ := strings.Cut(name, " run ")
		histories[scenario] = append(histories[scenario], recordingPath(scenario)+"/run"+run+"/after")
	}
	for scenario, bundles := range histories {
		t.Run(scenario, func(t *testing.T) {
			m, err := readMigration(t.Context(), &cli.Deps{}, pastOptions{}, bundles)
			if err != nil {
				t.Fatal(err)
			}
			files, err := toPBS(m)
			if err != nil {
				t.Fatal(err)
			}
			got := filesAsInstalled(t, files)
			sameAsMeant(t, m.translation, got)
			if got.PBS.Formula == "" || got.PBS.Formula != m.order.installed.Candidate.Formula {
				t.Errorf("formula %q", got.PBS.Formula)
			}
			if n := len(got.PBS.Formula); n > 1024 {
				t.Errorf("a formula of %d characters", n)
			}
		})
	}
}

// recordingPath is the archive of a recording.
func recordingPath(scenario string) string {
	dir := "../../../fixtures/gridengine"
	if own := os.Getenv("QPRISM_RECORDINGS"); own != "" {
		dir = own
	}
	return filepath.Join(dir, scenario+".tar.gz")
}

func TestEveryLineOfEveryRecordingIsAccountedFor(t *testing.T) {
	for name, bundle := range recorded.Recordings(t) {
		t.Run(name, func(t *testing.T) {
			x := translated(t, bundle)
			for _, e := range x.Ledger {
				if e.Verdict == migrate.NoRule {
					t.Errorf("%s:%d: %s: %s", e.File, e.Number, e.Text, e.Note)
				}
			}
			checkCoverage(t, bundle, x.Ledger)
		})
	}
}

// checkCoverage sees that every physical line of every file is in exactly one entry.
func checkCoverage(t *testing.T, bundle fs.FS, ledger []migrate.Entry) {
	t.Helper()
	told := map[string]int{}
	for _, e := range ledger {
		told[e.File] += e.Count
	}
	err := fs.WalkDir(bundle, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(bundle, name)
		lines := strings.Count(string(text), "\n")
		if len(text) > 0 && text[len(text)-1] != '\n' {
			lines++
		}
		if told[name] != lines {
			t.Errorf("%s has %d lines, and the ledger tells of %d", name, lines, told[name])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What really ran together on a Grid Engine has to fit into its translation: a node that has less than its
// jobs were given would be a wrong mapping.
func TestWhatRanTogetherFitsIntoTheTranslation(t *testing.T) {
	running := 0
	for name, bundle := range recorded.Recordings(t) {
		t.Run(name, func(t *testing.T) {
			x := translated(t, bundle)
			s := x.Jobs(x.From, time.Time{})
			for _, h := range s.Hosts {
				for _, a := range h.PBS.Assigned {
					checkFits(t, h.Name, a, h.Capacity)
				}
			}
			for _, a := range s.PBS.Server.Assigned {
				if _, limited := model.Text(s.PBS.Server.Available, a.Name); limited {
					checkFits(t, "server", a, s.PBS.Server.Available)
				}
			}
			for _, j := range s.Jobs {
				if j.PBS.State == "R" {
					running++
				}
			}
		})
	}
	if running < 10 {
		t.Errorf("only %d running jobs in all recordings", running)
	}
}

func checkFits(t *testing.T, where string, used model.Setting, available []model.Setting) {
	t.Helper()
	has, _ := model.Text(available, used.Name)
	h, ok := model.PBSAmount(has)
	u, _ := model.PBSAmount(used.Value)
	if !ok || u > h {
		t.Errorf("%s: %s of %s in use, %s there", where, used.Value, used.Name, has)
	}
}

// The cycle of PBS reads every translated job: none is left out as one that makes no sense.
func TestEveryTranslatedJobIsOneThatPBSUnderstands(t *testing.T) {
	waiting := 0
	for name, bundle := range recorded.Recordings(t) {
		t.Run(name, func(t *testing.T) {
			x := translated(t, bundle)
			s := x.Jobs(x.From, time.Time{})
			told := map[uint32]bool{}
			for _, d := range cycle.Run(s, cycle.Options{At: s.TakenAt}).Decisions {
				told[d.Job] = true
			}
			for _, j := range s.Jobs {
				if j.PBS.State != "Q" && j.PBS.State != "B" {
					continue
				}
				waiting++
				if !told[j.Number] {
					t.Errorf("no decision about job %s: select %s, %+v", j.PBS.ID, j.PBS.Select, j.Hard)
				}
			}
		})
	}
	if waiting < 100 {
		t.Errorf("only %d waiting jobs in all recordings", waiting)
	}
}

func TestAFormulaIsInstalledWithAllThatItNeeds(t *testing.T) {
	x := translated(t, everyKind(t))
	x.Use(migrate.Formula{
		Text:      `0.5*(job_priority+1024)/2048 + 0.1*my_urgency/4000 if 1 < 2 else 0`,
		Resources: []model.Resource{{Name: "my_urgency", Type: model.TypePBSLong, Flags: "r"}},
		Server:    []model.Setting{{Name: "eligible_time_enable", Value: "True"}},
		Sched: []model.Setting{{Name: "fair_share", Value: "True ALL"},
			{Name: "fairshare_usage_res", Value: "ncpus * walltime"}},
		Groups: []model.ResourceGroup{{Line: 1, Name: "a.b", Group: 11, Parent: "root", Shares: 7}},
		Hooks: []model.PBSHook{{Name: "order", Python: "pass\n",
			Attributes: []model.Setting{{Name: "event", Value: "queuejob"}}}},
		Says: []migrate.Says{{Kind: "sched_conf", Key: "weight_urgency", Verdict: migrate.Approximate,
			Into: "my_urgency"}},
	})
	roundTrip(t, x)
	got := asInstalled(t, x)
	if p := got.PBS; p.Formula != x.To.PBS.Formula || p.Formula == "" || !p.Server.EligibleTimeEnable ||
		!p.SchedConfig.NonPrime.FairShare {
		t.Errorf("%q %+v", p.Formula, p.SchedConfig.Lines)
	}
	for _, e := range x.Ledger {
		if e.Key == "weight_urgency" && e.Into != "my_urgency" {
			t.Errorf("%+v", e)
		}
	}
}

// Names that mean something to qmgr, to a formula or to a shell arrive as names or are told of, and never as commands.
func TestHostileNamesStayNames(t *testing.T) {
	bundle := everyKind(t)
	names := map[string]string{
		"queues/all.q.txt": "enabled", "queues/short.q.txt": "p_a very;long-name\"with'quotes",
	}
	for file, name := range names {
		text := strings.SplitN(string(bundle[file].Data), "\n", 2)
		text[1] = regexp.MustCompile(`(?m)^user_lists .*`).ReplaceAllString(text[1], "user_lists night")
		bundle[file] = &fstest.MapFile{Data: []byte("qname " + name + "\n" + text[1])}
	}
	complexes := string(bundle["complex.txt"].Data)
	for _, name := range []string{"lambda", "eligible_time", "a-b", "a_b", "9lives", "ncpus",
		"x.y", "select", "$(reboot)"} {
		complexes += name + " " + name + "s INT <= YES YES 0 5\n"
	}
	bundle["complex.txt"] = &fstest.MapFile{Data: []byte(complexes)}
	bundle["managers.txt"] = &fstest.MapFile{Data: []byte("root\nevil\"name\n")}
	bundle["usersets/night.txt"] = &fstest.MapFile{Data: []byte(
		"name night\ntype ACL\nfshare 0\noticket 0\nentries o'brien,two\"'quotes,x=y,-minus\n")}
	bundle["rqs/odd.txt"] = &fstest.MapFile{Data: []byte(
		"{\n name odd;\\\\name\n enabled TRUE\n limit users {x]=1} to slots=2\n limit users @night to slots=9\n}\n")}
	x := translated(t, bundle)
	roundTrip(t, x)
	if list, _ := model.Text(settingsOf(x.To.Queues[0]), "acl_users"); list != "o'brien,x=y" {
		t.Errorf("acl_users %q", list)
	}
	taken := map[string]bool{}
	for _, r := range x.To.Resources {
		if taken[r.Name] || r.Name == "ncpus" || r.Name == "lambda" || strings.ContainsAny(r.Name, "-.$() ") {
			t.Errorf("resource %q", r.Name)
		}
		taken[r.Name] = true
	}
	from, to := map[[2]string]bool{}, map[[2]string]bool{}
	for _, n := range x.Names {
		if from[[2]string{n.Kind, n.From}] || to[[2]string{n.Kind, n.To}] {
			t.Errorf("%+v cannot be taken back", n)
		}
		from[[2]string{n.Kind, n.From}], to[[2]string{n.Kind, n.To}] = true, true
	}
	for _, q := range x.To.Queues {
		if len(q.Name) > 15 || q.Name == "enabled" || strings.HasPrefix(q.Name, x.To.PBS.SchedConfig.PrimetimePrefix) {
			t.Errorf("queue %q", q.Name)
		}
	}
}

func settingsOf(q model.Queue) (list []model.Setting) {
	for _, a := range q.Attributes {
		list = append(list, model.Setting{Name: a.Name, Value: a.Default})
	}
	return list
}
