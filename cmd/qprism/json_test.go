package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/act"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/policy"
	"qprism/cmd/qprism/program"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/trial"
)

var answersInJSON = slices.Concat(queue.Documents, next.Documents, trial.Documents,
	past.Documents, policy.Documents, keep.Documents, act.Documents,
	cli.Documents)

// TestTheDocumentOfJSONIsMadeFromTheTypes fails where docs/reference/json.md is stale; go test ./cmd/qprism
// -run JSON -update writes it anew.
func TestTheDocumentOfJSONIsMadeFromTheTypes(t *testing.T) {
	isWritten(t, "../../docs/reference/json.md", describeJSON(t))
}

// isWritten fails where a document is stale.
func isWritten(t *testing.T, file string, text []byte) {
	t.Helper()
	if *goldenUpdate {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(written, text) {
		t.Errorf("%s is not what the types say: %v; write it anew with -update, and read the difference", file, err)
	}
}

// TestEveryCommandThatHasJSONIsInItsDocument holds the list of documents against the commands.
func TestEveryCommandThatHasJSONIsInItsDocument(t *testing.T) {
	listed := map[string]bool{}
	for _, d := range answersInJSON {
		c, _, err := program.New().Find(strings.Fields(d.Command))
		if err != nil {
			t.Fatal(err)
		}
		listed[c.CommandPath()] = true
	}
	silent := []string{"qprism serve", "qprism run", "qprism completion", "qprism db analyse", "qprism db swf",
		"qprism db share"}
	for _, c := range allCommands(program.New()) {
		if c.Runnable() && !c.Hidden && !listed[c.CommandPath()] &&
			!slices.Contains(silent, c.CommandPath()) && slices.Contains(cli.Formats(c), "json") {
			t.Errorf("%s can print JSON, and docs/reference/json.md does not have it", c.CommandPath())
		}
	}
}

// TestWhatCommandsPrintInJSONIsDocumented runs commands, and looks up every name that they print.
func TestWhatCommandsPrintInJSONIsDocumented(t *testing.T) {
	store := filepath.Join(t.TempDir(), "p.db")
	for _, line := range []string{"audit B", "audit --try-releases B", "priorities B", "shares B", "explain 4 B", "compare 4 5 B", "lint B",
		"releases", "releases 8.1.9", "formula check ncpus",
		"plan B", "plan --compare B", "why 4 B", "forecast B", "what-if --set halftime=1 B", "import B", "db list", "examples", "db check"} {
		document := answersInJSON[slices.IndexFunc(answersInJSON, func(d show.Document) bool {
			name := strings.Join(strings.Fields(d.Command)[:min(len(strings.Fields(d.Command)), 2)], " ")
			return strings.HasPrefix(strings.NewReplacer("8.1.9", "RELEASE").Replace(line)+" ", name+" ")
		})]
		for _, d := range answersInJSON { // the longest name that fits
			if strings.HasPrefix(strings.NewReplacer("8.1.9", "RELEASE").Replace(line)+" ", d.Command+" ") &&
				len(d.Command) > len(document.Command) {
				document = d
			}
		}
		var out, warn bytes.Buffer
		line = strings.ReplaceAll(line, "B", "example:departments/run2/before") + " --format json --store " + store
		if code := execute(t.Context(), strings.Fields(line), &out, &warn); code == 1 {
			t.Errorf("%s: %s", line, warn.String())
			continue
		}
		var printed any
		if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if object, ok := printed.(map[string]any); ok {
			if object["json_version"] != float64(show.JSONVersion) {
				t.Errorf("%s: the version of its JSON is %v", line, object["json_version"])
			}
			delete(object, "json_version")
		}
		lookUp(t, line, printed, reflect.TypeOf(document.Of))
	}
}

// lookUp looks up the names of a value in its type.
func lookUp(t *testing.T, where string, v any, of reflect.Type) {
	t.Helper()
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch x := v.(type) {
	case []any:
		if of.Kind() != reflect.Slice && of.Kind() != reflect.Array {
			return // a row, which has the names of its system
		}
		for _, item := range x {
			lookUp(t, where, item, of.Elem())
		}
	case map[string]any:
		if of.Kind() != reflect.Struct || ownForm[of.String()] != "" {
			return
		}
		fields := map[string]reflect.Type{}
		for _, f := range show.FieldsOf(of) {
			fields[f.Name] = f.Type
		}
		for name, below := range x {
			if fields[name] == nil {
				t.Errorf("%s: %q is not documented in %s", where, name, of)
				continue
			}
			lookUp(t, where, below, fields[name])
		}
	}
}

// A page is docs/reference/json.md as it is made.
type page struct {
	t        *testing.T
	text     bytes.Buffer
	comments map[string]string // of pkg.Type and pkg.Type.Field
	titles   map[reflect.Type]string
	todo     []reflect.Type
	fields   func(reflect.Type) []show.Field
}

func newPage(t *testing.T) *page {
	return &page{t: t, comments: map[string]string{}, titles: map[reflect.Type]string{}, fields: show.FieldsOf}
}

// describeTodo describes what was named, and what that names.
func (p *page) describeTodo() {
	for len(p.todo) > 0 {
		next := p.todo[0]
		p.todo = p.todo[1:]
		p.describe(next)
	}
}

func describeJSON(t *testing.T) []byte {
	p := newPage(t)
	p.text.WriteString(`# What --format json prints

With ` + "`--format json`" + `, each command prints one object, or one list of objects. Releases can add names, but do not change old ones.
An object begins with the number ` + "`json_version`" + `; [versions](versions.md) says when it rises. A list has no such number.
A *moment* is RFC 3339 in UTC, *seconds* are a length of time. An unknown value, or one without an end, is null. An empty list is ` + "`[]`" + `.
A field that is marked *(or absent)* can be missing. A test makes this page from the types.

| command | prints |
|---|---|
`)
	for _, d := range answersInJSON {
		fmt.Fprintf(&p.text, "| `qprism %s` | %s |\n", d.Command, p.form(reflect.TypeOf(d.Of)))
	}
	p.describeTodo()
	return p.text.Bytes()
}

// ownForm are the types that print themselves.
var ownForm = map[string]string{
	"batch.Value":    "a number or a text, null where it is not known",
	"batch.Time":     "moment or null",
	"batch.Row":      "object: the system's own names and their values, as in the columns of the table",
	"batch.Fields":   "object: for each field of the master how many numbers were `reported`, `compared`, `agree`, are `stale`, `input_missing`, `unexplained`",
	"batch.Rejected": "text",
	"next.jobKey":    "a number in Grid Engine, a text in PBS",
}

// form says in words what a type is in JSON.
func (p *page) form(of reflect.Type) string {
	switch {
	case ownForm[of.String()] != "":
		return ownForm[of.String()]
	case of == reflect.TypeFor[time.Time]():
		return "moment or null"
	case of == reflect.TypeFor[time.Duration]():
		return "seconds or null"
	case of.Kind() == reflect.Pointer:
		return p.form(of.Elem()) + " or null"
	case of.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return "text"
	case of.Implements(reflect.TypeFor[json.Marshaler]()):
		p.t.Fatalf("%s prints itself: say how in ownForm", of)
	}
	switch of.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "number or null"
	case reflect.Slice:
		return "list of " + p.form(of.Elem())
	case reflect.Array:
		return fmt.Sprintf("list of %d: %s", of.Len(), p.form(of.Elem()))
	case reflect.Map:
		return "object by name: " + p.form(of.Elem())
	case reflect.Struct:
		title := p.title(of)
		return fmt.Sprintf("[%s](#%s)", title, strings.ToLower(strings.ReplaceAll(title, " ", "-")))
	}
	return "whole number"
}

