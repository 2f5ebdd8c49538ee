package xmlscan

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/antchfx/xmlquery"

	"qprism/fixtures/generate"
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
			elements["scanner"] = scanAll(b, New(bytes.NewReader(doc.Bytes()), "qstat.xml"))
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
func scanAll(b *testing.B, s *Scanner) (texts int) {
	var walk func(d int)
	walk = func(d int) {
		for s.Child(d) {
			if text, whole := s.Leaf(); !whole {
				walk(d + 1)
			} else if len(bytes.TrimSpace(text)) > 0 {
				texts++
			}
		}
	}
	s.Root()
	walk(1)
	if err := s.Finish(); err != nil {
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
