package anonymize

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/compat"
	"qprism/engine/gridengine/audit"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/schedule"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/fixtures/archive"
	"qprism/importer/gridengine"
)

// eachBundle calls test for the bundles of the recordings whose archive's name has a form.
func eachBundle(t *testing.T, pattern string, test func(t *testing.T, bundle fs.FS)) {
	archives, err := filepath.Glob("../../fixtures/gridengine/" + pattern + ".tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range archives {
		files := opened(t, file)
		err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == "qstat.xml" {
				bundle := must(fs.Sub(files, path.Dir(name)))
				t.Run(strings.TrimSuffix(filepath.Base(file), ".tar.gz")+"/"+path.Dir(name), func(t *testing.T) { test(t, bundle) })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func opened(t *testing.T, file string) fs.FS {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files, err := archive.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// someBundle is one recording, whose files can be changed.
func someBundle(t *testing.T) fstest.MapFS {
	all := opened(t, "../../fixtures/gridengine/8.1.9-dispatch-8.tar.gz")
	bundle := fstest.MapFS{}
	inside := must(fs.Sub(all, "dispatch-8/run2/after"))
	err := fs.WalkDir(inside, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			bundle[name] = &fstest.MapFile{Data: must(fs.ReadFile(inside, name)), Mode: 0o444}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

func run(t *testing.T, bundle fs.FS, key string) (*Result, *Dictionary) {
	t.Helper()
	d := NewDictionary([]byte(key))
	r, err := Run(bundle, d)
	if err != nil {
		t.Fatal(err)
	}
	return r, d
}

// An anonymized is a recording under pseudonyms.
type anonymized struct {
	result     *Result
	dictionary *Dictionary
}

// recorded are the recordings that tests look at under pseudonyms, each made once.
var recorded = map[string]anonymized{}

// runRecorded puts the recording that a test of eachBundle or eachPBS looks at under pseudonyms.
func runRecorded(t *testing.T, bundle fs.FS) (*Result, *Dictionary) {
	t.Helper()
	_, name, _ := strings.Cut(t.Name(), "/")
	a, known := recorded[name]
	if !known {
		a.result, a.dictionary = run(t, bundle, name)
		recorded[name] = a
	}
	return a.result, a.dictionary
}

// TestAuditPrioritiesAndPlanAreTheSameUnderPseudonyms holds every number of both, and every name of a plan
// by its pseudonym.
func TestAuditPrioritiesAndPlanAreTheSameUnderPseudonyms(t *testing.T) {
	var patterns []string
	eachBundle(t, "*", func(t *testing.T, bundle fs.FS) {
		r, d := runRecorded(t, bundle)
		for _, l := range r.LeftOut {
			if known[l.File] == "" && l.Reason != forPeople {
				t.Errorf("left out: %s %s: %s", l.File, l.What, l.Reason)
			}
		}
		before := must(gridengine.Read(bundle, gridengine.Options{}))
		after := must(gridengine.Read(must(inMemory(r.Files)), gridengine.Options{}))
		sameAudit(t, auditOf(before), auditOf(after))
		if len(r.Patterns) > 0 { // which is said: they select other names under pseudonyms
			patterns = append(patterns, r.Patterns...)
			return
		}
		d.full = true
		c := comparison{writer: &writer{Dictionary: d, structural: formatWords,
			language: &language{same: sameWords}}}
		if !c.same("", reflect.ValueOf(*planOf(before)), reflect.ValueOf(*planOf(after))) {
			t.Error("the plan is another one: ", c.where)
		}
	})
	slices.Sort(patterns)
	if all := slices.Compact(patterns); len(all) > 2 {
		t.Errorf("the plans of bundles with these patterns were not compared: %q", all)
	}
}

// sameWords reports whether each word of a text is the same in another, or its pseudonym: notes of a plan
// have names among other words.
func sameWords(c *comparison, a, b string) bool {
	if a == b || c.textOfGridEngine(a, b) {
		return true
	}
	wordsA, wordsB := strings.Fields(a), strings.Fields(b)
	return len(wordsA) > 1 && slices.EqualFunc(wordsA, wordsB, func(a, b string) bool {
		return a == b || c.textOfGridEngine(a, b)
	})
}

func auditOf(s *model.Snapshot) *audit.Report {
	_, quirks := compat.For(s.Release)
	return audit.Run(s, audit.Options{Options: lastrun.Options{Quirks: quirks}})
}

func planOf(s *model.Snapshot) *model.Plan {
	_, quirks := compat.For(s.Release)
	return schedule.Run(split.WithEndedTasks(s, s.TakenAt), schedule.Options{At: s.TakenAt, Quirks: quirks})
}

// A finding is a number that an audit does not find as the master printed it.
type finding struct {
	job                uint32
	task               []model.Range
	field              string
	reported, computed string
	class              any
}

func findings(r *audit.Report) (list []finding) {
	for _, d := range r.Disagreements {
		list = append(list, finding{d.Job.Number, d.Task.IDs, d.Field.String(), d.Field.Print(d.Reported),
			d.Field.Print(d.Computed), d.Class})
	}
	return list
}

func sameAudit(t *testing.T, before, after *audit.Report) {
	t.Helper()
	if !reflect.DeepEqual(before.Moment, after.Moment) || before.Fields != after.Fields ||
		!reflect.DeepEqual(findings(before), findings(after)) {
		t.Errorf("the audit says %+v %v, not %+v %v", after.Fields, findings(after), before.Fields, findings(before))
	}
	if (before.View == nil) != (after.View == nil) {
		t.Error("only one of the two could be recomputed")
	}
	if before.View == nil || after.View == nil {
		return
	}
	for _, of := range []*audit.Report{before, after} {
		if of.View.Result == nil {
			t.Fatal("nothing was computed")
		}
	}
	if a, b := ranked(before), ranked(after); !slices.Equal(a, b) {
		t.Errorf("priorities are %v, not %v", b, a)
	}
}

// ranked are all numbers of a run, task by task in the order in which the scheduler takes them.
func ranked(r *audit.Report) []string {
	return numbers.FindAllString(flat(reflect.ValueOf(r.View.Result).Elem(), 0), -1)
}

var numbers = regexp.MustCompile(`[^ ]+`)

// flat prints all numbers of a value, of what it points to and holds; texts are names.
func flat(v reflect.Value, depth int) string {
	var b strings.Builder
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && depth < 6 {
			return flat(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b.WriteString(flat(v.Field(i), depth+1))
		}
	case reflect.Slice:
		for i := range v.Len() {
			b.WriteString(flat(v.Index(i), depth+1))
		}
	case reflect.Float64:
		return string(must(bitsOf(v.Float()))) + " "
	case reflect.Int, reflect.Int64, reflect.Uint32, reflect.Uint64:
		if v.CanInt() {
			return string(must(bitsOf(float64(v.Int())))) + " "
		}
		return string(must(bitsOf(float64(v.Uint())))) + " "
	}
	return b.String()
}

// rawNames are the names in the files of a bundle, found by their places in the text: not by what the
// package takes for names.
func rawNames(t *testing.T, bundle fs.FS) map[string]bool {
	places := regexp.MustCompile(
		`<(?:JB_owner|JB_name|JB_job_name|full_job_name|JB_project|JB_department|JB_group|JB_account|JB_cwd|PN_path|VA_value|MR_user|MR_host|QR_name|JG_qhostname|JB_script_file)>([^<]+)<` +
			`|(?m:^(?:execd_spool_dir|mailer|xterm|tmpdir|shell|load_sensor|master|hostname|pe_name|group_name|name|administrator_mail|oticket|default_project|user_lists|owner_list)[ =]+(.+)$)` +
			`|<host name='([^']+)'|@([a-z0-9]+)<`)
	names := map[string]bool{}
	err := fs.WalkDir(bundle, ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(file) == ".json" {
			return err
		}
		for _, m := range places.FindAllSubmatch(must(fs.ReadFile(bundle, file)), -1) {
			for _, text := range m[1:] {
				for _, word := range regexp.MustCompile(`[A-Za-z][A-Za-z0-9]{2,}`).FindAllString(string(text), -1) {
					names[strings.ToLower(word)] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields("none true false infinity undefined global template default " +
		"defaultdepartment deadlineusers arusers allhosts root all make job ocs") {
		delete(names, word)
	}
	return names
}

func TestNoNameOfARecordingIsInWhatIsGivenAway(t *testing.T) {
	told, words := 0, regexp.MustCompile(`[A-Za-z0-9]+`)
	eachBundle(t, "*", func(t *testing.T, bundle fs.FS) {
		r, _ := runRecorded(t, bundle)
		names := rawNames(t, bundle)
		if len(names) < 5 {
			t.Fatal("too few names to look for:", names)
		}
		for _, f := range r.Files {
			for _, word := range words.FindAllString(f.Name+"\n"+string(f.Data), -1) {
				if names[strings.ToLower(word)] && !formatWords[strings.ToLower(word)] {
					t.Errorf("%s tells %q", f.Name, word)
				}
			}
		}
		told += len(names)
	})
	t.Logf("looked for %d names", told)
}

func TestTheSameKeyGivesTheSameBytesAndAnotherOneDoesNot(t *testing.T) {
	bundle := someBundle(t)
	first, d := run(t, bundle, "key")
	second, _ := run(t, bundle, "key")
	if !reflect.DeepEqual(first, second) {
		t.Error("twice with one key gives two bundles")
	}
	var kept bytes.Buffer
	if err := d.Write(&kept); err == nil {
		t.Log(kept.Len(), "bytes of dictionary")
	}
	third, _ := run(t, bundle, "another key")
	if reflect.DeepEqual(first.Files, third.Files) {
		t.Error("two keys give one bundle")
	}
}

func TestAFileThatNobodyParsesIsLeftOutAndSaid(t *testing.T) {
	bundle := someBundle(t)
	bundle["usr0-notes.txt"] = &fstest.MapFile{Data: []byte("usr0 works on secret\n")}
	bundle["queues/README"] = &fstest.MapFile{Data: []byte("usr0 made these\n")}
	r, _ := run(t, bundle, "key")
	for _, name := range []string{"usr0-notes.txt", "queues/README"} {
		if !slices.ContainsFunc(r.LeftOut, func(l LeftOut) bool { return l.File == name && l.What == "" }) {
			t.Errorf("%s is not said to be left out: %v", name, r.LeftOut)
		}
	}
	for _, f := range r.Files {
		if bytes.Contains(f.Data, []byte("usr0")) || bytes.Contains(f.Data, []byte("secret")) {
			t.Errorf("%s tells what the file said", f.Name)
		}
		if f.Name == manifestFile && bytes.Count(f.Data, []byte("left_out ")) != 5 {
			t.Errorf("MANIFEST does not name what is left out:\n%s", f.Data)
		}
	}
}

func TestWhatARuleDoesNotKnowIsLeftOutWithItsLine(t *testing.T) {
	bundle := someBundle(t)
	bundle["users/usr0.txt"].Data = append(bundle["users/usr0.txt"].Data, "beard_of secretname\n"...)
	bundle["qstat.xml"].Data = bytes.Replace(bundle["qstat.xml"].Data, []byte("<JB_job_number>"),
		[]byte("<Secret>usr1</Secret><JB_job_number>"), 1)
	r, _ := run(t, bundle, "key")
	want := []LeftOut{{"users/usr0.txt", "line 5", `no rule says what "beard_of" holds`},
		{"qstat.xml", "element Secret", "no rule says what it holds"}}
	for _, w := range want {
		if !slices.ContainsFunc(r.LeftOut, func(l LeftOut) bool { return l.File == w.File && l.Reason == w.Reason }) {
			t.Errorf("%v is not said: %v", w, r.LeftOut)
		}
	}
}

// TestALeakIsLeftOut plants a name where a rule keeps texts as they are.
func TestALeakIsLeftOut(t *testing.T) {
	bundle := someBundle(t)
	bundle["qrstat.xml"].Data = []byte(
		"<?xml version='1.0'?>\n<qrstat><ar_summary><id>1</id><name>x</name><usr>5</usr></ar_summary></qrstat>\n")
	bundle["users/usr.txt"] = &fstest.MapFile{Data: []byte(
		"name usr\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n")}
	r, _ := run(t, bundle, "key")
	if !slices.ContainsFunc(r.LeftOut, func(l LeftOut) bool {
		return l.File == "qrstat.xml" && strings.Contains(l.Reason, `"usr"`)
	}) {
		t.Errorf("the tag that is a user's name is not found: %v", r.LeftOut)
	}
	if slices.ContainsFunc(r.Files, func(f File) bool { return f.Name == "qrstat.xml" }) {
		t.Error("the file is given away nevertheless")
	}
}

func TestAUserWhoIsCalledAsANumberHasAPseudonym(t *testing.T) {
	bundle := someBundle(t)
	for name, f := range bundle {
		if ext := path.Ext(name); ext == ".xml" || ext == ".txt" {
			f.Data = bytes.ReplaceAll(f.Data, []byte("usr0"), []byte("4711"))
		}
	}
	bundle["users/4711.txt"] = bundle["users/usr0.txt"]
	delete(bundle, "users/usr0.txt")
	r, _ := run(t, bundle, "key")
	for _, f := range r.Files {
		if bytes.Contains(f.Data, []byte("4711")) || strings.Contains(f.Name, "4711") {
			t.Errorf("%s tells the user", f.Name)
		}
	}
}

func TestMessagesKeepOnlyWordsOfTheMasterAndRunsAreStillKnown(t *testing.T) {
	bundle := someBundle(t)
	bundle["users/run.txt"] = &fstest.MapFile{Data: []byte(
		"name run\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n")}
	bundle["messages"].Data = append(bundle["messages"].Data,
		"11/21/2026 08:14:50|schedu|vm|W|job 3 of usr1 asks for zebrafish at 10.1.2.3\n11/21/2026 "+
			"08:14:50|worker|vm|E|zebrafish again\nmore of zebrafish\n"...)
	r, _ := run(t, bundle, "key")
	for _, f := range r.Files {
		if bytes.Contains(f.Data, []byte("zebrafish")) || bytes.Contains(f.Data, []byte("10.1.2.3")) {
			t.Errorf("%s tells what is no word of the master", f.Name)
		}
		if f.Name == "messages" && !bytes.Contains(f.Data, []byte("|P|PROF: schedd run took")) {
			t.Errorf("runs are not known by messages any more:\n%s", f.Data)
		}
	}
}

func TestAPatternThatSelectsOtherNamesIsSaid(t *testing.T) {
	bundle := someBundle(t)
	bundle["rqs/odd.txt"] = &fstest.MapFile{Data: []byte(
		"{\nname odd\ndescription NONE\nenabled TRUE\nlimit hosts *01 to slots=3\nlimit hosts node* to " +
			"slots=9\nlimit hosts node0? to slots=9\n}\n")}
	r, _ := run(t, bundle, "key")
	if !slices.Equal(r.Patterns, []string{"*01"}) {
		t.Errorf("patterns %q, not *01 alone", r.Patterns)
	}
}

func TestACategoryOfAccountingTellsNoUser(t *testing.T) {
	bundle := someBundle(t)
	f := slices.Repeat([]string{"0"}, 45)
	f[0], f[1], f[3], f[4], f[39], f[41] = "all.q", "node01", "4711", "secretjob",
		"-U biologists -u 4711 -l h_rt=60,gpu=1 -pe mpi 4", "NONE"
	bundle["accounting"] = &fstest.MapFile{Data: []byte(strings.Join(f, ":") + "\n")}
	r, d := run(t, bundle, "key")
	for _, f := range r.Files {
		if f.Name != "accounting" {
			continue
		}
		want := "-U " + d.Name("biologists") + " -u " + d.Name("4711") + " -l h_rt=60," + d.Value("gpu") +
			"=1 -pe " + d.Name("mpi") + " 4"
		if !strings.Contains(string(f.Data), want) {
			t.Errorf("%s, without %s", f.Data, want)
		}
	}
}

func TestCalendarsKeepTheirDays(t *testing.T) {
	bundle := someBundle(t)
	bundle["calendars/night.txt"] = &fstest.MapFile{Data: []byte(
		"calendar_name night\nyear 24.12.2026-26.12.2026=off 1.jan.2027=suspended\nweek mon-fri=6-20=off sat=on\n")}
	r, d := run(t, bundle, "key")
	want := "calendar_name " + d.Name("night") + "\nyear 24.12.2026-26.12.2026=off " +
		"1.jan.2027=suspended\nweek mon-fri=6-20=off sat=on\n"
	if !slices.ContainsFunc(r.Files, func(f File) bool {
		return f.Name == "calendars/"+d.Name("night")+".txt" && string(f.Data) == want
	}) {
		t.Errorf("no file says %q: %s", want, r.Files)
	}
}

func TestNamesOfAnyCharactersArePseudonymsToo(t *testing.T) {
	bundle := someBundle(t)
	for _, name := range []string{"%lt;script>alice's %s{}[]&amp;!#~^", "M\u00fcller &#65;lice", "a\xffb", "=cmd|x"} {
		changed := someBundle(t)
		changed["qstat.xml"].Data = regexp.MustCompile(`<(JB_name|full_job_name)>[^<]*<`).ReplaceAllLiteral(
			bundle["qstat.xml"].Data,
			[]byte("<JB_name><"))
		changed["qstat.xml"].Data = bytes.ReplaceAll(changed["qstat.xml"].Data, []byte("<JB_name></full_job_name>"), nil)
		changed["qstat.xml"].Data = bytes.ReplaceAll(changed["qstat.xml"].Data, []byte("<JB_name><"),
			[]byte("<JB_name>"+name+"<"))
		r, _ := run(t, changed, "key")
		for _, f := range r.Files {
			if f.Name == "qstat.xml" && regexp.MustCompile(`(?i)alice|script|cmd|ller`).Match(f.Data) {
				t.Errorf("%q is told", name)
			}
		}
	}
}
