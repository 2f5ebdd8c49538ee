// Command manual writes the documentation of an installation package. It makes the man pages of all commands,
// of qprism.yaml(5) and of qprism-gate(8). It also makes completions for bash, zsh and fish.
//
//	go run ./cmd/manual FOLDER [DATE]
//
// DATE is the date on the pages, in the form 2006-01-02. With the same DATE, two builds of one commit are
// equal. Run the command in the root folder of the project.
//
// Its files:
//   - main.go: the pages of commands, and the completions
//   - body.go: translates a document of docs into the body of a man page
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("want FOLDER [DATE], got %d arguments", len(args))
	}
	date := time.Unix(0, 0).UTC()
	if len(args) == 2 {
		var err error
		if date, err = time.Parse(time.DateOnly, args[1]); err != nil {
			return err
		}
	}
	return write(args[0], date)
}

// write fills a folder: man/man1, man/man5, man/man8, and completions.
func write(folder string, date time.Time) error {
	// The default of --store names the home of who builds; a page says it for everybody.
	for name, value := range map[string]string{"QPRISM_STORE": "~/.local/share/qprism/qprism.db", "QPRISM_CONFIG": ""} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	root := program.New()
	if err := commandPages(root, filepath.Join(folder, "man", "man1"), date); err != nil {
		return err
	}
	for _, p := range pages {
		if err := p.write(filepath.Join(folder, "man"), date); err != nil {
			return err
		}
	}
	return completions(root, filepath.Join(folder, "completions"))
}

// commandPages writes a page for each command that help lists.
func commandPages(root *cobra.Command, folder string, date time.Time) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "qprism " + cli.Release, Manual: "qprism manual"}
	return doc.GenManTree(root, header, folder)
}

// A page is a document of the project that is a man page, too.
type page struct{ name, section, says, source string }

var pages = []page{
	{"qprism.yaml", "5", "configuration of qprism serve", "docs/reference/configuration.md"},
	{"qprism-gate", "8", "let a key run the few commands that qprism needs", "docs/reference/gate.md"},
}

// write turns the Markdown of a page into roff, below the title that man(1) wants.
func (p page) write(folder string, date time.Time) error {
	text, err := os.ReadFile(p.source)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%% %q %q %q %q %q\n\n# NAME\n\n%s \\- %s\n\n", p.name, p.section, date.Format("Jan 2006"),
		"qprism "+cli.Release, "qprism manual", p.name, p.says)
	folder = filepath.Join(folder, "man"+p.section)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	roff := md2man.Render([]byte(title + body(string(text))))
	return os.WriteFile(filepath.Join(folder, p.name+"."+p.section), roff, 0o644)
}

// completions writes the completion of each shell under the name that the shell looks for.
func completions(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, make := range map[string]func(file string) error{
		"qprism":      func(f string) error { return root.GenBashCompletionFileV2(f, true) },
		"_qprism":     root.GenZshCompletionFile,
		"qprism.fish": func(f string) error { return root.GenFishCompletionFile(f, true) },
	} {
		if err := make(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}
