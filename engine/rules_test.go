package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qprism/compat"
)

// A rule is one entry of the pages in docs/rules.
type rule struct {
	page     string
	what     string
	releases []string // of Grid Engine; nil for all
	test     string   // a function; empty for none
	folder   string   // that it is in
	why      string   // there is no test
}

var (
	ruleStart = regexp.MustCompile(`(?m)^- \*\*([A-Z][0-9]+)\*\* `)
	ruleForm  = regexp.MustCompile(`^(.+[.:)]) (?:\*Example\*: (.+\.) )?\*Releases\*: ([^*]+)\. \*Test\*: (.+)\.$`)
	ruleTest  = regexp.MustCompile("^`([A-Za-z0-9]+)` in ([a-z/]+)$")
	cited     = regexp.MustCompile(`\b[BCDMOPQRS][1-9][0-9]?\b`)
)

// readRules reads the pages, and complains of what has not their form.
func readRules(t *testing.T) map[string]rule {
	t.Helper()
	pages, err := filepath.Glob("../docs/rules/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages of rules: %v", len(pages), err)
	}
	rules := map[string]rule{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		starts := ruleStart.FindAllSubmatchIndex(text, -1)
		for _, at := range starts {
			entry, _, _ := strings.Cut(string(text[at[1]:]), "\n- **")
			entry, _, _ = strings.Cut(entry, "\n\n")
			id := string(text[at[2]:at[3]])
			if _, twice := rules[id]; twice {
				t.Errorf("%s: rule %s stands twice", page, id)
			}
			rules[id] = readRule(t, page, id, strings.Join(strings.Fields(entry), " "))
		}
	}
	return rules
}

func readRule(t *testing.T, page, id, entry string) rule {
	t.Helper()
	m := ruleForm.FindStringSubmatch(entry)
	if m == nil {
		t.Fatalf("%s: rule %s has not the form of rules: %q", page, id, entry)
	}
	r := rule{page: page, what: m[1]}
	if m[3] != "all" {
		r.releases = strings.Split(m[3], ", ")
	}
	if named := ruleTest.FindStringSubmatch(m[4]); named != nil {
		r.test, r.folder = named[1], named[2]
	} else if why, none := strings.CutPrefix(m[4], "none, "); none {
		r.why = why
	} else {
		t.Errorf("%s: rule %s names no test and gives no reason: %q", page, id, m[4])
	}
	return r
}

func TestEveryRuleNamesATestThatExists(t *testing.T) {
	tests := map[string]string{} // the tests of a folder, one after the other
	for id, r := range readRules(t) {
		if r.test == "" {
			continue
		}
		if _, read := tests[r.folder]; !read {
			tests[r.folder] = testsOf(t, filepath.Join("..", r.folder))
		}
		if !strings.Contains(tests[r.folder], "\nfunc "+r.test+"(") {
			t.Errorf("%s: rule %s names %s, which is not in %s", r.page, id, r.test, r.folder)
		}
	}
}

// testsOf is the source of the tests of a folder.
func testsOf(t *testing.T, folder string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(source)
	}
	return all.String()
}

func TestEveryRuleThatTheCodeCitesExists(t *testing.T) {
	rules, found := readRules(t), 0
	for _, folder := range []string{"adapters", "cmd", "compat", "engine", "exporter", "fixtures", "importer"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") {
				return err
			}
			for _, id := range citedIn(t, name) {
				found++
				if _, known := rules[id]; !known {
					t.Errorf("%s cites %s, which no page of docs/rules has", name, id)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 100 {
		t.Errorf("only %d citations were found", found)
	}
}

// citedIn are the numbers that the comments of a file cite. P50 and P90 are parts of a hundred.
func citedIn(t *testing.T, name string) (ids []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Comments {
		for _, id := range cited.FindAllString(withoutQuotes(group), -1) {
			if id != "P50" && id != "P90" {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

var quotes = regexp.MustCompile("\"[^\"]*\"|`[^`]*`")

// withoutQuotes is the text of comments without what stands in quotes there.
func withoutQuotes(g *ast.CommentGroup) string { return quotes.ReplaceAllString(g.Text(), "") }

// TestQuirksHaveTheReleasesThatCompatGivesThem: a switch is a rule, with the same releases.
func TestQuirksHaveTheReleasesThatCompatGivesThem(t *testing.T) {
	rules := readRules(t)
	all := slices.DeleteFunc(compat.Names(), func(name string) bool { return name == "fixed" })
	for _, k := range compat.Quirks {
		r, known := rules[k.ID]
		if !known {
			t.Errorf("no page of docs/rules has quirk %s: %s", k.ID, k.What)
			continue
		}
		if r.releases == nil {
			r.releases = all
		}
		if !slices.Equal(slices.Sorted(slices.Values(r.releases)), slices.Sorted(slices.Values(compat.With(&k)))) {
			t.Errorf("%s: rule %s is of %v, in compat of %v", r.page, k.ID, r.releases, compat.With(&k))
		}
	}
}
