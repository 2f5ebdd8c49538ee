package policy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/trial"
	"qprism/engine/intend"
	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/exporter/pbsconf"
	"qprism/exporter/report"
)

type migrateOptions struct {
	to      string
	into    string
	replace bool
	formula string // name of the candidate; empty for the best
	intend  string // a file of sentences
	pastOptions
}

func newMigrate(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "migrate [BUNDLE...] -o DIR", runMigrate)
	cli.Prints(c, "table json")
	c.Flags().StringVar(&opts.to, "to", "pbs", "the `system` to translate to: "+strings.Join(migrationTargets(), ", "))
	c.Flags().StringVarP(&opts.into, "output", "o", "", "the `folder` to write; it must be new or empty")
	c.Flags().BoolVar(&opts.replace, "replace", false, "replace the folder if it holds an earlier migration")
	c.Flags().StringVar(&opts.formula, "formula", "",
		"with --to pbs: the `candidate` to install, such as frozen (default: the one that keeps the order best)")
	c.Flags().StringVar(&opts.intend, "intend", "", "check the sentences of this `file` on both systems")
	addPast(c, &opts.pastOptions)
	return c
}

// A migration is one run of the command: its input and its results.
type migration struct {
	names       []string          // of the bundles, in the order of the history
	again       string            // how the command line names them, or newer ones
	unused      []report.Unused   // snapshots of the history that prove nothing
	wanted      string            // the candidate that --formula names
	sampled     int               // of how many stored snapshots these are a part; 0 for all
	history     []*model.Snapshot // oldest first; the last one is translated
	lines       []model.Line      // of the last one's files
	translation *migrate.Translation
	order       *provenOrder       // nil if no order was tried
	told        *report.Report     // nil if the report is the usual one of translation and order
	elsewhere   *intend.Elsewhere  // the new system; nil if its order of jobs is unknown
	intentions  []report.Intention // sentences, checked on both sides
}

// newest is the snapshot that is translated.
func (m *migration) newest() *model.Snapshot { return m.history[len(m.history)-1] }

// A migratedFile is a file of the folder that a migration writes.
type migratedFile struct {
	name  string
	about string // purpose for the administrator, in a few words
	text  []byte
}

// migrationWriters make the files for each system that --to names.
var migrationWriters = map[string]func(*migration) ([]migratedFile, error){
	"pbs":   toPBS,
	"slurm": toSlurm,
}

// migrationNames are these systems as reports name them.
var migrationNames = map[string]string{"pbs": "PBS", "slurm": "Slurm"}

func migrationTargets() []string { return slices.Sorted(maps.Keys(migrationWriters)) }

func runMigrate(ctx context.Context, d *cli.Deps, opts migrateOptions, bundles []string, w io.Writer) error {
	write, known := migrationWriters[opts.to]
	if !known {
		return fmt.Errorf("unknown --to %q; known: %s", opts.to, strings.Join(migrationTargets(), ", "))
	}
	if opts.into == "" {
		return errors.New("give the folder to write with -o DIR")
	}
	var sentences []intend.Intention
	if opts.intend != "" {
		var err error
		if sentences, err = trial.ReadIntentions(opts.intend); err != nil {
			return err
		}
	}
	m, err := readMigration(ctx, d, opts.pastOptions, bundles)
	if err != nil {
		return err
	}
	if m.wanted = opts.formula; m.wanted != "" && opts.to != "pbs" {
		return errors.New("--formula works only with --to pbs")
	}
	if !m.newest().HasFile("sched_conf.txt") {
		return fmt.Errorf("%s has no policy to translate: sched_conf.txt is missing; "+
			"scripts/capture-ge.sh makes a full bundle on the master",
			m.names[len(m.names)-1])
	}
	files, err := write(m)
	if err != nil {
		return err
	}
	if err := m.hold(ctx, sentences); err != nil {
		return err
	}
	reports, err := m.reports(migrationNames[opts.to], files)
	if err != nil {
		return err
	}
	files = append(files, reports...)
	if err := writeFolder(opts.into, files, opts.replace); err != nil {
		return err
	}
	if d.Format == "json" {
		err = d.Output(w).JSON(migrationJSON(m, files))
	} else {
		_, err = io.WriteString(w, migrationText(m, opts.into, files, d.Output(w).Width()))
	}
	return cli.Found(err, m.translation != nil && m.translation.NeedsAttention() || m.lost())
}

// toPBS translates a Grid Engine cluster.
func toPBS(m *migration) ([]migratedFile, error) {
	m.translation = migrate.Translate(m.history, m.lines)
	if err := m.chooseFormula(); err != nil {
		return nil, err
	}
	m.elsewhere = m.underPBS()
	files, err := pbsFiles(m.translation, clusterName(m.newest()))
	if err == nil && m.order != nil && m.order.chosen != nil && m.order.installed.Candidate.Refresh != "" {
		files = append(files, migratedFile{refreshFile,
			"into /etc/qprism on the server host: it updates the constants of the formula",
			[]byte(m.order.installed.Candidate.Refresh)})
	}
	m.translation.Steps = append(installSteps(m.translation), m.translation.Steps...)
	return files, err
}

