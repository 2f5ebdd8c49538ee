package cluster

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"qprism/engine/model"
)

// A table is a listing of testdata, what is counted in it, and its lines that are said to be left over.
type table struct {
	text string
	want model.Counts
	left []string
}

// The listings of testdata. contents are the shortest forms, by the names that they have in bundles; tables
// are those for people that the documents name; shapes are further forms: columns of other options, states,
// and what sites and releases print otherwise; quotes are listings as pages, mails and terminals have them.
var (
	contents = textsIn("contents.txtar")
	tables   = tablesIn("tables.txtar")
	shapes   = tablesIn("shapes.txtar")
	quotes   = tablesIn("pages.txtar")
)

// tablesIn reads an archive. A section "want" counts the listing before it, a section "left" has its lines left over.
func tablesIn(name string) map[string]table {
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		panic(err)
	}
	all, last := map[string]table{}, ""
	for _, f := range archive.Files {
		t := all[last]
		switch f.Name {
		case "want":
			if err := json.Unmarshal(f.Data, &t.want); err != nil {
				panic(err)
			}
		case "left":
			t.left = strings.Split(strings.TrimSuffix(string(f.Data), "\n"), "\n")
		default:
			last, t = f.Name, table{text: string(f.Data)}
		}
		all[last] = t
	}
	return all
}

func textsIn(name string) map[string]string {
	texts := map[string]string{}
	for what, t := range tablesIn(name) {
		texts[what] = t.text
	}
	return texts
}
