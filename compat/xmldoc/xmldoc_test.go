package xmldoc

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func jobs(depth int, name string) bool { return depth == 2 }

// textsOf reads the records of a document, each as its name, its lines and its first text.
func textsOf(r io.Reader) (list []string, line int, err error) {
	line, err = Each(r, jobs, func(r *Record) error {
		list = append(list, fmt.Sprintf("%s%v %q", r.Data, r.Lines, r.Text("a")))
		return nil
	})
	return list, line, err
}

func TestRecordsAreReadWithTheLinesOfTheirElements(t *testing.T) {
	doc := "<?xml version='1.0' encoding='latin1'?>\n<Data><Job>\n<a> x&lt;y&bare; " +
		"</a><b><c>1</c>\n</b></Job>\n<!-- no record -->text<Node/></Data>\n"
	for name, r := range map[string]io.Reader{"at once": strings.NewReader(doc),
		"byte by byte": iotest.OneByteReader(strings.NewReader(doc))} {
		list, line, err := textsOf(r)
		if want := `[Job[4 3 4 3] "x<y&bare;" Node[5] ""]`; fmt.Sprint(list) != want || err != nil || line != 6 {
			t.Errorf("%s: %v, line %d, %v, want %s", name, list, line, err, want)
		}
	}
}

func TestWhatIsTooMuchIsRefusedBeforeATreeIsMade(t *testing.T) {
	for name, c := range map[string]struct {
		doc  io.Reader
		want error
	}{
		"nesting":              {strings.NewReader("<D>" + strings.Repeat("<a>", maxNesting)), errNesting},
		"nesting before any":   {strings.NewReader(strings.Repeat("<a>", 1e6)), errNesting},
		"a record":             {io.MultiReader(strings.NewReader("<D><J>"), endless("<b/>")), errElements},
		"a text":               {io.MultiReader(strings.NewReader("<D><J>"), endless("text ")), errLarge},
		"a tag":                {io.MultiReader(strings.NewReader("<D><J "), endless("a='b' ")), errLarge},
		"a comment":            {io.MultiReader(strings.NewReader("<D><!--"), endless("text ")), errLarge},
		"what has no end":      {strings.NewReader("<D><J><a>1</a></J>"), errEnds},
		"a record without one": {strings.NewReader("<D><J><a>1</a>"), errEnds},
	} {
		var syntax *xml.SyntaxError
		if _, _, err := textsOf(c.doc); !errors.Is(err, c.want) && !(c.want == errEnds && errors.As(err, &syntax)) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// endless repeats a text for ever.
type endless string

func (e endless) Read(p []byte) (int, error) {
	if len(p) < len(e) {
		return 0, io.ErrShortBuffer
	}
	return copy(p, strings.Repeat(string(e), len(p)/len(e))), nil
}

func TestManyRecordsNeedNoMoreThanOne(t *testing.T) {
	n := 0
	many := io.MultiReader(strings.NewReader("<D>"),
		strings.NewReader(strings.Repeat("<J><a>1</a></J>", 200_000)), strings.NewReader("</D>"))
	d := &document{is: jobs, each: func(*Record) error { n++; return nil }}
	d.decoder = xml.NewDecoder(io.TeeReader(many, &d.kept))
	for d.next() == nil {
	}
	if n != 200_000 || cap(d.kept.text) > 1<<20 {
		t.Errorf("%d records, %d bytes kept", n, cap(d.kept.text))
	}
}

func FuzzRecords(f *testing.F) {
	for _, doc := range []string{"<D><J><a>1</a></J></D>", "<D/><E/>", "<D><J><a></J></a></D>", "text<a><b>&x;</b></a>",
		"<?a b?><!DOCTYPE D><D><J b=c/></D>"} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		list, _, err := textsOf(strings.NewReader(doc))
		slow, _, slowErr := textsOf(iotest.OneByteReader(strings.NewReader(doc)))
		if fmt.Sprint(list) != fmt.Sprint(slow) || (err == nil) != (slowErr == nil) {
			t.Errorf("at once %v, %v; byte by byte %v, %v", list, err, slow, slowErr)
		}
	})
}
