package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/program"
)

// typedPages are pages of which every command is typed, one after the other, as a terminal of 80 columns shows it.
var typedPages = []string{"docs/how-to/questions.md", "docs/how-to/licences.md"}

// TestEveryQuestionIsAnsweredAsThePageSays types all commands of the pages; -update writes what they print.
func TestEveryQuestionIsAnsweredAsThePageSays(t *testing.T) {
	root, err := filepath.Abs("../..")
	must(t, err)
	for _, page := range typedPages {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, page))
			must(t, err)
			t.Chdir(t.TempDir())
			for _, folder := range []string{"fixtures", "scripts"} {
				must(t, os.Symlink(filepath.Join(root, folder), folder))
			}
			p := &typist{T: t, page: string(text), pictures: filepath.Join(root, "fixtures", "pictures"), port: freePort(t)}
			p.writeFiles()
			for block := range strings.SplitSeq(string(text), "\n```") {
				for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
					typed, shows, _ := strings.Cut(part, "\n")
					p.check(typed, shows)
				}
			}
			if p.typed < 1 {
				t.Error("nothing was typed")
			}
			if *goldenUpdate && p.page != string(text) {
				must(t, os.WriteFile(filepath.Join(root, page), []byte(p.page), 0o644))
			}
		})
	}
}

// A typist types what a page has.
type typist struct {
	*testing.T
	page, pictures string
	port           string // stands for 8765
	typed          int
}

// fileOfBlock is the name of a file that a block of a page is.
var fileOfBlock = regexp.MustCompile("(?s)\n```[a-z]*\n((?:#![^\n]*\n)?# ([a-z]+\\.[a-z]+)\n.*?\n)```")

// writeFiles writes the files that the page shows, and lets no browser open.
func (p *typist) writeFiles() {
	p.Setenv("DISPLAY", "")
	p.Setenv("WAYLAND_DISPLAY", "")
	for _, m := range fileOfBlock.FindAllStringSubmatch(p.page, -1) {
		must(p.T, os.WriteFile(m[2], []byte(m[1]), 0o755))
	}
}

// check types a command, and compares what it prints with what the page has of it.
func (p *typist) check(typed, shows string) {
	if name, value, ok := strings.Cut(strings.TrimPrefix(typed, "export "), "="); ok && strings.HasPrefix(typed, "export ") {
		p.Setenv(name, strings.Trim(value, "'"))
		return
	}
	p.typed++
	printed := stable(strings.ReplaceAll(p.answer(strings.ReplaceAll(typed, "8765", p.port)), p.port, "8765"))
	switch same := matchesWithGaps(printed, shows); {
	case same:
	case *goldenUpdate:
		own := withGap(printed, shows) + map[bool]string{true: "\n"}[shows == ""]
		p.page = strings.Replace(p.page, "$ "+typed+"\n"+shows, "$ "+typed+"\n"+own, 1)
	default:
		p.Errorf("%s prints\n%s\nand the page has\n%s", typed, printed, shows)
	}
}

// unsteady is what differs from day to day, and from one machine to another, with what stands for it.
var unsteady = map[string]*regexp.Regexp{
	// when serve does something next
	"2026-11-23 08:05:00$1":                      regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d:\d\d( +\d+[hms])`),
	"is 10 h 38 min old (limit: the scheduler's": regexp.MustCompile(`is [0-9a-z ]+ old \(limit: the scheduler's`),
	"is 10 h 38 min old (limit: the\n  scheduler's": regexp.MustCompile(
		`is [0-9a-z ]+ old(\n  \(limit: the | \(limit:\n  the | \(limit: the\n  )scheduler's`),
	"98.3 kB, 0 snapshots; 61.66 GB free": regexp.MustCompile(`[0-9.]+ .?B, 0 snapshots; [0-9.]+ .?B free`),
}

func stable(text string) string {
	for stands, what := range unsteady {
		text = what.ReplaceAllString(text, stands)
	}
	return text
}

// answer is what a command prints.
func (p *typist) answer(typed string) string {
	if rest, ok := strings.CutPrefix(typed, "curl -s "); ok {
		return p.fetched(rest)
	}
	command, ours := strings.CutPrefix(typed, "qprism ")
	if !ours {
		p.Fatalf("%q cannot be typed here", typed)
	}
	command, file, drawn := strings.Cut(command, " >")
	if strings.HasPrefix(command, "view ") {
		return p.viewed(strings.TrimSuffix(command, " &"))
	}
	var shown screen
	typeCommand(&shown, braces(command))
	_, printed, _ := strings.Cut(shown.String(), "\n")
	if drawn {
		p.picture(file, printed)
		return ""
	}
	return printed
}

// picture holds what is drawn against the picture of the repository.
func (p *typist) picture(file, drawn string) {
	name := filepath.Join(p.pictures, file)
	if *goldenUpdate {
		must(p.T, os.WriteFile(name, []byte(drawn), 0o644))
	}
	if kept, err := os.ReadFile(name); err != nil || string(kept) != drawn {
		p.Errorf("%s is not what is drawn: %v", name, err)
	}
}

// viewed shows the page until the test ends; it is what the command prints first.
func (p *typist) viewed(command string) string {
	ctx, stop := context.WithCancel(p.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		root := program.New()
		root.SetOut(in)
		root.SetArgs(strings.Fields(command))
		err := root.ExecuteContext(ctx)
		_ = in.CloseWithError(err)
		done <- err
	}()
	p.Cleanup(func() {
		stop()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			p.Error(err)
		}
	})
	text := make([]byte, 4096)
	n, err := out.Read(text)
	must(p.T, err)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(string(text[:n]), "127.0.0.1:8765")
}

// fetched is what curl prints of an address, and grep leaves of it.
func (p *typist) fetched(typed string) string {
	address, want, _ := strings.Cut(typed, " | grep ")
	client := http.Client{Timeout: time.Minute}
	answer, err := client.Get(address)
	must(p.T, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(p.T, err)
	var lines strings.Builder
	for line := range strings.Lines(string(text)) {
		if regexp.MustCompile(strings.Trim(want, "'")).MatchString(line) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	must(t, err)
	return port
}
