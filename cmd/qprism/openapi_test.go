package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/view"
	"qprism/fixtures/pushed"
)

// TestTheOpenAPIIsMadeFromTheTypes fails where what the page says of /api/v1 is stale; -update writes it anew.
func TestTheOpenAPIIsMadeFromTheTypes(t *testing.T) {
	const file = "view/assets/openapi.json"
	text, err := json.MarshalIndent(describeAPI(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
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

type object = map[string]any

// describeAPI is the OpenAPI document of what is below /api/v1.
func describeAPI(t *testing.T) object {
	s := &schemas{page: page{t: t, comments: map[string]string{}, titles: map[reflect.Type]string{}}, all: object{}}
	paths := object{}
	for _, e := range view.Endpoints() {
		method := "get"
		if e.Takes != nil {
			method = "post"
		}
		paths["/api/v1/"+e.Name] = object{method: s.operation(e)}
	}
	failure := object{"description": "why there is no answer", "content": object{"application/json": object{"schema": object{
		"type": "object", "required": []string{"error"}, "properties": object{"error": object{"type": "string"}}}}}}
	return object{"openapi": "3.1.0",
		"info": object{"title": "qprism", "version": "1", "description": "What the commands of qprism say of a bundle or a stored snapshot, " +
			"as --format json prints it, json_version before it. Nothing changes anything but acts/do, where the configuration allows it."},
		"paths": paths, "components": object{"schemas": s.all, "responses": object{"Failure": failure}}}
}

// schemas are the types of answers as JSON schemas.
type schemas struct {
	page
	all object
}

func (s *schemas) operation(e view.Endpoint) object {
	var parameters []object
	add := func(name, about string, needed, often bool) {
		schema := object{"type": "string"}
		if often {
			schema = object{"type": "array", "items": schema}
		}
		parameters = append(parameters, object{"name": name, "in": "query", "required": needed, "description": about, "schema": schema})
	}
	if !e.NoCluster {
		add("cluster", "a cluster by its name; the first where none is given", false, false)
	}
	if !e.NoCluster && (!e.Stored || e.Month) {
		add("at", "the id of a moment, as clusters has it; the last where none is given", false, false)
	}
	for _, name := range e.Jobs {
		add(name, "the number of a job: 4711, 4711.3, 12[3].server", true, false)
	}
	if e.Push {
		add("push", "the number of a push", true, false)
	}
	if e.Changes {
		add("set", "a value of the policy: weight_urgency=0.5", false, true)
		add("shares", "functional shares: user/alice=300", false, true)
	}
	if e.Since {
		add("since", "how long ago the period began: 7d, 12h, 4w", true, false)
	}
	about, content := e.About, object{}
	switch {
	case e.Picture:
		about, content["image/svg+xml"] = "the picture of qprism "+e.Command+" --format svg", object{}
	case e.Table:
		about, content["text/csv"] = "what qprism "+e.Command+" --format csv prints", object{}
	case e.Command != "":
		about = "what qprism " + e.Command + " --format json prints"
		content["application/json"] = object{"schema": s.schema(typeOf(s.t, e))}
	default:
		content["application/json"] = object{"schema": s.schema(reflect.TypeOf(e.Of))}
	}
	if e.WithBefore {
		about += ", of the moment before and this one"
	}
	o := object{"summary": about, "operationId": strings.NewReplacer(".", "_", "-", "_", "/", "_").Replace(e.Name), "responses": object{
		"200": object{"description": about, "content": content}, "default": object{"$ref": "#/components/responses/Failure"}}}
	if parameters != nil {
		o["parameters"] = parameters
	}
	if e.Takes != nil {
		o["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": s.schema(reflect.TypeOf(e.Takes))}}}
		o["parameters"] = append(parameters, object{"name": "X-CSRF-Token", "in": "header", "required": true,
			"description": "csrf of acts, with the cookie that acts sets", "schema": object{"type": "string"}})
	}
	return o
}

// typeOf is what a command prints.
func typeOf(t *testing.T, e view.Endpoint) reflect.Type {
	for _, d := range answersInJSON {
		words := strings.Fields(d.Command)
		flagged := len(words) > 1 && strings.HasPrefix(words[1], "-")
		pushed := strings.HasSuffix(d.Command, " PUSH")
		if words[0] == e.Command && pushed == e.Push && flagged == e.Since && (!flagged || words[1] == "--since") {
			return reflect.TypeOf(d.Of)
		}
	}
	t.Fatalf("no document is of %s", e.Command)
	return nil
}

// schema is a type in the words of JSON Schema.
func (s *schemas) schema(of reflect.Type) object {
	switch {
	case ownForm[of.String()] != "":
		return object{"description": ownForm[of.String()]}
	case of == reflect.TypeFor[time.Time]():
		return object{"type": []string{"string", "null"}, "format": "date-time"}
	case of == reflect.TypeFor[time.Duration]():
		return object{"type": []string{"number", "null"}, "description": "seconds"}
	case of.Kind() == reflect.Pointer:
		return object{"anyOf": []object{s.schema(of.Elem()), {"type": "null"}}}
	case of.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return object{"type": "string"}
	}
	switch of.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return object{"type": []string{"number", "null"}}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.schema(of.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.schema(of.Elem())}
	case reflect.Interface:
		return object{}
	case reflect.Struct:
		return s.named(of)
	}
	return object{"type": "integer"}
}

