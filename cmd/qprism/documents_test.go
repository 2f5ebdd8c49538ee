package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documentRow is a row of docs/reference/documents.md: what a document says, the command that shows it, and
// parts of what it prints.
var documentRow = regexp.MustCompile("^\\| (.*) \\| `(qprism .*)` \\| (`.*`) \\|$")

// TestEveryLineOfTheDocumentsComesOut types the command of each row of docs/reference/documents.md, each
// once, and looks for what it is to print.
func TestEveryLineOfTheDocumentsComesOut(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/documents.md")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(fixtures, "fixtures"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QPRISM_STORE", "store.db")
	printed, rows := map[string]string{}, 0
	for line := range strings.Lines(string(page)) {
		row := documentRow.FindStringSubmatch(strings.TrimRight(strings.ReplaceAll(line, `\|`, "\x00"), "\n"))
		if row == nil {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| the document says") {
				t.Errorf("no row: %s", line)
			}
			continue
		}
		rows++
		typed := strings.ReplaceAll(row[2], "\x00", "|")
		if _, done := printed[typed]; !done {
			got := screen{wide: true}
			typeCommand(&got, strings.TrimPrefix(typed, "qprism "))
			_, answer, _ := strings.Cut(got.String(), "\n")
			printed[typed] = strings.Join(strings.Fields(answer), " ")
		}
		for _, part := range strings.Split(strings.Trim(row[3], "`"), "` `") {
			if part == "" || !strings.Contains(printed[typed], strings.ReplaceAll(part, "\x00", "|")) {
				t.Errorf("%s: %s does not print %s but\n%s", row[1], typed, part, printed[typed])
			}
		}
	}
	if rows < 80 {
		t.Errorf("only %d rows", rows)
	}
	t.Logf("%d rows, %d commands", rows, len(printed))
}
