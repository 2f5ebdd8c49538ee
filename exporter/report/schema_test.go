package report_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"
	"time"

	"qprism/exporter/report"
)

// TestTheSchemaDocumentsEveryName makes the JSON Schema anew from the types and their comments, and
// compares. A name without a comment is a failure where its own words do not say what it is.
func TestTheSchemaDocumentsEveryName(t *testing.T) {
	m := &schemaMaker{t: t, comments: comments(t), defs: map[string]any{}}
	m.define(reflect.TypeFor[report.Report]())
	root := m.defs["Report"].(map[string]any)
	delete(m.defs, "Report")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "report.json of qprism migrate"
	root["$defs"] = m.defs
	text, err := json.MarshalIndent(root, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "../report.schema.json", append(text, '\n'))
}

type schemaMaker struct {
	t        *testing.T
	comments map[string]string // "Report", "Report.Format"
	defs     map[string]any
}

func (m *schemaMaker) of(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[report.Number]():
		return map[string]any{"type": []string{"number", "null"}}
	case t == reflect.TypeFor[report.Verdict]():
		return map[string]any{"enum": report.Verdicts}
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Pointer:
		return m.of(t.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": m.of(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": m.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Struct:
		m.define(t)
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	}
	m.t.Fatalf("no schema for %s", t)
	return nil
}

func (m *schemaMaker) define(t reflect.Type) {
	if m.defs[t.Name()] != nil {
		return
	}
	properties, required := map[string]any{}, []string{}
	def := map[string]any{"type": "object", "description": m.comments[t.Name()], "properties": properties}
	m.defs[t.Name()] = def
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			m.t.Errorf("%s.%s has no stable name", t.Name(), f.Name)
		}
		p := m.of(f.Type)
		if c := m.comments[t.Name()+"."+f.Name]; c != "" {
			p["description"] = c
		} else if len(name) < 3 {
			m.t.Errorf("%s.%s: nothing says what %q is", t.Name(), f.Name, name)
		}
		properties[name] = p
		if options == "" {
			required = append(required, name)
		}
	}
	def["required"] = required
}

// comments are those of types and fields.
func comments(t *testing.T) map[string]string {
	file, err := parser.ParseFile(token.NewFileSet(), "report.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			spec, ok := s.(*ast.TypeSpec)
			if !ok {
				continue
			}
			found[spec.Name.Name] = oneLine(g.Doc.Text())
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range fields.Fields.List {
				for _, n := range f.Names {
					found[spec.Name.Name+"."+n.Name] = oneLine(f.Doc.Text() + " " + f.Comment.Text())
				}
			}
		}
	}
	return found
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
