package object

import (
	"errors"
	"fmt"
	"strings"

	"github.com/antchfx/xmlquery"

	"qprism/compat/xmldoc"
	"qprism/engine/model"
	"qprism/importer"
)

// eachXML reads what Torque's "qstat -x" and "pbsnodes -x" print: <Data><Job><Job_Id>1.a</Job_Id><queue>b</queue>
// <resources_used><cput>…</cput></resources_used></Job></Data>, one object at a time.
func (r *Reader) eachXML(file string, skip map[string]bool, each func(*Record)) error {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	r.Snap.System = model.Torque
	x := &xmlFile{reader: r, skips: skip}
	line, err := xmldoc.Each(f, x.isObject, func(object *xmldoc.Record) error {
		err := x.read(object)
		if err == nil {
			each(&x.record)
		}
		return err
	})
	if err == nil && x.other {
		line, err = 1, errNoData
	}
	var p *importer.Problem
	if err == nil || errors.As(err, &p) {
		return err
	}
	return r.Problem(file, line, "", fmt.Errorf("XML: %w", err))
}

// An xmlFile reads one XML file, object by object.
type xmlFile struct {
	reader *Reader
	skips  map[string]bool
	record Record
	lines  []int // lines of the object's elements that were not yet read
	other  bool  // the root is none that Torque prints
}

var errNoData = errors.New("no <Data> element")

// isObject reports whether an element is a job or a node: one in <Data>.
func (x *xmlFile) isObject(depth int, name string) bool {
	x.other = x.other || depth == 1 && name != "Data"
	return depth == 2 && !x.other
}

// read reads one object: its elements, and the elements inside them, which are resources.
func (x *xmlFile) read(object *xmldoc.Record) error {
	x.record.begin("", object.Lines[0])
	x.lines = object.Lines[1:]
	return x.below(object.Node, nil)
}

// below reads the elements below another one. path has the names that lead to it.
func (x *xmlFile) below(n *xmlquery.Node, path []string) error {
	for child := range elements(n) {
		line := x.lines[0]
		x.lines = x.lines[1:]
		if len(path) == 2 {
			return fmt.Errorf("<%s> is nested too deep", child.Data)
		}
		to := append(path, x.reader.Strings.Get([]byte(child.Data)))
		if err := x.below(child, to); err != nil {
			return err
		}
		text := strings.TrimSpace(ownText(child))
		if len(text) > maxText || len(x.record.text) > maxRecord {
			return errHuge
		}
		x.element(to, text, line)
	}
	return nil
}

// elements yields the direct children of an element.
func elements(n *xmlquery.Node) func(func(*xmlquery.Node) bool) {
	return func(yield func(*xmlquery.Node) bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == xmlquery.ElementNode && !yield(c) {
				return
			}
		}
	}
}

// ownText returns the text of an element after its last child.
func ownText(n *xmlquery.Node) string {
	text := ""
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case xmlquery.ElementNode:
			text = ""
		case xmlquery.TextNode, xmlquery.CharDataNode:
			text += c.Data
		}
	}
	return text
}

// element reads the text of an element that has ended.
func (x *xmlFile) element(path []string, text string, line int) {
	name, resource := path[0], ""
	if len(path) > 1 {
		resource = path[1]
	}
	switch {
	case resource == "" && (name == "Job_Id" || name == "name"):
		x.record.ID = text
	case x.skips[name], text == "" && resource == "": // an element with others inside has no value
	default:
		x.record.add(name, resource, line, []byte(text))
	}
}
