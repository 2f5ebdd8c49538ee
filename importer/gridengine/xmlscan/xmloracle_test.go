package xmlscan

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antchfx/xmlquery"
	"github.com/google/go-cmp/cmp"

	"qprism/fixtures/archive"
)

// TestTheScannerReadsWhatAnotherReaderReads holds the scanner against xmlquery on every recorded document
// that is XML to both: the same elements with the same texts.
func TestTheScannerReadsWhatAnotherReaderReads(t *testing.T) {
	archives, err := filepath.Glob("../../../fixtures/gridengine/*.tar.gz")
	if err != nil || len(archives) < 20 {
		t.Fatal(len(archives), err)
	}
	documents, elements := 0, 0
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		bundle, err := archive.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		err = fs.WalkDir(bundle, ".", func(file string, e fs.DirEntry, err error) error {
			if err != nil || path.Ext(file) != ".xml" {
				return err
			}
			text, err := fs.ReadFile(bundle, file)
			if n := compareReaders(t, name+" "+file, text); n > 0 {
				documents++
				elements += n
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if documents < 50 || elements < 10_000 {
		t.Errorf("only %d documents, %d elements", documents, elements)
	}
}

// compareReaders counts the elements that both read; 0 where one refuses the document: names as they are,
// or one behind the other.
func compareReaders(t *testing.T, name string, text []byte) int {
	var want, got strings.Builder
	tree, err := xmlquery.Parse(bytes.NewReader(text))
	s := New(bytes.NewReader(text), name)
	outlineOfScan(&got, s)
	if s.Finish() != nil || err != nil {
		return 0
	}
	outlineOfTree(&want, tree, 1)
	if want.String() != got.String() {
		t.Errorf("%s: the readers differ: %s", name, cmp.Diff(want.String(), got.String()))
	}
	return strings.Count(want.String(), "\n")
}

// outlineOfTree writes a line for each element: its depth, name, and its text where it holds no other.
func outlineOfTree(b *strings.Builder, n *xmlquery.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != xmlquery.ElementNode {
			outlineOfTree(b, c, depth) // a declaration holds what follows it
			continue
		}
		text := ""
		if c.SelectElement("*") == nil {
			text = strings.TrimSpace(c.InnerText())
		}
		fmt.Fprintf(b, "%d %s %q\n", depth, c.Data, text)
		outlineOfTree(b, c, depth+1)
	}
}

func outlineOfScan(b *strings.Builder, s *Scanner) {
	s.Root()
	writeScanned(b, s, 1)
}

func writeScanned(b *strings.Builder, s *Scanner, depth int) {
	name := string(s.Name())
	text, whole := s.Leaf()
	if !whole {
		text = nil
	}
	fmt.Fprintf(b, "%d %s %q\n", depth, name, strings.TrimSpace(string(text)))
	if whole {
		return
	}
	for d := s.Depth(); s.Child(d); {
		writeScanned(b, s, depth+1)
	}
}