func pbsFiles(t *migrate.Translation, source string) ([]migratedFile, error) {
	hooks := slices.Clone(t.Hooks)
	if !t.Submit.Empty() {
		hook, err := pbsconf.SubmitHook(t.Submit)
		if err != nil {
			return nil, err
		}
		hooks = append(hooks, hook)
	}
	users, err := pbsconf.Submission(t.Words(), source)
	if err != nil {
		return nil, err
	}
	var files []migratedFile
	for _, f := range append(pbsconf.Files(t.To, hooks, source), users...) {
		files = append(files, migratedFile{f.Name, f.About, f.Text})
	}
	if tab := crontab(t.Steps); tab != nil {
		files = append(files, migratedFile{"crontab", "lines for the crontab of root on the server host", tab})
	}
	return files, nil
}

// installSteps lists the steps that install the files, in the order that PBS needs. Resources come before the
// scheduler's files that name them. These files come before the usage.
func installSteps(t *migrate.Translation) []migrate.Step {
	reload := "The files of the scheduler, and the signal that makes it read them."
	keyed := slices.ContainsFunc(t.To.PBS.SchedConfig.Lines, func(l model.SchedLine) bool {
		return l.Name == "job_sort_key"
	})
	if keyed && t.To.PBS.Formula != "" {
		reload += " Its log then says that formula and job_sort_key are incompatible: the formula " +
			"orders jobs, and the key orders jobs of equal value."
	}
	steps := []migrate.Step{
		{What: "As root on the server host, in this folder: resources, queues, nodes, limits, hooks and " +
			"the formula. If something exists already, qmgr reports it and sets it anyway.",
			Command: "qmgr < " + pbsconf.Script},
		{What: reload, Command: pbsconf.Reload(t.To)},
	}
	if slices.ContainsFunc(t.Steps, func(s migrate.Step) bool { return strings.Contains(s.Command, refreshPlace) }) {
		steps = append(steps, migrate.Step{What: "The program that updates the constants of the formula.",
			Command: "mkdir -p /etc/qprism && cp " + refreshFile + " /etc/qprism/"})
	}
	steps = append(steps, migrate.Step{What: "For users: a table of the new options, and a qsub for the " +
		"old command lines and scripts, next to the qsub of PBS.",
		Command: "mkdir -p /usr/local/share/qprism && cp " + pbsconf.Table + " " + pbsconf.Wrapper +
			" /usr/local/share/qprism/\n" + "install -m 755 " + pbsconf.Wrapper + " /usr/local/bin/qsub.py"})
	if crontab(t.Steps) != nil {
		steps = append(steps, migrate.Step{What: "Add the commands that must be repeated to the crontab of root.",
			Command: "(crontab -l; cat crontab) | crontab -"})
	}
	return steps
}

// crontab is the steps that are to be repeated.
func crontab(steps []migrate.Step) []byte {
	var b strings.Builder
	for _, s := range steps {
		if s.Cron != "" {
			fmt.Fprintf(&b, "# %s\n%s %s\n", show.Printable(s.What), s.Cron, s.Command)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []byte(b.String())
}

// migrationMark is the file by which an earlier migration is known.
const migrationMark = ".qprism-migration"

// writeFolder writes files into a folder: whole, or not at all. It replaces no folder but an earlier migration's.
func writeFolder(folder string, files []migratedFile, replace bool) error {
	folder = filepath.Clean(folder)
	old, err := replaceable(folder, replace)
	if err != nil {
		return err
	}
	parent := filepath.Dir(folder)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	made, err := os.MkdirTemp(parent, ".migrate-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	if err := os.Chmod(made, 0o755); err != nil {
		return err
	}
	for _, f := range append(files, migratedFile{name: migrationMark, text: []byte("written by qprism migrate\n")}) {
		path := filepath.Join(made, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.text, 0o644); err != nil {
			return err
		}
	}
	return swapIn(made, folder, old)
}

// replaceable reports whether the folder exists. It refuses a folder that must not be replaced.
func replaceable(folder string, replace bool) (old bool, err error) {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case len(entries) == 0:
		return true, nil
	case !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == migrationMark }):
		return false, fmt.Errorf("%s contains other files; name another folder", folder)
	case !replace:
		return false, fmt.Errorf("%s contains an earlier migration; --replace replaces it", folder)
	}
	return true, nil
}

// swapIn puts a folder in the place of an old one, which stays beside it until the new one is there.
func swapIn(made, folder string, old bool) error {
	if !old {
		return os.Rename(made, folder)
	}
	aside := made + ".old"
	if err := os.Rename(folder, aside); err != nil {
		return err
	}
	if err := os.Rename(made, folder); err != nil {
		return errors.Join(err, os.Rename(aside, folder))
	}
	return os.RemoveAll(aside)
}
