package pbs

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"qprism/engine/model"
	"qprism/importer"
)

// eachXML reads what Torque's "qstat -x" and "pbsnodes -x" print: <Data><Job><Job_Id>1.a</Job_Id><queue>b</queue>
// <resources_used><cput>…</cput></resources_used></Job></Data>, one object at a time.
func (r *reader) eachXML(file string, skip map[string]bool, each func(*record) error) error {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	r.Snap.System = model.Torque
	x := &xmlFile{reader: r, skips: skip, each: each}
	x.decoder = xml.NewDecoder(f)
	x.decoder.Strict = false
	x.decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	if err := x.document(); err != nil {
		var p *importer.Problem
		if errors.As(err, &p) {
			return err
		}
		return r.Problem(file, x.line(), "", fmt.Errorf("XML: %w", err))
	}
	return nil
}

// An xmlFile reads one XML file, object by object.
type xmlFile struct {
	reader  *reader
	decoder *xml.Decoder
	skips   map[string]bool
	each    func(*record) error
	record  record
	path    []string // of elements open inside the object
	text    []byte   // of the innermost one
}

var errNoData = errors.New("no <Data> element")

// document reads all objects.
func (x *xmlFile) document() error {
	inside := false
	for {
		token, err := x.decoder.Token()
		if err == io.EOF && inside {
			return errEnds
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if !inside && t.Name.Local != "Data" {
				return errNoData
			}
			if inside {
				if err := x.object(); err != nil {
					return err
				}
			}
			inside = true
		case xml.EndElement:
			inside = false
		}
	}
}

// object reads one object: the elements in it, and those inside them, which are resources.
func (x *xmlFile) object() error {
	x.record.begin("", x.line())
	x.path, x.text = x.path[:0], x.text[:0]
	for {
		token, err := x.decoder.Token()
		if err == io.EOF {
			return errEnds
		}
		if err != nil {
			return err
		}
		if _, ends := token.(xml.EndElement); ends && len(x.path) == 0 {
			return x.each(&x.record)
		}
		if err := x.token(token); err != nil {
			return err
		}
	}
}

// token takes what is inside an object.
func (x *xmlFile) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(x.path) == 2 {
			return fmt.Errorf("<%s> is nested too deep", t.Name.Local)
		}
		x.path = append(x.path, x.reader.Strings.Get([]byte(t.Name.Local)))
		x.text = x.text[:0]
	case xml.CharData:
		if x.text = append(x.text, t...); len(x.text) > maxText || len(x.record.text) > maxRecord {
			return errHuge
		}
	case xml.EndElement:
		x.element(x.path, bytes.TrimSpace(x.text))
		x.path, x.text = x.path[:len(x.path)-1], x.text[:0]
	}
	return nil
}

// element takes the text of an element that has ended.
func (x *xmlFile) element(path []string, text []byte) {
	name, resource := path[0], ""
	if len(path) > 1 {
		resource = path[1]
	}
	switch {
	case resource == "" && (name == "Job_Id" || name == "name"):
		x.record.id = string(text)
	case x.skips[name], len(text) == 0 && resource == "": // an element that holds others has none
	default:
		x.record.add(name, resource, x.line(), text)
	}
}

// line is the line that was read last.
func (x *xmlFile) line() int { line, _ := x.decoder.InputPos(); return line }
