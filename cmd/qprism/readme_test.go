package main

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qprism/cmd/qprism/subject"
)

// TestTheReadmeShowsWhatTheProgramPrints types the commands of the README and of the pages in docs that look at a recording or an
// example, and compares what a terminal shows with what the page has of it. A line "…" there, alone, stands for any number of lines.
func TestTheReadmeShowsWhatTheProgramPrints(t *testing.T) {
	pages := documents(t)
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(fixtures, "fixtures"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QPRISM_STORE", "store.db")
	shown := 0
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		text := pages[page]
		if slices.Contains(typedPages, page) { // another test types all of these
			continue
		}
		for _, c := range readmeCommands(pages[page]) {
			shown++
			t.Run(c.typed, func(t *testing.T) {
				got := screen{wide: true}
				typeCommand(&got, braces(c.typed))
				_, printed, _ := strings.Cut(got.String(), "\n")
				if *goldenUpdate && !matchesWithGaps(printed, c.shows) {
					text = strings.Replace(text, c.shows, withGap(printed, c.shows), 1)
				} else if !matchesWithGaps(printed, c.shows) {
					t.Errorf("the program prints\n%s\n%s shows\n%s", printed, page, c.shows)
				}
			})
		}
		if text != pages[page] {
			must(t, os.WriteFile(filepath.Join(filepath.Dir(fixtures), page), []byte(text), 0o644))
		}
	}
	if shown < 15 {
		t.Errorf("only %d commands found", shown)
	}
}

// withGap is what is printed with lines left out as a page leaves them out: as many as there are come before the first "…" and behind it.
func withGap(printed, shown string) string {
	lines := strings.Split(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(printed), "[exit status 3]")), "\n")
	before, after, gap := strings.Cut(strings.TrimSpace(shown), "…\n")
	if !gap {
		before, gap = strings.CutSuffix(strings.TrimSpace(shown), "…")
	}
	first, last := strings.Count(before, "\n"), strings.Count(after, "\n")
	if after != "" {
		last++
	}
	if !gap || first+last >= len(lines) {
		return strings.Join(lines, "\n")
	}
	return strings.Join(slices.Concat(lines[:first], []string{"…"}, lines[len(lines)-last:]), "\n")
}

// documents are the README, its neighbours and the pages in docs, by their paths from the top folder.
func documents(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../docs/*/*.md")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d pages: %v", len(names), err)
	}
	pages := map[string]string{}
	for _, name := range append(names, "../../docs/README.md", "../../README.md", "../../ARCHITECTURE.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[strings.TrimPrefix(filepath.ToSlash(name), "../../")] = string(text)
	}
	return pages
}

// TestLinksBetweenPagesLeadSomewhere follows every link to a file of the repository, and to a heading in it.
func TestLinksBetweenPagesLeadSomewhere(t *testing.T) {
	pages := documents(t)
	link, heading := regexp.MustCompile(`\]\(([^)]*)\)`), regexp.MustCompile(`(?m)^#+ (.*)$`)
	headings := map[string]bool{}
	for name, text := range pages {
		for _, h := range heading.FindAllStringSubmatch(text, -1) {
			anchor := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(h[1]), "")
			headings[name+"#"+strings.ReplaceAll(anchor, " ", "-")] = true
		}
	}
	for name, text := range pages {
		for _, l := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(l[1], "#")
			target := path.Join(path.Dir(name), file)
			if file == "" {
				target = name
			}
			if _, err := os.Stat(filepath.Join("../..", target)); err != nil || anchor != "" && !headings[target+"#"+anchor] {
				t.Errorf("%s: %s leads nowhere", name, l[1])
			}
		}
	}
}

// TestPackagesThatPagesNameExist looks up every package behind go test.
func TestPackagesThatPagesNameExist(t *testing.T) {
	named := 0
	for page, text := range documents(t) {
		for _, m := range regexp.MustCompile(`(?:^|[^.])\./((?:adapters|cmd|compat|engine|exporter|fixtures|importer)(?:/[a-z]+)*)`).FindAllStringSubmatch(text, -1) {
			named++
			if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
				t.Errorf("%s names ./%s, which is not there", page, m[1])
			}
		}
	}
	if named < 5 {
		t.Errorf("only %d packages are named", named)
	}
}

// A readmeCommand is a command in a block of the README, and what stands there as its output.
type readmeCommand struct{ typed, shows string }

// readmeCommands are those that need nothing but the repository: no cluster, no shell.
func readmeCommands(text string) (list []readmeCommand) {
	for block := range strings.SplitSeq(text, "\n```") {
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			typed, shows, _ := strings.Cut(part, "\n")
			typed, ours := strings.CutPrefix(typed, "qprism ")
			shown := regexp.MustCompile(`fixtures/|` + subject.ExampleMark + `| lab:[a-z]|^history `).MatchString(typed)
			if ours && shown && !strings.ContainsAny(typed, "|>") {
				list = append(list, readmeCommand{typed, shows})
			}
		}
	}
	return list
}

// braces expands the braces of words as a shell does: a{1,2} is a1 a2.
func braces(command string) string {
	var words []string
	for _, word := range strings.Fields(command) {
		list := []string{word}
		for strings.Contains(list[0], "{") {
			var next []string
			for _, w := range list {
				before, rest, _ := strings.Cut(w, "{")
				choices, after, _ := strings.Cut(rest, "}")
				for choice := range strings.SplitSeq(choices, ",") {
					next = append(next, before+choice+after)
				}
			}
			list = next
		}
		words = append(words, list...)
	}
	return strings.Join(words, " ")
}

// matchesWithGaps compares texts line by line but for the exit status; a line "…" of the second stands for any lines of the first.
func matchesWithGaps(printed, shown string) bool {
	rest := strings.Split(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(printed), "[exit status 3]")), "\n")
	gap := false
	for line := range strings.SplitSeq(strings.TrimSpace(shown), "\n") {
		if strings.TrimSpace(line) == "…" {
			gap = true
			continue
		}
		for gap && len(rest) > 0 && (line == "" || rest[0] != line) {
			if line == "" {
				break // blank lines around a gap are not looked for
			}
			rest = rest[1:]
		}
		if line == "" && gap {
			continue
		}
		if len(rest) == 0 || rest[0] != line {
			return false
		}
		rest, gap = rest[1:], false
	}
	return gap || len(rest) == 0
}
