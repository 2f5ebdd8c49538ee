package gridengine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/gridengine/expect"
	"qprism/importer/gridengine/sample"
	"qprism/importer/source"
)

func TestTheManifestSaysWhereAndWhen(t *testing.T) {
	snap := sample.With(t, map[string]string{
		"MANIFEST": "taken_at 1795248962.27215\nmaster vm\ncell default\nutc_offset +02:00\nuname Linux vm\n" +
			"command qstat.xml rc=0 qstat -xml\n\n",
		"qstat-help.txt": "SGE 8.1.9\nusage: qstat [options]\n",
	})
	expect.Same(t, "cluster", snap.Cluster, "vm/default")
	expect.Same(t, "taken at", snap.TakenAt, time.Unix(1795248962, 272150000).UTC())
	expect.Same(t, "offset", snap.Location, "+02:00")
	expect.Same(t, "release", snap.Release, model.Release{Product: "SGE", Version: "8.1.9"})
	expect.Same(t, "unknown", snap.Unknown,
		[]model.Unknown{{File: "MANIFEST", Line: 5, Name: "uname", Value: "Linux vm", Count: 1}})
}

func TestWhatTheManifestDoesNotSayStaysEmpty(t *testing.T) {
	snap := sample.With(t, map[string]string{"MANIFEST": "cell default\n", "qstat-help.txt": "usage: qstat\n"})
	if !snap.TakenAt.IsZero() || snap.Location != "" || snap.Release.Version != "" || snap.Cluster != "/default" {
		t.Errorf("got %v %q %v %q", snap.TakenAt, snap.Location, snap.Release, snap.Cluster)
	}
	expect.Same(t, "unknown", snap.Unknown,
		[]model.Unknown{{File: "qstat-help.txt", Line: 1, Name: "release", Value: "usage: qstat", Count: 1}})
}

func TestAnErrorInTheManifestSaysWhere(t *testing.T) {
	for line, want := range map[string]string{
		"taken_at yesterday":       `MANIFEST:1: taken_at: a date: invalid syntax: "yesterday"`,
		"taken_at 1.":              `MANIFEST:1: taken_at`,
		"taken_at 1.0000000001":    `MANIFEST:1: taken_at`,
		"taken_at -1":              `MANIFEST:1: taken_at`,
		"taken_at 1234567890123.4": `MANIFEST:1: taken_at`,
		"utc_offset CET":           `MANIFEST:1: utc_offset: invalid syntax: "CET"`,
		"utc_offset +9900":         `MANIFEST:1: utc_offset`,
		"utc_offset +0260":         `MANIFEST:1: utc_offset`,
	} {
		_, err := gridengine.Read(expect.Bundle(map[string]string{"qstat.xml": sample.Qstat(), "MANIFEST": line}),
			gridengine.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
	}
}

func TestWhatNobodyKnowsIsBounded(t *testing.T) {
	var rows strings.Builder
	for i := range 3 * source.MaxUnknowns {
		fmt.Fprintf(&rows, "<x%d>%s</x%d>", i, strings.Repeat("v", 1000), i)
	}
	snap := sample.OnlyQstat(t, sample.Job(rows.String()))
	last := snap.Unknown[0] // of no file, so that it sorts first
	if len(snap.Unknown) != source.MaxUnknowns || last.Name != "further names" || last.Count != 2*source.MaxUnknowns+1 ||
		len(snap.Unknown[1].Value) != source.MaxKept {
		t.Errorf("%d entries, %+v", len(snap.Unknown), last)
	}
}

func TestAHostileDocumentIsRefusedWithItsPlace(t *testing.T) {
	laughs := "<!DOCTYPE job_info [\n<!ENTITY a \"ha\">\n"
	for c := 'b'; c < 'k'; c++ {
		laughs += fmt.Sprintf("<!ENTITY %c \"%s\">\n", c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	for name, doc := range map[string]string{
		"billion laughs":     "<?xml version='1.0'?>\n" + laughs + "]>\n<job_info>&j;</job_info>",
		"an external entity": "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>\n<job_info>&b;</job_info>",
		"endless nesting":    "<job_info>" + strings.Repeat("<job_info>", 1e6),
		"a huge attribute":   "<job_info x='" + strings.Repeat("x", 10<<20) + "'>",
		"a huge text":        sample.Qstat(sample.Job("<JB_name>" + strings.Repeat("x", 10<<20) + "</JB_name>")),
		"a huge name":        "<job_info><" + strings.Repeat("x", 10<<20),
		"huge white space":   "<job_info>" + strings.Repeat(" ", 10<<20) + "</job_info>",
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range []string{"qstat.xml", "qstat-f.xml", "qstat-j.xml", "qhost.xml", "qrstat.xml"} {
				bundle := fstest.MapFS{"qstat.xml": {Data: []byte(sample.Qstat())}}
				bundle[file] = &fstest.MapFile{Data: []byte(doc)}
				_, err := gridengine.Read(bundle, gridengine.Options{})
				var p *importer.Problem
				if name == "huge white space" && err == nil {
					continue // harmless: it is passed over as it comes
				}
				if !errors.As(err, &p) || p.File != file || p.Line < 1 || len(p.Text) > source.MaxKept {
					t.Errorf("%s: got %v", file, err)
				}
			}
		})
	}
}

// A recorded bundle with a file cut off or a bit turned over reads, or says which file and line does not.
func TestADamagedBundleSaysWhere(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 19))
	read, refused := 0, 0
	for _, path := range recordings(t)[:4] {
		whole := fstest.MapFS{}
		bundle, _ := sample.Open(t, path)
		err := fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				data, err := fs.ReadFile(bundle, name)
				whole[name] = &fstest.MapFile{Data: data}
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, file := range whole {
			if len(file.Data) == 0 {
				continue
			}
			for range 4 {
				damaged := slices.Clone(file.Data)
				if at := random.IntN(len(damaged)); random.IntN(2) == 0 {
					damaged = damaged[:at]
				} else {
					damaged[at] ^= 1 << random.IntN(8)
				}
				whole[name] = &fstest.MapFile{Data: damaged}
				_, err := gridengine.Read(whole, gridengine.Options{})
				var p *importer.Problem
				switch {
				case err == nil:
					read++
				case !errors.As(err, &p) || p.File == "":
					t.Errorf("%s: %s: %v", path, name, err)
				default:
					refused++
				}
				if _, err := gridengine.Read(whole, gridengine.Options{KeepGoing: true}); err != nil && len(damaged) > 0 {
					t.Errorf("%s: %s: keeping on: %v", path, name, err)
				}
			}
			whole[name] = file
		}
	}
	t.Logf("%d read, %d refused", read, refused)
	if read == 0 || refused == 0 {
		t.Error("nothing was damaged")
	}
}
