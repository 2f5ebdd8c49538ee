package xmlscan

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// wants are the elements that readWanted reads.
var wants = map[string]bool{"a": true, "b": true}

// readWanted reads the wanted elements of each entry of a list, with gaps or without them. It counts the gaps that were
// passed.
func readWanted(s *Scanner, gaps bool) (read string, passed int) {
	var b strings.Builder
	kept := map[string]*Gap{}
	s.Root()
	for top := s.Depth(); s.Child(top); {
		d, at := s.Depth(), ""
		for more := true; more; {
			g := kept[at]
			if g == nil {
				g = &Gap{}
				kept[at] = g
			}
			if gaps && s.Pass(g, d) {
				passed++
				more = s.Depth() > d
			} else {
				mark := s.Mark()
				for more = s.Child(d); more && !wants[string(s.Name())]; {
					more = s.Child(d)
				}
				s.Keep(g, mark)
			}
			if at = string(s.Name()); more {
				fmt.Fprintf(&b, "%s=%s %s;", at, s.Attr("x"), s.Text())
			}
		}
		fmt.Fprintf(&b, "end of line %d\n", s.Line())
	}
	if err := s.Finish(); err != nil {
		fmt.Fprintln(&b, err)
	}
	return b.String(), passed
}

// pieces reads a text in pieces of n bytes.
func pieces(text string, n int) io.Reader {
	var list []io.Reader
	for len(text) > 0 {
		k := min(n, len(text))
		list = append(list, strings.NewReader(text[:k]))
		text = text[k:]
	}
	return io.MultiReader(list...)
}

// TestAGapHidesNothing reads random lists with and without gaps. Some of their elements differ from entry to entry, have
// attributes, are empty, or do not end.
func TestAGapHidesNothing(t *testing.T) {
	parts := []string{"<a>1</a>", "<a>2</a>", "<b>3</b>", "<c>4</c>", "<c>5</c>", "<c/>", "<d><a>6</a></d>", `<a x="7">8</a>`, "<a></a>",
		"<!-- note -->", `<c x="9"></c>`, `<a x="<1">9</a>`}
	faults := []string{"<c>", "</c>", "text", "<a><b></b></a>", "</list>"}
	all := 0
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 1))
		pick := func(list []string) string { return list[random.IntN(len(list))] }
		usual := make([]string, random.IntN(8))
		for i := range usual {
			usual[i] = pick(parts)
		}
		doc := "<list>\n"
		for range 8 {
			name := pick([]string{"e", "e", "e", "f"})
			doc += "<" + name + ">\n"
			for _, part := range usual {
				switch random.IntN(40) {
				case 0, 1, 2:
					part = pick(parts)
				case 3:
					part = ""
				case 4:
					if seed%4 == 0 {
						part = pick(faults)
					}
				}
				doc += part + "\n"
			}
			doc += "</" + name + ">\n"
		}
		doc += "</list>\n"
		for name, reader := range map[string]func() io.Reader{
			"at once":      func() io.Reader { return strings.NewReader(doc) },
			"in pieces":    func() io.Reader { return pieces(doc, 61) },
			"byte by byte": func() io.Reader { return pieces(doc, 1) },
		} {
			want, _ := readWanted(New(reader(), "file"), false)
			got, passed := readWanted(New(reader(), "file"), true)
			if got != want {
				t.Fatalf("seed %d, %s: %s\ngot\n%s\nwant\n%s", seed, name, doc, got, want)
			}
			all += passed
		}
	}
	if all < 10000 {
		t.Errorf("only %d gaps were passed", all)
	}
}

// TestAGapEndsWithATag reads a name with blanks and a "<" in it, as in a row of tasks from the spool.
func TestAGapEndsWithATag(t *testing.T) {
	doc := `<list><a "<"TASK: 1><c>5</c></a "<"TASK: 1>` + "\n" + `<TASK: 1><c>5</c></a "<"TASK: 1></list>`
	want, _ := readWanted(New(strings.NewReader(doc), "file"), false)
	if got, _ := readWanted(New(strings.NewReader(doc), "file"), true); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