// named is the schema of a struct, by its name.
func (s *schemas) named(of reflect.Type) object {
	name := strings.ReplaceAll(s.title(of), " ", "_")
	if _, known := s.all[name]; !known {
		properties, needed := object{}, []string{}
		schema := object{"type": "object", "properties": properties}
		s.all[name] = schema
		if about := s.comment(of, ""); about != "" {
			schema["description"] = about
		}
		for _, f := range show.FieldsOf(of) {
			below := s.schema(f.Type)
			if about := s.comment(f.In, f.StructField.Name); about != "" {
				if below["$ref"] != nil {
					below = object{"allOf": []object{below}}
				}
				below["description"] = strings.TrimSpace(about)
			}
			if properties[f.Name] = below; !f.Absent {
				needed = append(needed, f.Name)
			}
		}
		schema["required"] = needed
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// TestAnswersHaveTheFormOfTheOpenAPI asks everything, of both systems, and holds each answer against the document that is served.
func TestAnswersHaveTheFormOfTheOpenAPI(t *testing.T) {
	t.Run("store", func(t *testing.T) {
		d, push := storeWithPushes(t)
		a := newAPI(t, view.Stored(d, ""))
		job := a.get("queue").(object)["rows"].([]any)[0].([]any)[0].(string)
		for _, e := range view.Endpoints() {
			if before := a.held; e.Stored && !e.Table && !e.Picture && e.Name != "acts" {
				a.ask(e, url.Values{"push": {fmt.Sprint(push)}, "job": {job}})
				if a.held < before+10 {
					t.Errorf("%s: only %d values were held against the document", e.Name, a.held-before)
				}
			}
		}
	})
	for _, bundles := range [][]string{{"example:departments/run1/after", "example:departments/run2/before"},
		{"../../fixtures/pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/before", "../../fixtures/pbs/23.06.06-fairshare-tree-ncpus-walltime.tar.gz/after"}} {
		site, err := view.Bundles(t.Context(), &cli.Deps{}, bundles)
		if err != nil {
			t.Fatal(err)
		}
		a := newAPI(t, site)
		jobs := a.get("queue").(object)["rows"].([]any)
		for _, e := range view.Endpoints() {
			if e.Takes != nil {
				continue
			}
			query := url.Values{}
			for i, name := range e.Jobs {
				query.Set(name, jobs[len(jobs)-1-i].([]any)[0].(string))
			}
			if e.Since {
				query.Set("since", "7d")
			}
			if e.Push {
				query.Set("push", "7")
			}
			if e.Changes {
				query.Set("set", "weight_urgency=3")
			}
			a.ask(e, query)
		}
		if a.held < 300 {
			t.Errorf("only %d values were held against the document", a.held)
		}
	}
}

// An api is asked, and its answers held against its document.
type api struct {
	t        *testing.T
	handler  http.Handler
	document object
	held     int
}

func newAPI(t *testing.T, site *view.Site) *api {
	a := &api{t: t, handler: site.Handler()}
	a.document = a.get("openapi.json").(object)
	return a
}

// ask asks something, and holds the answer against the document.
func (a *api) ask(e view.Endpoint, query url.Values) {
	a.t.Helper()
	schema := object{"paths": a.document["paths"]}
	for _, step := range []string{"paths", "/api/v1/" + e.Name, "get", "responses", "200", "content", "application/json", "schema"} {
		if schema, _ = schema[step].(object); schema == nil {
			break
		}
	}
	if v := a.get(e.Name + "?" + query.Encode()); v != nil && schema != nil {
		a.conforms(e.Name, schema, v)
	}
}

// storeWithPushes is a store with a snapshot and pushes of its cluster, and the number of a push.
func storeWithPushes(t *testing.T) (d *cli.Deps, push int64) {
	t.Helper()
	d = &cli.Deps{Store: filepath.Join(t.TempDir(), "pushed.db")}
	root := program.New()
	root.SetOut(io.Discard)
	root.SetArgs([]string{"import", "--store", d.Store, "example:departments/run1/after"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(d.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	infos, err := store.Snapshots(t.Context())
	if err == nil {
		push, err = pushed.Fill(t.Context(), store, infos[0].Cluster)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d, push
}

// get is what is answered; nil for a picture, and where there is no answer that this bundle can give.
func (a *api) get(question string) (v any) {
	a.t.Helper()
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/"+question, nil))
	if w.Code == http.StatusUnprocessableEntity || strings.Contains(question, ".svg") || strings.Contains(question, ".csv") {
		return nil
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != http.StatusOK {
		a.t.Fatalf("%s: %d %v %.200s", question, w.Code, err, w.Body)
	}
	if answer, is := v.(object); is {
		delete(answer, "json_version") // of every document
	}
	return v
}

// conforms holds a value against a schema: its type, the names that it must have and those that it may have.
func (a *api) conforms(where string, schema object, v any) {
	a.t.Helper()
	if name, is := strings.CutPrefix(fmt.Sprint(schema["$ref"]), "#/components/schemas/"); is {
		schema = a.document["components"].(object)["schemas"].(object)[name].(object)
	}
	for _, all := range asList(schema["allOf"]) {
		a.conforms(where, all.(object), v)
	}
	if any := asList(schema["anyOf"]); any != nil && v != nil {
		a.conforms(where, any[0].(object), v)
	}
	a.held++
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			if items, is := schema["items"].(object); is {
				a.conforms(where+"[]", items, item)
			}
		}
	case object:
		properties, _ := schema["properties"].(object)
		for _, name := range asList(schema["required"]) {
			if _, has := x[name.(string)]; !has {
				a.t.Errorf("%s lacks %s", where, name)
			}
		}
		for name, below := range x {
			if of, known := properties[name].(object); known {
				a.conforms(where+"."+name, of, below)
			} else if properties != nil {
				a.t.Errorf("%s.%s is not in the document", where, name)
			}
		}
	}
	if kinds := fmt.Sprint(schema["type"]); schema["type"] != nil && !strings.Contains(kinds, kindOf(v)) &&
		!(kindOf(v) == "number" && strings.Contains(kinds, "integer")) {
		a.t.Errorf("%s is %s, in the document %s", where, kindOf(v), kinds)
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// kindOf is the type of a value in the words of JSON Schema.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
