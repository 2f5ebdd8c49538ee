package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"flag"
	"io/fs"
	"maps"
	"os"
	"slices"
	"testing"

	"qprism/cmd/qprism/subject"
	"qprism/engine/gridengine/lastrun"
)

var update = flag.Bool("update", false, "write the last moment anew")

const lastMoment = "../../fixtures/month/end.tar.gz"

// TestAMonthIsPlayedOn: the same month each time, and what its bundles print agrees with what is recomputed of them, as a store would
// have them. No instance has more in use than it has slots, and what comes also goes.
func TestAMonthIsPlayedOn(t *testing.T) {
	p, err := newPlay()
	if err != nil {
		t.Fatal(err)
	}
	moments, waiting := 0, 0
	for at := begin.Add(step); !at.After(begin.Add(length)); at = at.Add(step) {
		p.until(at)
		if moments++; moments%20 != 0 {
			continue
		}
		bundle, err := p.bundle(p.endedSince(at.Add(-remembered)))
		if err != nil {
			t.Fatal(err)
		}
		waiting += checkMoment(t, p, bundle)
	}
	if len(p.ended) < 1000 || waiting < 100 || p.come != len(p.newJobs) {
		t.Errorf("%d jobs ended of %d, %d came; %d waited", len(p.ended), len(p.newJobs), p.come, waiting)
	}
	checkLast(t, p)
}

// checkMoment audits a moment, and is how many of its jobs wait.
func checkMoment(t *testing.T, p *play, bundle fs.FS) (waiting int) {
	t.Helper()
	s, err := subject.ReadBundle(bundle, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Instances {
		if q := &s.Instances[i]; q.Used > q.Slots {
			t.Errorf("%v: %s has %d of %d slots in use", p.at, q.Name, q.Used, q.Slots)
		}
	}
	if s.Note != note {
		t.Errorf("the bundle says %q of itself", s.Note)
	}
	view, _ := lastrun.Look(s, lastrun.Options{Quirks: p.quirks})
	if a := view.Agreement(); !view.At.Equal(p.at) || !a.Whole() || a.Of != 12*len(s.Jobs) {
		t.Errorf("%v: the run of %v, %d of %d numbers agree", p.at, view.At, a.Agree, a.Of)
	}
	return len(s.Jobs) - len(p.running)
}

// checkLast compares the last moment with the one that the documents have.
func checkLast(t *testing.T, p *play) {
	t.Helper()
	if *update {
		if err := writeEnd(p, lastMoment); err != nil {
			t.Fatal(err)
		}
	}
	bundle, err := p.bundle(p.ended)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filesOf(bundle)
	if err != nil {
		t.Fatal(err)
	}
	kept, closer, err := subject.BundleAt(lastMoment)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	for name, text := range files {
		if data, err := fs.ReadFile(kept, name); err != nil || !bytes.Equal(data, text) {
			t.Errorf("%s is not as it is kept (-update): %v", name, err)
		}
	}
}

// TestAStoreOfAMonthIsWholeOrNotThere: a store that is there already stays.
func TestAStoreOfAMonthIsWholeOrNotThere(t *testing.T) {
	file := t.TempDir() + "/month.db"
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), file); err == nil {
		t.Error("it is written over")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

// writeEnd writes the moment as an archive, with all that ended.
func writeEnd(p *play, file string) error {
	bundle, err := p.bundle(p.ended)
	if err != nil {
		return err
	}
	data, err := packed(bundle)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// packed is a bundle as an archive.
func packed(bundle fs.FS) ([]byte, error) {
	files, err := filesOf(bundle)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one
	w := tar.NewWriter(zip)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = zip.Close()
	return b.Bytes(), err
}
