package gridengine

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
	"qprism/importer/source"
)

func TestTheManifestSaysWhereAndWhen(t *testing.T) {
	snap := withCluster(t, map[string]string{
		"MANIFEST": "taken_at 1795248962.27215\nmaster vm\ncell default\nutc_offset +02:00\nuname Linux vm\n" +
			"command qstat.xml rc=0 qstat -xml\n\n",
		"qstat-help.txt": "SGE 8.1.9\nusage: qstat [options]\n",
	})
	same(t, "cluster", snap.Cluster, "vm/default")
	same(t, "taken at", snap.TakenAt, time.Unix(1795248962, 272150000).UTC())
	same(t, "offset", snap.Location, "+02:00")
	same(t, "release", snap.Release, model.Release{Product: "SGE", Version: "8.1.9"})
	same(t, "unknown", snap.Unknown,
		[]model.Unknown{{File: "MANIFEST", Line: 5, Name: "uname", Value: "Linux vm", Count: 1}})
}

func TestWhatTheManifestDoesNotSayStaysEmpty(t *testing.T) {
	snap := withCluster(t, map[string]string{"MANIFEST": "cell default\n", "qstat-help.txt": "usage: qstat\n"})
	if !snap.TakenAt.IsZero() || snap.Location != "" || snap.Release.Version != "" || snap.Cluster != "/default" {
		t.Errorf("got %v %q %v %q", snap.TakenAt, snap.Location, snap.Release, snap.Cluster)
	}
	same(t, "unknown", snap.Unknown,
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
		_, err := Read(bundleOf(map[string]string{"qstat.xml": qstatXML(), "MANIFEST": line}), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
	}
}

func TestASnapshotSaysWhichFilesItIsFrom(t *testing.T) {
	snap := withCluster(t, map[string]string{
		"users/b.txt": "name b\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n",
		"users/a.txt": "name a\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n",
		"rqs.txt":     "", "messages": "", "qstat-pri.txt": "", "scenario.json": "{}", "users/c.bak": "",
		"notes": "", "odd/a.txt": "",
	})
	same(t, "has", snap.Has, []string{"messages", "qstat.xml", "rqs.txt", "users/a.txt", "users/b.txt"})
	if slices.Contains(snap.Missing, "users/") || slices.Contains(snap.Missing, "rqs/") ||
		!slices.Contains(snap.Missing, "queues/") ||
		len(snap.Missing) != len(layout)-len(seldom)-4 || !slices.IsSorted(snap.Missing) {
		t.Errorf("missing: %v", snap.Missing)
	}
	if !snap.HasFile("users/") || !snap.HasFile("rqs/") || snap.HasFile("pes/") {
		t.Error("HasFile does not know folders")
	}
	var unknown []string
	for _, u := range snap.Unknown {
		unknown = append(unknown, u.File)
	}
	same(t, "unknown", unknown, []string{"notes", "odd/a.txt", "users/c.bak"})
}

func TestWhatNobodyKnowsIsBounded(t *testing.T) {
	var rows strings.Builder
	for i := range 3 * source.MaxUnknowns {
		fmt.Fprintf(&rows, "<x%d>%s</x%d>", i, strings.Repeat("v", 1000), i)
	}
	snap := onlyQstat(t, qstatRow(rows.String()))
	last := snap.Unknown[0] // of no file, so that it sorts first
	if len(snap.Unknown) != source.MaxUnknowns || last.Name != "further names" || last.Count != 2*source.MaxUnknowns+1 ||
		len(snap.Unknown[1].Value) != source.MaxKept {
		t.Errorf("%d entries, %+v", len(snap.Unknown), last)
	}
}

func TestTimesOfEveryForm(t *testing.T) {
	r := &reader{offset: 2 * time.Hour}
	for text, want := range map[string]string{
		"":                           "0001-01-01T00:00:00Z",
		"0":                          "0001-01-01T00:00:00Z",
		"1795248960":                 "2026-11-21T08:16:00Z",
		"1795250719807356":           "2026-11-21T08:45:19.807356Z",
		"2026-11-21T08:16:01":        "2026-11-21T06:16:01Z",
		"2026-11-21T08:16:01.693561": "2026-11-21T06:16:01.693561Z",
		"11/21/2026 08:16:01":        "2026-11-21T06:16:01Z",
		"2026-11-21T08:16:01.250Z":   "2026-11-21T08:16:01.25Z",
		"2026-11-21 08:25:48.5":      "2026-11-21T06:25:48.5Z",
	} {
		got, err := r.parseTime(text)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"-1", "now", "1e9", "99999999999999999999", "2026-11-21", "2026-13-21T08:16:01", "2026-00-21T08:16:01",
		"2026-11-32T08:16:01",
		"2026-11-21T24:16:01", "2026-11-21T08:60:01", "2026-11-21T08:16:61", "2026-11-21T08:16:01.",
		"2026-11-21T08:16:01.1234567890",
		"2026-11-21T08:16:01Zx", "21.11.2026 08:16:01", "2026-11-21x08:16:01", "0000-11-21T08:16:01", "20x6-11-21T08:16:01",
	} {
		if got, err := r.parseTime(text); err == nil {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestRangesPrintAndReadToTheSameNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var numbers []uint32
		var ranges []model.Range
		for n := uint32(1); len(numbers) < 30; n += 1 + random.Uint32N(random.Uint32N(6)+1) {
			numbers = append(numbers, n)
			ranges = appendRange(ranges, rangeOf(n, n, 1))
		}
		if got := expand(ranges); !slices.Equal(got, numbers) {
			t.Fatalf("%v became %v", numbers, ranges)
		}
		var text []string
		for _, r := range ranges {
			text = append(text, fmt.Sprintf("%d-%d:%d", r.Min, r.Max, r.Step))
		}
		again, err := parseRanges(nil, strings.Join(text, ","))
		if got := expand(again); err != nil || !slices.Equal(got, numbers) {
			t.Fatalf("%v printed and read is %v, %v", ranges, again, err)
		}
		taken, rest := takeNumbers(ranges, numbers[10:20])
		if !slices.Equal(expand(taken), numbers[10:20]) || len(expand(rest)) != 20 ||
			slices.Contains(expand(rest), numbers[15]) {
			t.Fatalf("%v without %v is %v", ranges, taken, rest)
		}
	}
}

func TestRangesTakeTheirOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"7": "[{7 7 1}]", "1,2": "[{1 2 1}]", "2-4": "[{2 4 1}]", "2-10:2": "[{2 10 2}]", "2-11:2": "[{2 10 2}]",
		"7-13:3,19": "[{7 13 3} {19 19 1}]",
		"1,5,6,7":   "[{1 1 1} {5 7 1}]", "3-3:5": "[{3 3 1}]", "1-3,4-9": "[{1 9 1}]",
		"5,3": "[{5 5 1} {3 3 1}]", "4,4": "[{4 4 1} {4 4 1}]",
		"1-4294967295:1": "[{1 4294967295 1}]", "0": "[{0 0 1}]",
	} {
		got, err := parseRanges(nil, text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", "1-", "-1", "2-1", "1-5:0", "1-5:", "4294967296",
		"1,,2", "a", "1-2-3", "1:2:3"} {
		if got, err := parseRanges(nil, text); err == nil {
			t.Errorf("%q: got %v", text, got)
		}
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
		"a huge text":        qstatXML(qstatRow("<JB_name>" + strings.Repeat("x", 10<<20) + "</JB_name>")),
		"a huge name":        "<job_info><" + strings.Repeat("x", 10<<20),
		"huge white space":   "<job_info>" + strings.Repeat(" ", 10<<20) + "</job_info>",
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range []string{"qstat.xml", "qstat-f.xml", "qstat-j.xml", "qhost.xml", "qrstat.xml"} {
				bundle := fstest.MapFS{"qstat.xml": {Data: []byte(qstatXML())}}
				bundle[file] = &fstest.MapFile{Data: []byte(doc)}
				_, err := Read(bundle, Options{})
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
		bundle, _ := readBundle(t, path)
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
				_, err := Read(whole, Options{})
				var p *importer.Problem
				switch {
				case err == nil:
					read++
				case !errors.As(err, &p) || p.File == "":
					t.Errorf("%s: %s: %v", path, name, err)
				default:
					refused++
				}
				if _, err := Read(whole, Options{KeepGoing: true}); err != nil && len(damaged) > 0 {
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
