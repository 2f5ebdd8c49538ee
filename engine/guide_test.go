package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileName matches a file of Go that a comment names.
var fileName = regexp.MustCompile(`[\w/]+\.go\b`)

// TestGoDocIsAGuide: every package says what it is for, and names its files; what it names exists.
func TestGoDocIsAGuide(t *testing.T) {
	packages := 0
	for folder, files := range packagesOf(t) {
		packages++
		about := aboutPackage(t, folder, files)
		name, command := "// Package ", "// Command "
		if !strings.HasPrefix("// "+about, name) && !strings.HasPrefix("// "+about, command) {
			t.Errorf("%s does not say what it is for", folder)
		}
		named := fileName.FindAllString(about, -1)
		for _, file := range named {
			if _, err := os.Stat(path.Join("..", folder, file)); err != nil {
				t.Errorf("%s names %s, which is not there", folder, file)
			}
		}
		files = slices.DeleteFunc(files, func(f string) bool { return f == "doc.go" })
		left := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return slices.Contains(named, f) })
		if len(files) > 1 && len(left)*3 > len(files) { // some may be new
			t.Errorf("%s does not name %v", folder, left)
		}
	}
	if packages < 60 {
		t.Errorf("only %d packages", packages)
	}
}

// packagesOf are the files of every package, by its folder; not those of tests.
func packagesOf(t *testing.T) map[string][]string {
	t.Helper()
	packages := map[string][]string{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || name != "." && strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			packages[path.Dir(name)] = append(packages[path.Dir(name)], path.Base(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// aboutPackage is the comment of a package, of which there is one.
func aboutPackage(t *testing.T, folder string, files []string) string {
	t.Helper()
	var comments []*ast.CommentGroup
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", folder, file), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			comments = append(comments, f.Doc)
		}
	}
	if len(comments) != 1 {
		t.Errorf("%s has %d comments of the package", folder, len(comments))
		return ""
	}
	return comments[0].Text()
}

// TestTheMapHasEveryFolder: ARCHITECTURE.md names every folder with a package, by its last word, and is two screens long.
func TestTheMapHasEveryFolder(t *testing.T) {
	page, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if lines := strings.Count(text, "\n"); lines > 120 {
		t.Errorf("ARCHITECTURE.md has %d lines", lines)
	}
	for folder := range packagesOf(t) {
		if word := regexp.MustCompile(`\b` + path.Base(folder) + `\b`); !word.MatchString(text) {
			t.Errorf("ARCHITECTURE.md does not name %s", folder)
		}
	}
}
