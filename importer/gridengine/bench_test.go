package gridengine

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/antchfx/xmlquery"

	"qprism/fixtures/generate"
	"qprism/importer"
)

// BenchmarkScan reads the same qstat.xml with the scanner of this package, with encoding/xml and with
// xmlquery as a stream; docs/explanation/accuracy.md has what it measured.
func BenchmarkScan(b *testing.B) {
	var doc bytes.Buffer
	if err := generate.Qstat(&doc, 10000); err != nil {
		b.Fatal(err)
	}
	elements := map[string]int{}
	b.Run("scanner", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		b.ReportAllocs()
		for b.Loop() {
			elements["scanner"] = scanAll(b, newScanner(bytes.NewReader(doc.Bytes()), "qstat.xml"))
		}
	})
	b.Run("encoding-xml", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		b.ReportAllocs()
		for b.Loop() {
			elements["encoding-xml"] = decodeAll(b, xml.NewDecoder(bytes.NewReader(doc.Bytes())))
		}
	})
	b.Run("xmlquery", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		b.ReportAllocs()
		for b.Loop() {
			elements["xmlquery"] = queryAll(b, bytes.NewReader(doc.Bytes()))
		}
	})
	if len(elements) == 3 && (elements["scanner"] != elements["encoding-xml"] ||
		elements["scanner"] != elements["xmlquery"]) {
		b.Errorf("elements with text: %v", elements)
	}
}

// scanAll reads every text of a document, and counts those that are not blank.
func scanAll(b *testing.B, s *scanner) (texts int) {
	var walk func(d int)
	walk = func(d int) {
		for s.child(d) {
			if text, whole := s.leaf(); !whole {
				walk(d + 1)
			} else if len(bytes.TrimSpace(text)) > 0 {
				texts++
			}
		}
	}
	s.root()
	walk(1)
	if err := s.finish(); err != nil {
		b.Fatal(err)
	}
	return texts
}

func decodeAll(b *testing.B, d *xml.Decoder) (texts int) {
	for {
		token, err := d.Token()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			b.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(text)) > 0 {
			texts++
		}
	}
}

// queryAll reads job by job, as xmlquery reads a stream.
func queryAll(b *testing.B, r io.Reader) (texts int) {
	p, err := xmlquery.CreateStreamParser(r, "//job_list")
	if err != nil {
		b.Fatal(err)
	}
	for {
		job, err := p.Read()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			b.Fatal(err)
		}
		for n := job.FirstChild; n != nil; n = n.NextSibling {
			if n.Type == xmlquery.ElementNode && strings.TrimSpace(n.InnerText()) != "" {
				texts++
			}
		}
	}
}

// BenchmarkRead imports a bundle of 100,000 pending jobs, 120 MB of XML, from a folder. Live is what the snapshot
// keeps, peak the largest heap seen on the way.
func BenchmarkRead(b *testing.B) {
	const jobs = 100_000
	dir := b.TempDir()
	if err := generate.Bundle(dir, jobs); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "qstat.xml"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	var peak, live uint64
	for b.Loop() {
		runtime.GC()
		before := heap()
		stop := watchHeap(&peak)
		bundle, closer, err := importer.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		s, err := Read(bundle, Options{})
		if err != nil {
			b.Fatal(err)
		}
		stop()
		closer.Close()
		runtime.GC()
		live = heap() - before
		if len(s.Jobs) != jobs || len(s.Unknown) > 0 {
			b.Fatalf("%d jobs, unknown %v", len(s.Jobs), s.Unknown)
		}
		runtime.KeepAlive(s)
	}
	b.ReportMetric(jobs*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(live)/1e6, "live-MB")
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// watchHeap notes the largest heap until it is stopped.
func watchHeap(peak *uint64) (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			*peak = max(*peak, heap())
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return func() {
		close(done)
		wait.Wait()
	}
}
