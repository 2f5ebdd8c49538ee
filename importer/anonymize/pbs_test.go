package anonymize

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/fixtures/archive"
	"qprism/importer"
)

// eachPBS calls test for the bundles of the recordings of PBS: those of fixtures, and those of folders that
// the environment names.
func eachPBS(t *testing.T, test func(t *testing.T, bundle fs.FS)) {
	var archives []string
	for _, folder := range append([]string{"../../fixtures/pbs", "../../fixtures/pbs/cycles"},
		filepath.SplitList(os.Getenv("PBS_RECORDINGS"))...) {
		found, err := filepath.Glob(folder + "/*.tar.gz")
		if err != nil || len(found) == 0 {
			t.Fatal("no recordings in", folder, err)
		}
		archives = append(archives, found...)
	}
	for _, file := range archives {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files, err := archive.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == "qstat_f.json" {
				bundle := must(fs.Sub(files, path.Dir(name)))
				if importer.SystemOf(bundle) == model.PBSSystem {
					t.Run(strings.TrimSuffix(filepath.Base(file), ".tar.gz")+"/"+path.Dir(name), func(t *testing.T) {
						test(t, bundle)
					})
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPBSSaysTheSameUnderPseudonyms: Run itself holds every number and text of the two snapshots against
// each other. Here the cycle that they plan is compared: the order of jobs with every value that it goes
// by, decisions, vnodes and reasons.
func TestPBSSaysTheSameUnderPseudonyms(t *testing.T) {
	n := 0
	eachPBS(t, func(t *testing.T, bundle fs.FS) {
		n++
		r, d := runRecorded(t, bundle)
		for _, l := range r.LeftOut {
			if l.Reason != forPeople && l.File != "pbsfs_c.json" {
				t.Errorf("left out: %s %s: %s", l.File, l.What, l.Reason)
			}
		}
		before, after := must(readPBS(bundle)), must(readPBS(must(inMemory(r.Files))))
		d.full = true
		c := comparison{writer: &writer{Dictionary: d, structural: pbsFormat,
			language: &language{same: func(c *comparison, a, b string) bool { return a == b || c.textOfPBS(a, b) }}}}
		a, b := cycle.Run(before, cycle.Options{At: before.TakenAt}), cycle.Run(after, cycle.Options{At: after.TakenAt})
		a.Notes, b.Notes = nil, nil // sentences of the plan's own
		if !c.same("", reflect.ValueOf(*a), reflect.ValueOf(*b)) {
			t.Error("the plan is another one: ", c.where)
		}
	})
	t.Logf("%d bundles", n)
}

// TestNoNameOfAPBSRecordingIsInWhatIsGivenAway looks for names by their places in the text.
func TestNoNameOfAPBSRecordingIsInWhatIsGivenAway(t *testing.T) {
	places := regexp.MustCompile(
		`"(?:Job_Owner|Job_Name|euser|egroup|Account_Name|Submit_Host|Mom|PBS_O_HOME|server_host|Output_Path)":\s*"([^"]*)"`)
	looked := 0
	eachPBS(t, func(t *testing.T, bundle fs.FS) {
		r, _ := runRecorded(t, bundle)
		names := map[string]bool{}
		for _, file := range []string{"qstat_f.json", "pbsnodes_av.json", "qstat_Bf.json"} {
			data, _ := fs.ReadFile(bundle, file)
			for _, m := range places.FindAllSubmatch(data, -1) {
				for _, word := range regexp.MustCompile(`[A-Za-z][A-Za-z0-9]{2,}`).FindAllString(string(m[1]), -1) {
					names[strings.ToLower(word)] = true
				}
			}
		}
		looked += len(names)
		for _, f := range r.Files {
			for _, word := range regexp.MustCompile(`[A-Za-z0-9]+`).FindAllString(f.Name+"\n"+string(f.Data), -1) {
				if names[strings.ToLower(word)] && !pbsFormat[strings.ToLower(word)] {
					t.Errorf("%s tells %q", f.Name, word)
				}
			}
			if bytes.Contains(f.Data, []byte("/home/")) {
				t.Errorf("%s tells a path", f.Name)
			}
		}
	})
	t.Logf("looked for %d names", looked)
}
