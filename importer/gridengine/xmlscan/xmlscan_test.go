package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"qprism/importer"
)

// outline writes down what a scanner reads: elements, attributes and texts.
func outline(s *Scanner) (string, error) {
	var b strings.Builder
	var walk func(d int)
	walk = func(d int) {
		for s.Child(d) {
			element(&b, s)
			if text, whole := s.Leaf(); whole {
				fmt.Fprintf(&b, "%q)", text)
			} else {
				walk(d + 1)
				b.WriteString(")")
			}
		}
	}
	if s.Root() != "" {
		element(&b, s)
		walk(1)
		b.WriteString(")")
	}
	return b.String(), s.Finish()
}

func element(b *strings.Builder, s *Scanner) {
	fmt.Fprintf(b, "(%s", s.Name())
	for _, a := range s.attrs {
		fmt.Fprintf(b, " %s=%q", a.name, s.decode(a.value))
	}
	b.WriteString(" ")
}

func TestAScannerReadsWhatCommandsPrint(t *testing.T) {
	for name, c := range map[string]struct{ doc, want string }{
		"texts":         {"<a><b>1</b><b></b></a>", `(a (b "1")(b ""))`},
		"a declaration": {"<?xml version='1.0'?>\n<a>\n</a>\n", `(a )`},
		"a declaration with an encoding": {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a><b>\xe9</b></a>",
			`(a (b "\xe9"))`},
		"attributes": {`<a  x="1" y='2 > "1"'><b z = "3" >v</b></a>`,
			`(a x="1" y="2 > \"1\"" (b z="3" "v"))`},
		"an element without content": {`<a><b/><c x="1"/><d /></a>`, `(a (b "")(c x="1" "")(d ""))`},
		"entities": {`<a><b c="&lt;&#65;">&lt;&gt;&amp;&apos;&quot;&#10;&#x20AC;</b></a>`,
			`(a (b c="<A" "<>&'\"\n€"))`},
		"bytes that are no text":   {"<a><b>x\x01\xff\x7f</b></a>", `(a (b "x\x01\xff\x7f"))`},
		"blank texts":              {"<a><b> 1\t</b></a>", `(a (b " 1\t"))`},
		"blanks in an end tag":     {"<a><b>1</b  ></a >", `(a (b "1"))`},
		"a text before an element": {"<a><b> <c>1</c></b></a>", `(a (b (c "1")))`},
		"a name with a colon":      {"<x:a><b:c>1</b:c></x:a>", `(x:a (b:c "1"))`},
		"as deep as can be":        {strings.Repeat("<a>", maxNesting) + strings.Repeat("</a>", maxNesting), ""},
		"a text as long as can be": {"<a><b>" + strings.Repeat("x", maxText) + "</b></a>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := outline(New(strings.NewReader(c.doc), "f"))
			if err != nil {
				t.Fatal(err)
			}
			if c.want != "" && got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			slow, err := outline(New(iotest.OneByteReader(strings.NewReader(c.doc)), "f"))
			if err != nil || slow != got {
				t.Errorf("byte by byte: got %.100s, %v", slow, err)
			}
		})
	}
}

