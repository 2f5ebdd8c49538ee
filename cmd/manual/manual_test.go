package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// made writes everything into a folder, from that of the project.
func made(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Chdir("../..")
	if err := write(folder, time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestEveryPageHasANameAndADate(t *testing.T) {
	folder := made(t)
	pages, err := filepath.Glob(filepath.Join(folder, "man", "man*", "*"))
	if err != nil || len(pages) < 30 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	home, _ := os.UserHomeDir()
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{".SH NAME", "Nov 2026", "qprism"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", filepath.Base(name), want)
			}
		}
		if home != "/" && strings.Contains(string(text), home+"/") {
			t.Errorf("%s names the home of who made it", filepath.Base(name))
		}
	}
}

func TestATableOfADocumentIsAListOfAPage(t *testing.T) {
	const text = "# Title\n\nPart of [qprism](../README.md). It reads [a file](x.md).\n\n## Keys of store\n\n" +
		"| key | value | meaning |\n|---|---|---|\n| `keep` | span | how long |\n| `file` | | where |\n\nEnd.\n"
	const want = "\n\n# KEYS OF STORE\n\n**keep** (span)\n:   how long\n\n**file**\n:   where\n\n\nEnd.\n"
	if got := body(text); got != want {
		t.Errorf("the page has\n%q\nwant\n%q", got, want)
	}
}

func TestTheDocumentsThatArePagesKeepTheirFirstSentence(t *testing.T) {
	t.Chdir("../..")
	for _, p := range pages {
		text, err := os.ReadFile(p.source)
		if err != nil {
			t.Fatal(err)
		}
		if got := body(string(text)); !strings.Contains(got, "# DESCRIPTION") || strings.Contains(got, "](") || strings.Contains(got, "|---") {
			t.Errorf("%s becomes\n%s", p.source, got)
		}
	}
}
