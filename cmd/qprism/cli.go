package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/adapters/sqlite"
)

// deps are what all commands share.
type deps struct {
	store      string // path of the store
	storeGiven bool   // on the command line
	format     string
	csvExact   bool           // cells of CSV are for a program, not for a spreadsheet
	called     *cobra.Command // the one that runs
}

// A group is some commands, under a question of its own in the help.
type group struct {
	title    string
	commands func(*deps) []*cobra.Command
}

// newProgram is the program with the commands of some groups, in their order.
func newProgram(groups ...group) *cobra.Command {
	d := &deps{}
	root := &cobra.Command{
		Use:   "qprism",
		Short: "Why the queue is in this order",
		Long: `qprism reads what the own commands of a Grid Engine or PBS cluster print (a "bundle") and
recomputes every priority, ticket, share and formula of a scheduler run, digit for digit.

A bundle is a folder, a .tar, .tar.gz or .tar.zst, or a single listing of jobs (qstat.xml,
qstat_f.json); make one with "qprism capture", or on the master with scripts/capture-ge.sh or
scripts/capture-pbs.sh. Commands take a bundle directly, or a snapshot that "qprism import" has
stored.`,
		Example: `  qprism audit cluster.tar.gz            recompute, and compare with what the master printed
  qprism priorities cluster.tar.gz       every job's priority and what it is made of
  qprism import cluster.tar.gz           keep it; then: qprism audit --snapshot 1`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			d.called = c
			if list := formats(c); d.format != "" && !slices.Contains(list, d.format) {
				return fmt.Errorf("unknown format %q; use %s", d.format, inEnglish(list))
			}
			return nil
		},
	}
	root.PersistentFlags().StringVar(&d.store, "store", defaultStore(), "the `file` that holds imported snapshots (or QPRISM_STORE)")
	root.PersistentFlags().StringVar(&d.format, "format", "", "the `form` of what is printed: table, tsv, csv or json, and svg of what can be drawn (default: a table on a terminal, tsv into a pipe)")
	root.PersistentFlags().BoolVar(&d.csvExact, "csv-exact", false, "leave cells of CSV as they are: no apostrophe before what a spreadsheet would take for a formula")
	_ = root.RegisterFlagCompletionFunc("format", func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return formats(c), cobra.ShellCompDirectiveNoFileComp
	})
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands(d) {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(&cobra.Command{Use: "version", Short: "Which release this is, of which commit, and the format of its store", Args: cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) { fmt.Fprintln(c.OutOrStdout(), "qprism", version()) }})
	helpWithFormats(root)
	tellMistakes(root)
	return root
}

// helpWithFormats lets the help of each command name the formats that it has.
func helpWithFormats(root *cobra.Command) {
	help, flag := root.HelpFunc(), root.PersistentFlags().Lookup("format")
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c != root {
			flag.Usage = formatUsage(c)
		}
		help(c, args)
	})
}

// formatsOf is the annotation in which a command lists its output formats, where it has others than most.
const formatsOf = "formats"

// formats are the output formats of a command.
func formats(c *cobra.Command) []string {
	list := strings.Fields(cmp.Or(c.Annotations[formatsOf], "table csv json"))
	if i := slices.Index(list, "csv"); i >= 0 {
		list = slices.Insert(list, i, "tsv")
	}
	return list
}

// wordy are the commands that print words for people wherever they go, unless --format says otherwise.
var wordy = []string{"audit", "why", "explain", "compare", "lint", "formula check", "push", "drive", "doctor", "capture", "migrate", "db prune", "db check"}

// formatUsage says in a command's help which formats it has, and what it prints if none is named.
func formatUsage(c *cobra.Command) string {
	list := formats(c)
	_, name, _ := strings.Cut(c.CommandPath(), " ")
	switch {
	case slices.Contains(wordy, name):
		return "the `form` of what is printed: " + inEnglish(list) + " (default table, words for people, into a pipe too)"
	case slices.Contains(list, "tsv"):
		return "the `form` of what is printed: " + inEnglish(list) + " (default: table on a terminal, tsv into a pipe)"
	}
	return "the `form` of what is printed: " + inEnglish(list)
}

// inEnglish lists words: "a, b or c".
func inEnglish(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// defaultStore is where snapshots are kept unless --store or QPRISM_STORE says otherwise.
func defaultStore() string {
	if path := os.Getenv("QPRISM_STORE"); path != "" {
		return path
	}
	data := os.Getenv("XDG_DATA_HOME")
	if data == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "qprism.db"
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "qprism", "qprism.db")
}

func version() string {
	release, commit := "devel", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		release = cmp.Or(strings.Trim(info.Main.Version, "()"), release)
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = ", commit " + s.Value[:min(len(s.Value), 12)] + commit
			case s.Key == "vcs.modified" && s.Value == "true":
				commit += " with changes"
			}
		}
	}
	return fmt.Sprintf("%s%s; store format %d", release, commit, sqlite.Format())
}

// errNoBundle is the answer to a command that got neither a bundle nor a stored snapshot.
var errNoBundle = errors.New(`no snapshot stored yet; give a bundle, or run "qprism import BUNDLE" first`)