func TestAScannerRefusesWhatCommandsNeverPrint(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		line int
		want string
	}{
		"nothing":                         {"", 1, "no document"},
		"a text":                          {"hello", 1, "a tag is expected"},
		"a message before the document":   {"error: commlib error\n<a></a>", 1, "a tag is expected"},
		"a document type":                 {"<?xml version='1.0'?>\n<!DOCTYPE a>\n<a></a>", 2, "document types"},
		"entities that laugh":             {"<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;'>]>\n<a>&c;</a>", 1, ""},
		"an entity declared inside":       {"<a>\n<!ENTITY b 'c'></a>", 2, "document types"},
		"an unknown entity":               {"<a>\n<b>\n&c;</b></a>", 2, "unknown entity"},
		"an unknown entity as attribute":  {"<a><b c='&d;'/></a>", 1, "unknown entity"},
		"an entity without an end":        {"<a><b>R&D</b></a>", 1, "unknown entity"},
		"an entity for a zero byte":       {"<a><b>&#0;</b></a>", 1, "unknown entity"},
		"an entity for half a character":  {"<a><b>&#xD800;</b></a>", 1, "unknown entity"},
		"an entity beyond all":            {"<a><b>&#x110000;</b></a>", 1, "unknown entity"},
		"a comment without an end":        {"<a><!-- b ></a>", 1, "cut off"},
		"a CDATA section":                 {"<a><b><![CDATA[c]]></b></a>", 1, "CDATA"},
		"an instruction without an end":   {"<a>\n<?php b ></a>", 2, "cut off"},
		"an open declaration":             {"<?xml version='1.0'><a></a>", 1, "declaration"},
		"an end that is another's":        {"<a>\n<b>1</c>\n</a>", 2, "the end of <b>"},
		"an end too early":                {"<a><b></a>", 1, "the end of <b>"},
		"an end too much":                 {"<a></a></a>", 1, "more after the end"},
		"two documents":                   {"<a>\n</a>\n<a></a>", 3, "more after the end"},
		"text behind the document":        {"<a></a>\nx", 2, "more after the end"},
		"text between elements":           {"<a>\n<b></b>x</a>", 2, "text where an element"},
		"cut off in a text":               {"<a><b>\nx", 1, "cut off inside <b>"},
		"cut off in a tag":                {"<a><b", 1, "cut off inside <a>"},
		"cut off in an attribute":         {"<a><b c='d>", 1, "cut off inside <a>"},
		"cut off in an end":               {"<a><b>x</", 1, "cut off inside <b>"},
		"cut off behind an element":       {"<a><b>x</b>", 1, "cut off inside <a>"},
		"a tag without a name":            {"<unknown_jobs><>\n</></unknown_jobs>", 1, "without a name"},
		"a name with a quote":             {"<a'b'></a'b'>", 1, "a name with"},
		"a tag in a tag":                  {"<a <b></a>", 1, "a tag without an end"},
		"an attribute without a value":    {"<a b></a>", 1, "without a quoted value"},
		"an attribute without quotes":     {"<a b=c></a>", 1, "without a quoted value"},
		"an attribute without a name":     {"<a ='c'></a>", 1, "without a name"},
		"nesting too deep":                {strings.Repeat("<a>\n", maxNesting+1), maxNesting + 1, "inside each other"},
		"endless nesting":                 {strings.Repeat("<a>", 1e6), 1, "inside each other"},
		"a text too long":                 {"<a><b>" + strings.Repeat("x", maxText+1) + "</b></a>", 1, "a text of more"},
		"a blank text too long":           {"<a><b>" + strings.Repeat("\n", maxText+1) + "</b></a>", 1, "a text of more"},
		"a name too long":                 {"<" + strings.Repeat("a", maxName+1) + ">", 1, "a name of more"},
		"a name that never ends":          {"<" + strings.Repeat("a", maxTag+1), 1, "a tag of more"},
		"an attribute too long":           {"<a b='" + strings.Repeat("c", maxTag) + "'>", 1, "a tag of more"},
		"an attribute's name too long":    {"<a " + strings.Repeat("b", maxName+1) + "='c'>", 1, "a name of more"},
		"too many attributes":             {"<a" + strings.Repeat(" b='c'", maxAttributes+1) + ">", 1, "attributes"},
		"an error of the file it is from": {"\x00broken", 1, "broken reader"},
	} {
		t.Run(name, func(t *testing.T) {
			var r io.Reader = strings.NewReader(c.doc)
			if c.doc == "\x00broken" {
				r = iotest.ErrReader(errors.New("broken reader"))
			}
			_, err := outline(New(r, "f.xml"))
			var p *importer.Problem
			if !errors.As(err, &p) {
				t.Fatalf("got %v", err)
			}
			if p.File != "f.xml" || p.Line != c.line || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s in line %d", err, c.want, c.line)
			}
		})
	}
}

func TestWhatALoopLeavesIsSkipped(t *testing.T) {
	const doc = `<a><b><c>1</c><d><e>2</e></d></b><f/><g x="1">3</g><h>4</h></a>`
	s := New(strings.NewReader(doc), "f")
	s.Root()
	var names []string
	for s.Child(1) {
		names = append(names, string(s.Name()))
		if string(s.Name()) == "b" {
			s.Child(2) // one of two
		}
	}
	if err := s.Finish(); err != nil || strings.Join(names, "") != "bfgh" {
		t.Errorf("got %v, %v", names, err)
	}
}

func TestATextIsExpectedWhereOneIsAskedFor(t *testing.T) {
	s := New(strings.NewReader("<a><b>\n1<c>2</c></b></a>"), "f")
	s.Root()
	s.Child(1)
	if s.Text(); s.Err == nil || !strings.Contains(s.Err.Error(), "f:2: an element inside <b>") {
		t.Errorf("got %v", s.Err)
	}
}

func TestSlipsOfCommandsAreUndone(t *testing.T) {
	const doc = `<a><b>x%lt;y&amp;</b><c d="A&B">R&D&lt;</c></a>`
	s := New(strings.NewReader(doc), "f")
	s.PercentLT, s.BareAmpersand = true, true
	if got, err := outline(s); err != nil || got != `(a (b "x<y&")(c d="A&B" "R&D<"))` {
		t.Errorf("got %s, %v", got, err)
	}
}

func FuzzScan(f *testing.F) {
	for _, doc := range []string{
		"<?xml version='1.0'?>\n<a x='1'><b/><c>&lt;\xff</c><d><e>1</e> </d></a>\n",
		"<a><b c=\"d>\">%lt;</b ></a>",
		"<!DOCTYPE a><a/>",
		strings.Repeat("<a>", 70),
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := outline(New(bytes.NewReader(doc), "f"))
		slow, slowErr := outline(New(iotest.HalfReader(iotest.OneByteReader(bytes.NewReader(doc))), "f"))
		if (err == nil) != (slowErr == nil) || err == nil && got != slow {
			t.Errorf("in one piece %q, %v; byte by byte %q, %v", got, err, slow, slowErr)
		}
		var p *importer.Problem
		if err != nil && (!errors.As(err, &p) || p.Line < 1) {
			t.Errorf("no line: %v", err)
		}
		// Whatever this scanner takes, any reader of XML takes, as long as it is XML: as long as it is text.
		if err == nil && isText(doc) {
			if err := decodes(doc); err != nil {
				t.Errorf("encoding/xml: %v", err)
			}
		}
	})
}

// isText reports whether a document holds only letters of which names may be made, and the signs of XML.
func isText(doc []byte) bool {
	for _, c := range doc {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz <>/='\"\n", rune(c)) {
			return false
		}
	}
	return true
}

func decodes(doc []byte) error {
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
