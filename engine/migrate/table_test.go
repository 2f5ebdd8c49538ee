package migrate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEveryCaseOfAStepHasARule reads the cases that the steps name from their source.
func TestEveryCaseOfAStepHasARule(t *testing.T) {
	told := map[string]bool{}
	for rule, r := range pbsTable.rules {
		if _, found, ok := strings.Cut(rule[1], "/"); ok {
			told[found] = true
		}
		if r.other.Verdict.severity() < 0 {
			t.Errorf("%v has the verdict %q", rule, r.other.Verdict)
		}
	}
	named := casesNamed(t)
	if len(named) < 60 {
		t.Errorf("only %d cases found", len(named))
	}
	for found, at := range named {
		if !told[found] {
			t.Errorf("%s: pbs.txt has no rule for the case %q", at, found)
		}
	}
}

// casesNamed are the cases of calls of tell, and those that a variable keeps until then, with their places.
func casesNamed(t *testing.T) map[string]token.Position {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	places, named := token.NewFileSet(), map[string]token.Position{}
	for _, file := range files {
		f, err := parser.ParseFile(places, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if text, is := caseOf(n).(*ast.BasicLit); is && text.Value != `""` {
				name, _ := strconv.Unquote(text.Value)
				named[name] = places.Position(text.Pos())
			}
			return true
		})
	}
	return named
}

// caseOf is what names a case in a call of tell, or in an assignment to found; nil for none.
func caseOf(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, is := n.Fun.(*ast.SelectorExpr); is && f.Sel.Name == "tell" {
			return n.Args[1]
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if name, is := left.(*ast.Ident); is && name.Name == "found" && len(n.Rhs) == len(n.Lhs) {
				return n.Rhs[i]
			}
		}
	}
	return nil
}
