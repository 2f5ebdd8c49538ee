package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/show"
)

// Release is the version of the program, as docs/reference/versions.md explains it.
const Release = "0.1.0"

// Built is the version of the program and of its formats.
type Built struct {
	Release string `json:"release"`
	Commit  string `json:"commit,omitempty"` // full hash
	Date    string `json:"date,omitempty"`   // of the commit
	Changed bool   `json:"changed"`          // files differed from the commit
	Store   int    `json:"store_format"`
}

// This describes the program that runs.
func This() Built {
	b := Built{Release: Release, Store: sqlite.Format()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value[:min(len(s.Value), len("2006-01-02"))]
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

// String names the release, the commit with its date, and the format of the store.
func (b Built) String() string {
	text := b.Release
	if b.Commit != "" {
		text += fmt.Sprintf(", commit %s of %s", b.Commit[:min(len(b.Commit), 12)], b.Date)
	}
	if b.Changed {
		text += " with changes"
	}
	return fmt.Sprintf("%s; store format %d", text, b.Store)
}

func newVersion(d *Deps) *cobra.Command {
	return &cobra.Command{Use: "version", Short: "The release of qprism, its commit, and the format of its store",
		Args:        cobra.NoArgs,
		Annotations: map[string]string{FormatsOf: "table json"},
		RunE: func(c *cobra.Command, _ []string) error {
			if d.Format == "json" {
				return d.Output(c.OutOrStdout()).JSON(This())
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), "qprism", This())
			return err
		}}
}

// Documents are the JSON types of this package's commands.
var Documents = []show.Document{{Command: "version", Of: Built{}}}
