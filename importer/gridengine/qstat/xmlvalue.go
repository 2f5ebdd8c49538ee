package qstat

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine/xmlscan"
)

// An xmlFile reads one XML file of a bundle: its elements, and the values in them.
type xmlFile struct {
	*xmlscan.Scanner
	r     *reader
	fault *importer.Problem // the first value of the record that could not be read
	news  int               // number of unknown elements so far
}

// Each of these functions reads the text of the innermost element as a value. An invalid value becomes the
// record's fault.

func (x *xmlFile) str() string { return x.r.Strings.Get(x.Text()) }

// word returns the text without blanks around it. Copies of listings have such blanks around numbers.
func (x *xmlFile) word() []byte { return bytes.TrimSpace(x.Text()) }

func (x *xmlFile) number() float64 {
	text := x.word()
	v, err := parsePrinted(text)
	if err != nil {
		x.bad(text, err)
	}
	return v
}

// parsePrinted reads a number that C's printf wrote.
func parsePrinted(text []byte) (float64, error) {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil && string(text) != "-nan" {
		return nan, errSyntax
	}
	if err != nil {
		return nan, nil
	}
	return v, nil
}

func (x *xmlFile) uint32() uint32 { return uint32(x.whole(32)) }

// count reads a number of slots or similar, never negative.
func (x *xmlFile) count() int { return int(x.whole(31)) }

func (x *xmlFile) whole(bits int) uint64 {
	text := x.word()
	v, err := strconv.ParseUint(string(text), 10, bits)
	if err != nil {
		x.bad(text, err)
	}
	return v
}

func (x *xmlFile) int() int {
	text := x.word()
	v, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil {
		x.bad(text, err)
	}
	return int(v)
}

func (x *xmlFile) bool() bool {
	text := x.word()
	v, err := model.ParseBool(string(text))
	if err != nil {
		x.bad(text, errSyntax)
	}
	return v
}

func (x *xmlFile) time() time.Time {
	text := x.word()
	t, err := x.r.ParseTime(string(text))
	if err != nil {
		x.bad(text, err)
	}
	return t
}

// attribute returns an attribute of the last start tag. It is empty if there is none.
func (x *xmlFile) attribute(name string) string { return x.r.Strings.Get(x.Attr(name)) }

// unknown keeps an unknown element with its text.
func (x *xmlFile) unknown() {
	name, line := string(x.Parent())+"/"+string(x.Name()), x.Line()
	text, _ := x.Leaf()
	x.news++
	x.r.Unknown(x.File, line, name, string(text))
}

// bad notes a value that could not be read. The reason begins with the name of the element.
func (x *xmlFile) bad(text []byte, err error) {
	if n, ok := err.(*strconv.NumError); ok {
		err = n.Err
	}
	x.note(text, fmt.Errorf("%s: %w", x.Last, err))
}

// note makes a problem the record's fault, if it has none.
func (x *xmlFile) note(text []byte, err error) {
	if x.fault == nil && x.Err == nil {
		x.fault = &importer.Problem{File: x.File, Line: x.Line(), Text: string(text), Err: err}
	}
}

// settle ends a record, and reports whether every value could be read. If not, it leaves the record out.
func (x *xmlFile) settle(kind string, id any) bool {
	if x.Err != nil {
		return false
	}
	p := x.fault
	if p != nil {
		x.fault = nil
		x.r.LeaveOut(p.File, p.Line, p.Text, fmt.Errorf("%s %v: %w", kind, id, p.Err))
	}
	return p == nil
}

// readXML reads an XML file of the bundle. Its root element must have the name root, or one of the names for an
// empty document. A command that failed leaves an empty file, which counts as missing.
func (r *reader) readXML(file string, read func(*xmlFile), root string, nothing ...string) error {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	x := &xmlFile{Scanner: xmlscan.New(f, file), r: r}
	err = x.document(read, root, nothing)
	if p := (*importer.Problem)(nil); errors.As(err, &p) && r.Opts.KeepGoing {
		return r.Problem(p.File, p.Line, p.Text, fmt.Errorf("the rest of the file: %w", p.Err))
	}
	return err
}

// schemas are the web sites of products, as their documents name them.
var schemas = []struct{ home, product string }{
	{"hpc-gridware", "OCS"}, {"arc.liv.ac.uk", "SGE"}, {"gridengine.sunsource.net", "GE"}, {"gridscheduler", "OGS"},
}

// HomeOf returns the web site in an XML name space. qprism recognizes the product by it. It is empty for an
// unknown name space.
func HomeOf(namespace string) string {
	for _, s := range schemas {
		if strings.Contains(namespace, s.home) {
			return s.home
		}
	}
	return ""
}

// productBySchema takes the product from the document, if the bundle does not have the release.
func (x *xmlFile) productBySchema() {
	release := &x.r.Snap.Release
	home := HomeOf(string(x.Attr("xmlns:xsd")))
	for _, s := range schemas {
		if *release == (model.Release{}) && s.home == home {
			release.Product = s.product
		}
	}
}

func (x *xmlFile) document(read func(*xmlFile), root string, nothing []string) error {
	got := x.Root()
	x.productBySchema()
	x.PercentLT = bytes.Contains(x.Attr("xmlns:xsd"), []byte("arc.liv.ac.uk")) // the web site of Son of Grid Engine
	switch {
	case x.Err != nil:
		return x.Err
	case slices.Contains(nothing, got):
		return nil
	case got != root:
		x.Fail(nil, fmt.Errorf("<%s> is expected, not <%s>", root, got))
		return x.Err
	}
	read(x)
	return x.Finish()
}
