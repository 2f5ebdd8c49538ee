package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/help"
	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// Deps is what all commands share.
type Deps struct {
	Store      string // path of the store
	StoreGiven bool   // a flag set Store
	Format     string
	csvExact   bool           // CSV cells are for a program, not for a spreadsheet
	wide       bool           // tables keep their full width
	utc        bool           // people also read times in UTC
	zone       *time.Location // time zone for people; nil for UTC
	Called     *cobra.Command // the command that runs
	// Snapshots in memory, by their name on the command line. The page asks many questions about one snapshot.
	Held map[string]*model.Snapshot
	Made *sync.Map // values computed from Held, for later questions; see Once
}

// Once computes a value from the snapshots in memory, once for all questions. Without such snapshots it
// computes the value each time.
func Once[T any](d *Deps, key string, make func() T) T {
	if d.Made == nil {
		return make()
	}
	once, _ := d.Made.LoadOrStore(key, sync.OnceValue(make))
	return once.(func() T)()
}

// Command makes a command that runs with options. Its flags set these options.
func Command[O any](d *Deps, use string, run func(context.Context, *Deps, O, []string, io.Writer) error) (
	*cobra.Command, *O) {
	opts := new(O)
	return &cobra.Command{Use: use, RunE: func(c *cobra.Command, args []string) error {
		return run(c.Context(), d, *opts, args, c.OutOrStdout())
	}}, opts
}

// A Group has the commands under one heading of the help.
type Group struct {
	Title    string
	Commands func(*Deps) []*cobra.Command
}

// Warn returns the writer for remarks about the answer. It discards them if no command runs.
func (d *Deps) Warn() io.Writer {
	if d.Called == nil {
		return io.Discard
	}
	return d.Called.ErrOrStderr()
}

// New makes the program with the commands of these groups.
func New(groups ...Group) *cobra.Command {
	d := &Deps{zone: time.Local}
	root := &cobra.Command{
		Use:           "qprism",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       This().String(),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			d.Called, d.StoreGiven = c, c.Flags().Changed("store")
			if list := Formats(c); d.Format != "" && !slices.Contains(list, d.Format) {
				return fmt.Errorf("unknown format %q; use %s", d.Format, show.JoinOr(list))
			}
			return nil
		},
	}
	root.PersistentFlags().StringVar(&d.Store, "store", defaultStore(),
		"the `file` with the imported snapshots (or QPRISM_STORE)")
	root.PersistentFlags().StringVar(&d.Format, "format", "",
		"the output `form`: table, tsv, csv or json, and svg for pictures (default: table on a terminal, tsv into a pipe)")
	root.PersistentFlags().BoolVar(&d.csvExact, "csv-exact", false,
		"print CSV cells unchanged: no apostrophe before a text that a spreadsheet takes for a formula")
	root.PersistentFlags().BoolVar(&d.wide, "wide", false, "do not shorten tables and lines to the width of the terminal")
	root.PersistentFlags().BoolVar(&d.utc, "utc", false, "print times in UTC, also on a terminal (files always have UTC)")
	_ = root.RegisterFlagCompletionFunc("format", func(c *cobra.Command, _ []string, _ string) (
		[]string, cobra.ShellCompDirective) {
		return Formats(c), cobra.ShellCompDirectiveNoFileComp
	})
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title})
		for _, c := range g.Commands(d) {
			c.GroupID = g.Title
			root.AddCommand(c)
		}
	}
	root.AddCommand(newVersion(d))
	help.Describe(root)
	helpWithFormats(root)
	tellMistakes(root)
	return root
}

// helpWithFormats lets the help of each command name the formats that it has.
func helpWithFormats(root *cobra.Command) {
	print, flag := root.HelpFunc(), root.PersistentFlags().Lookup("format")
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c != root {
			flag.Usage = formatUsage(c)
		}
		print(c, args)
	})
}

// Careful is the annotation of commands that change a cluster. A signal does not end them; they end by
// themselves.
const Careful = "careful"

// FormatsOf is the annotation that lists a command's output formats, if they are unusual.
const FormatsOf = "formats"

// Prints sets the output formats of a command, if they are unusual.
func Prints(c *cobra.Command, formats string) { c.Annotations = map[string]string{FormatsOf: formats} }

// Formats lists the output formats of a command.
func Formats(c *cobra.Command) []string {
	list := strings.Fields(cmp.Or(c.Annotations[FormatsOf], "table csv json"))
	if i := slices.Index(list, "csv"); i >= 0 {
		list = slices.Insert(list, i, "tsv")
	}
	return list
}

// textCommands are the commands that print words for people wherever they go, unless --format says otherwise.
var textCommands = []string{"audit", "why", "explain", "compare", "lint", "intend", "formula check",
	"push", "drive", "doctor", "init", "capture", "anonymize", "migrate", "db prune", "db check"}

// formatUsage writes the help of --format: the formats of the command, and the default.
func formatUsage(c *cobra.Command) string {
	list := Formats(c)
	_, name, _ := strings.Cut(c.CommandPath(), " ")
	switch {
	case slices.Contains(textCommands, name):
		return "the output `form`: " + show.JoinOr(list) + " (default: table, also into a pipe)"
	case slices.Contains(list, "tsv"):
		return "the output `form`: " + show.JoinOr(list) + " (default: table on a terminal, tsv into a pipe)"
	}
	return "the output `form`: " + show.JoinOr(list)
}

// defaultStore returns the path of the store without --store and QPRISM_STORE.
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

// ErrNoBundle is the error of a command that got neither a bundle nor a stored snapshot.
var ErrNoBundle = errors.New(`no snapshot is stored yet; give a bundle, or run "qprism import BUNDLE" first`)

// A DisagreementError says that numbers in an audit disagree. The command has already printed its report.
type DisagreementError struct{}

func (*DisagreementError) Error() string { return "not every number agrees" }

// Found returns the error of a command that printed findings. It returns err, or a *DisagreementError if there
// is something.
func Found(err error, something bool) error {
	if err == nil && something {
		return &DisagreementError{}
	}
	return err
}

// Output makes the Output of a command to a writer, by the common flags.
func (d *Deps) Output(w io.Writer) show.Output {
	out := show.Out(w, d.Format)
	out.Exact, out.Wide = d.csvExact, d.wide
	if out.Zone = d.zone; d.utc {
		out.Zone = nil
	}
	return out
}
