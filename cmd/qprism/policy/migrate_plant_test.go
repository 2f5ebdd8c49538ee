package policy

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qprism/engine/migrate"
	"qprism/importer"
)

// everyKind is a bundle with a file of every kind that the layout of bundles has: a recording, and what it lacks.
func everyKind(t *testing.T) fstest.MapFS {
	t.Helper()
	bundle, closer, err := importer.Open("../../../fixtures/gridengine/8.1.9-dispatch-3.tar.gz/run1/after")
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	all := fstest.MapFS{}
	err = fs.WalkDir(bundle, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(bundle, name)
		all[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"calendars/night.txt": "calendar_name night\nyear NONE\nweek mon-fri=6-20=off\n",
		"ckpts/blcr.txt": "ckpt_name blcr\ninterface userdefined\nckpt_command " +
			"none\nmigr_command none\nrestart_command none\nclean_command none\nckpt_dir /tmp\nsignal none\nwhen sx\n",
		"host_confs/node01.txt": "#node01:\nmailer /bin/mail\nxterm /usr/bin/xterm\n",
		"rqs/two.txt":           "{\n   name two\n   description NONE\n   enabled TRUE\n   limit users {*} to slots=4\n}\n",
		"accounting":            "# Version: 8.1.9\n",
		"reporting":             "1:new_job:1\n",
		"qquota.txt":            "resource quota rule limit                filter\n",
		"qstat-urg.txt":         "job-ID  prior\n---\n      1 0.1\n",
	} {
		if all[name] == nil {
			all[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return all
}

// planted is what nobody knows.
const planted = "zz_planted"

// plantIn puts a line that nobody knows into a file.
func plantIn(name, text string) string {
	switch {
	case strings.HasSuffix(name, ".xml"):
		inner := regexp.MustCompile(
			`(?s)<(job_list|djob_info|queue_info|host|qhost|detailed_job_info|qrstat|job_info)\b[^>]*>`).FindStringIndex(text)
		if inner == nil {
			return text
		}
		return text[:inner[1]] + "<" + planted + ">1</" + planted + ">" + text[inner[1]:]
	case strings.HasPrefix(name, "rqs"):
		return strings.Replace(text, "}", "   "+planted+" 1\n}", 1)
	case path.Ext(name) == ".jsonl":
		return text + planted + "\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + planted + " one two\n"
}

func TestAPlantedLineShowsInEveryKindOfFile(t *testing.T) {
	all := everyKind(t)
	kinds := 0
	for name := range all {
		t.Run(name, func(t *testing.T) {
			bundle := fstest.MapFS{}
			for n, f := range all {
				bundle[n] = f
			}
			bundle[name] = &fstest.MapFile{Data: []byte(plantIn(name, string(all[name].Data)))}
			if string(bundle[name].Data) == string(all[name].Data) {
				t.Fatal("nothing was planted")
			}
			loud := func(x *migrate.Translation) []migrate.Entry {
				return slices.DeleteFunc(slices.Clone(x.Ledger), func(e migrate.Entry) bool {
					return e.Verdict != migrate.NoRule || e.File != name || !strings.Contains(e.Text, planted)
				})
			}
			if got := loud(translated(t, bundle)); len(got) != 1 {
				t.Errorf("%d entries tell of the planted line: %+v", len(got), got)
			}
			kinds++
		})
	}
	t.Run("a file", func(t *testing.T) {
		bundle := fstest.MapFS{planted + ".txt": {Data: []byte("one\ntwo\n")}}
		for n, f := range all {
			bundle[n] = f
		}
		i := slices.IndexFunc(translated(t, bundle).Ledger, func(e migrate.Entry) bool { return e.File == planted+".txt" })
		if i < 0 {
			t.Error("the ledger does not tell of the file")
		}
	})
	if kinds < 30 {
		t.Errorf("only %d files", kinds)
	}
}
