package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/trial"
	"qprism/engine/gridengine/dispatch"
	"qprism/engine/model"
	"qprism/fixtures/needs"
)

// TestTheDocumentOfJSONForProgramsIsMadeFromTheTypes fails where docs/reference/programs.md is stale; go
// test ./cmd/qprism -run JSON -update writes it anew.
func TestTheDocumentOfJSONForProgramsIsMadeFromTheTypes(t *testing.T) {
	isWritten(t, "../../docs/reference/programs.md", describePrograms(t))
}

func describePrograms(t *testing.T) []byte {
	p := newPage(t)
	snapshot := reflect.TypeFor[model.Snapshot]()
	p.fields = func(of reflect.Type) []show.Field {
		if of.PkgPath() != snapshot.PkgPath() {
			return show.FieldsOf(of)
		}
		return trial.FieldsAProgramReads(of)
	}
	p.text.WriteString(`# What a program reads and writes

A program that decides (` + "`--policy 'external PROGRAM'`" + ` of [push and drive](../how-to/external-scheduler.md), ` + "`what-if external`" + `) runs once for each decision, without a shell. On its
standard input, it reads one object. A *moment* is RFC 3339, *seconds* are a length of time. A field that is 0, empty, false or unknown is missing or null.
A test makes this page from the types.

| it reads | value | |
|---|---|---|
| ` + "`schema` | whole number | 1 |" + `
| ` + "`at` | moment | moment of the scheduler run |" + `
| ` + "`order`" + ` | list of whole number | the waiting jobs, in the scheduler's present order |
| ` + "`snapshot`" + ` | ` + p.form(snapshot) + ` | the whole snapshot; requests of a job are ` + "`hard[].resource` and `hard[].value`" + `, in seconds or bytes ` + "`hard[].amount`" + ` |

It writes a list of job numbers, the first to start first, or an object. qprism ignores jobs of an order that do not wait or come twice. Jobs that the program does
not name follow in the scheduler's order. For a job of PBS, the program may write its id.

| it writes | value | |
|---|---|---|
| ` + "`order`" + ` | list of whole number (or absent) | |
| ` + "`rules`" + ` | list of ` + p.form(reflect.TypeFor[dispatch.Rule]()) + ` (or absent) | ` +
		"for `drive`" + ` of Grid Engine; a word that no rule has is an error |
`)
	p.describeTodo()
	return p.text.Bytes()
}

// TestWhatAProgramReadsInJSONIsDocumented: each name that a program finds is on the page.
func TestWhatAProgramReadsInJSONIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, bundle := range []string{"example:departments/run2/before", "example:pbs-tree/before"} {
		file := filepath.Join(t.TempDir(), "input.json")
		var out, warn bytes.Buffer
		line := []string{"what-if", "--no-forecast", bundle, "--", "external", "sh", "-c", `cat >"$0"; echo '{"order":[]}'`, file}
		if code := execute(t.Context(), line, &out, &warn); code != 0 {
			t.Fatal(warn.String())
		}
		input, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var read struct{ Snapshot map[string]any }
		if err := json.Unmarshal(input, &read); err != nil {
			t.Fatal(err)
		}
		isDocumented(t, bundle, read.Snapshot, reflect.TypeFor[model.Snapshot](), string(text))
	}
}

func isDocumented(t *testing.T, where string, v any, of reflect.Type, page string) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			if of.Kind() == reflect.Slice || of.Kind() == reflect.Array {
				isDocumented(t, where, item, of.Elem(), page)
			}
		}
	case map[string]any:
		if of.Kind() != reflect.Struct {
			return
		}
		types := map[string]reflect.Type{}
		for _, f := range trial.FieldsAProgramReads(of) {
			types[f.Name] = f.Type
		}
		for name, below := range x {
			if types[name] == nil || !strings.Contains(page, "| `"+name+"` |") {
				t.Errorf("%s: %s of %s is not documented", where, name, of)
				continue
			}
			isDocumented(t, where, below, types[name], page)
		}
	}
}

var programInDocs = regexp.MustCompile("(?s)```(?:sh|python)\n(#!/.*?)```")

// TestProgramsOfTheDocumentsDecide runs the example programs of docs/how-to/external-scheduler.md as a
// reader would: what they answer is followed, and nothing of it is dropped.
func TestProgramsOfTheDocumentsDecide(t *testing.T) {
	text, err := os.ReadFile("../../docs/how-to/external-scheduler.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := programInDocs.FindAllStringSubmatch(string(text), -1)
	if len(programs) != 2 {
		t.Fatalf("docs/how-to/external-scheduler.md has %d programs", len(programs))
	}
	const bundle = "../../fixtures/gridengine/8.1.9-dispatch-3.tar.gz/run1/before"
	for i, want := range []string{"bound to not node01", "qprism drive would control 7 waiting jobs"} {
		needs.Program(t, []string{"jq", "python3"}[i], "the example programs of docs/how-to/external-scheduler.md")
		file := filepath.Join(t.TempDir(), "decide")
		if err := os.WriteFile(file, []byte(strings.Replace(programs[i][1], "user=ben", "user=usr0", 1)), 0o700); err != nil {
			t.Fatal(err)
		}
		var out, warn bytes.Buffer
		if code := execute(t.Context(), []string{"drive", "--try", file, bundle}, &out, &warn); code != 0 ||
			!strings.Contains(out.String(), want) || warn.Len() > 0 {
			t.Errorf("exit status %d\n%s%s", code, out.String(), warn.String())
		}
	}
}
