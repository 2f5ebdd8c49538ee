// Package xmldoc reads small XML documents of masters as trees, one record after the other (xmldoc.go). For
// long documents of Grid Engine, package importer/gridengine/xmlscan has a faster scanner.
package xmldoc

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/antchfx/xmlquery"
)

// Limits of a document, because it may come from a stranger. They are checked before a tree is made.
const (
	maxRecord   = 16 << 20 // bytes of a record, and of the text between two records
	maxElements = 1 << 16  // in a record; a tree needs some hundred bytes for each
	maxNesting  = 16       // depth of nested elements, counted from the root
)

// Errors of a document.
var (
	errEnds     = errors.New("the document ends in the middle")
	errLarge    = fmt.Errorf("a part of more than %d bytes", maxRecord)
	errElements = fmt.Errorf("a record of more than %d elements", maxElements)
	errNesting  = fmt.Errorf("more than %d elements inside each other", maxNesting)
)

// A Record is an element of a document with everything below it.
type Record struct {
	*xmlquery.Node
	Lines []int // the line where each element ends; elements are in the order of their beginnings, the record first
}

// Text returns the trimmed text of the first direct child with a name. It is empty if there is none.
func (r *Record) Text(name string) string {
	if n := r.SelectElement(name); n != nil {
		return strings.TrimSpace(n.InnerText())
	}
	return ""
}

// Each reads a document and passes each record to the function each. An element is a record if the function is
// returns true for its depth (the root has 1) and name. Records inside a record do not count. line is the last
// line that was read.
func Each(r io.Reader, is func(depth int, name string) bool, each func(*Record) error) (line int, err error) {
	d := &document{is: is, each: each}
	d.decoder = xml.NewDecoder(io.TeeReader(r, &d.kept))
	plain(d.decoder)
	for err == nil {
		err = d.next()
	}
	line, _ = d.decoder.InputPos()
	if err == io.EOF {
		err = nil
		if d.depth > 0 {
			err = errEnds
		}
	}
	return line, err
}

// plain makes a decoder accept names as masters print them, in any encoding that they claim to use.
func plain(d *xml.Decoder) {
	d.Strict = false
	d.CharsetReader = asItIs
}

func asItIs(_ string, r io.Reader) (io.Reader, error) { return r, nil }

// A document is an XML document while it is read. Its limits are checked before a tree is made.
type document struct {
	decoder *xml.Decoder
	is      func(depth int, name string) bool
	each    func(*Record) error

	depth  int
	within int   // depth of the open record; 0 for none
	begins int64 // offset of the open record
	lines  []int // lines of its elements
	open   []int // indices in lines of elements that have not ended
	kept   kept
}

// next reads one token.
func (d *document) next() error {
	offset := d.decoder.InputOffset()
	if d.within == 0 {
		d.kept.drop(offset)
	}
	token, err := d.decoder.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case xml.StartElement:
		return d.start(t.Name.Local, offset)
	case xml.EndElement:
		return d.end()
	}
	return nil
}

func (d *document) start(name string, offset int64) error {
	if d.depth++; d.depth > maxNesting {
		return errNesting
	}
	if d.within == 0 && d.is(d.depth, name) {
		d.within, d.begins, d.lines, d.open = d.depth, offset, nil, nil
	}
	if d.within > 0 {
		d.open = append(d.open, len(d.lines))
		if d.lines = append(d.lines, 0); len(d.lines) > maxElements {
			return errElements
		}
	}
	return nil
}

func (d *document) end() error {
	d.depth--
	if d.within == 0 {
		return nil
	}
	last := len(d.open) - 1
	d.lines[d.open[last]], _ = d.decoder.InputPos()
	if d.open = d.open[:last]; last > 0 {
		return nil
	}
	d.within = 0
	return d.record(d.kept.part(d.begins, d.decoder.InputOffset()))
}

// record makes a tree from the text of a record. The limits apply.
func (d *document) record(text []byte) error {
	tree, err := xmlquery.ParseWithOptions(bytes.NewReader(text),
		xmlquery.ParserOptions{Decoder: &xmlquery.DecoderOptions{CharsetReader: asItIs}})
	if err != nil {
		return err
	}
	return d.each(&Record{xmlquery.FindOne(tree, "/*"), d.lines})
}

// kept is the part of a document that was read and that is still needed.
type kept struct {
	text  []byte
	first int64 // offset of the text
}

func (k *kept) Write(p []byte) (int, error) {
	if len(k.text)+len(p) > maxRecord {
		return 0, errLarge
	}
	k.text = append(k.text, p...)
	return len(p), nil
}

// drop removes the text before an offset, from time to time.
func (k *kept) drop(before int64) {
	if n := int(before - k.first); n > 1<<16 || n == len(k.text) {
		k.text = append(k.text[:0], k.text[n:]...)
		k.first = before
	}
}

func (k *kept) part(from, to int64) []byte { return k.text[from-k.first : to-k.first] }