// beginningOfAWord is where one begins in a name such as PBSQueueLimit.
var beginningOfAWord = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// title is the name of a type for people: without "json", a word for each of Go's.
func (p *page) title(of reflect.Type) string {
	if p.titles[of] != "" {
		return p.titles[of]
	}
	var words []string
	name := strings.TrimPrefix(strings.TrimPrefix(of.Name(), "json"), "JSON")
	for _, word := range strings.Fields(beginningOfAWord.ReplaceAllString(name, "$1$3 $2$4")) {
		if strings.ToUpper(word) != word {
			word = strings.ToLower(word)
		}
		words = append(words, word)
	}
	title := strings.Join(words, " ")
	if p.taken(title) { // two folders have one of that name
		title = path.Base(of.PkgPath()) + " " + title
	}
	if p.taken(title) {
		p.t.Fatalf("%s has the name of another type for people: %s", of, title)
	}
	p.titles[of] = title
	p.todo = append(p.todo, of)
	return title
}

func (p *page) taken(title string) bool {
	return slices.Contains(slices.Collect(maps.Values(p.titles)), title)
}

func (p *page) describe(of reflect.Type) {
	fmt.Fprintf(&p.text, "\n## %s\n\n", p.titles[of])
	if about := p.comment(of, ""); about != "" {
		p.text.WriteString(about + "\n\n")
	}
	p.text.WriteString("| name | value | |\n|---|---|---|\n")
	for _, f := range p.fields(of) {
		form := p.form(f.Type)
		if f.Absent {
			form = strings.TrimSuffix(form, " or null") + " (or absent)"
		}
		fmt.Fprintf(&p.text, "| `%s` | %s | %s |\n", f.Name, form, strings.ReplaceAll(p.comment(f.In, f.StructField.Name), "|", `\|`))
	}
}

// inGo is a name of a type that only the source uses.
var inGo = regexp.MustCompile(`^(An? )?(json|JSON)\w+`)

// comment is what the source says of a type, or of a field of it.
func (p *page) comment(of reflect.Type, field string) string {
	if _, read := p.comments[of.PkgPath()]; !read {
		p.comments[of.PkgPath()] = ""
		p.readComments(of.PkgPath())
	}
	text := p.comments[strings.TrimSuffix(of.PkgPath()+"."+of.Name()+"."+field, ".")]
	return strings.ReplaceAll(inGo.ReplaceAllString(text, "This"), "NaN", "null")
}

func (p *page) readComments(pkg string) {
	folder := filepath.Join("../..", strings.TrimPrefix(pkg, "qprism/"))
	files, err := filepath.Glob(folder + "/*.go")
	if err != nil || len(files) == 0 {
		p.t.Fatal(pkg, err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			p.t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				p.readTypes(pkg, d)
			}
			return true
		})
	}
}

func (p *page) readTypes(pkg string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
		if !ok {
			continue
		}
		name := pkg + "." + spec.(*ast.TypeSpec).Name.Name
		p.comments[name] = oneLine(d.Doc)
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				p.comments[name+"."+n.Name] = strings.TrimSpace(oneLine(f.Doc) + " " + oneLine(f.Comment))
			}
		}
	}
}

func oneLine(g *ast.CommentGroup) string {
	return strings.Join(strings.Fields(g.Text()), " ")
}

// allCommands are all below one.
func allCommands(c *cobra.Command) (list []*cobra.Command) {
	for _, sub := range c.Commands() {
		list = append(append(list, sub), allCommands(sub)...)
	}
	return list
}
