package xmlscan

import (
	"strings"
	"testing"
)

// TestInsideIsTheRestOfAnElement reads each document twice: as usual, and with passing over elements whose bytes were
// read before. Both must read the same, whatever the buffer has of the document.
func TestInsideIsTheRestOfAnElement(t *testing.T) {
	long := strings.Repeat("x", largestGap)
	docs := map[string]string{
		"plain":          "<l><a><b>1</b></a><a><b>2</b></a><a><b>1</b></a></l>",
		"its own name":   "<l><a><a>1</a></a><a><a>1</a></a><c/></l>",
		"a longer name":  "<l><a><ab>1</ab></a><a><ab>1</ab></a></l>",
		"empty":          "<l><a/><a></a><a></a></l>",
		"in a comment":   "<l><a><!-- </a> --><b>1</b></a><a><!-- </a> --><b>1</b></a></l>",
		"blanks at end":  "<l><a><b>1</b></a ><a><b>1</b></a ></l>",
		"too long":       "<l><a><b>" + long + "</b></a><a><b>" + long + "</b></a></l>",
		"not ended":      "<l><a><b>1</b></a><a><b>1</b></l>",
		"over two lines": "<l><a>\n<b>1</b>\n</a>\n<a>\n<b>1</b>\n</a></l>",
	}
	passes := 0
	for name, doc := range docs {
		for _, n := range []int{1, 7, len(doc)} {
			want, _ := readList(New(pieces(doc, n), "file"), false)
			got, passed := readList(New(pieces(doc, n), "file"), true)
			if got != want {
				t.Errorf("%s, in pieces of %d bytes: got %q, want %q", name, n, got, want)
			}
			passes += passed
		}
	}
	if passes < 5 {
		t.Errorf("only %d elements were passed over", passes)
	}
}

// readList reads the elements of a list. With remember, it passes over an element whose bytes it has read before.
func readList(s *Scanner, remember bool) (read string, passed int) {
	known := map[string]string{}
	s.Root()
	for top := s.Depth(); s.Child(top); {
		inside := string(s.Inside())
		if texts, same := known[inside]; same && remember {
			s.PassInside(len(inside))
			read += texts
			passed++
			continue
		}
		mark, texts := s.Mark(), ""
		for d := s.Depth(); s.Child(d); {
			name := string(s.Name())
			text, _ := s.Leaf()
			texts += name + "=" + string(text) + " "
		}
		if inside != "" && s.Ended(mark, len(inside)) {
			known[inside] = texts
		}
		read += texts
	}
	line := s.Line()
	if err := s.Finish(); err != nil {
		read += err.Error()
	}
	return read + strings.Repeat("\n", line), passed
}

func TestInsideOfNothing(t *testing.T) {
	s := New(strings.NewReader("<l></l>"), "file")
	if s.Inside() != nil {
		t.Error("a document that has not begun has an inside")
	}
	s.Root()
	if got := string(s.Inside()); got != "</l>" {
		t.Errorf("got %q", got)
	}
}
