package doctor

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"qprism/cmd/cadence"
	"qprism/cmd/names"
	"qprism/cmd/qprism/act/control"
	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

type InitOptions struct {
	subject.Reach
	name   string
	Output string
	print  bool
	force  bool

	Asks io.Reader // where to read answers; nil to ask nothing
	home string    // of the account that serve runs as; "" for who runs this
}

func NewInit(d *cli.Deps) *cobra.Command {
	var opts InitOptions
	c := &cobra.Command{
		Use:         "init [--from HOST]",
		Args:        cobra.NoArgs,
		Annotations: map[string]string{cli.FormatsOf: "table json"},
		RunE: func(c *cobra.Command, _ []string) error {
			if !opts.print && term.IsTerminal(int(os.Stdin.Fd())) {
				opts.Asks = os.Stdin
			}
			return RunInit(c.Context(), d, opts, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	subject.AddReach(c, &opts.Reach)
	c.Flags().StringVar(&opts.name, "cluster", "", "")
	c.Flags().StringVarP(&opts.Output, "output", "o", "", "")
	c.Flags().BoolVar(&opts.print, "print", false, "")
	c.Flags().BoolVar(&opts.force, "force", false, "")
	c.MarkFlagsMutuallyExclusive("print", "output")
	return c
}

// InitReport is the result of init.
type InitReport struct {
	File     string    `json:"file"`
	Cluster  string    `json:"cluster"`
	Findings []Finding `json:"findings"`
	Missing  string    `json:"missing,omitempty"`    // rights that push and drive need
	Unknown  string    `json:"not_known,omitempty"`  // why the rights are unknown
	Gate     string    `json:"authorized_keys"`      // the line that limits a key to reading
	KeyMade  string    `json:"make_a_key,omitempty"` // the command that makes a key, if there is none
	Next     string    `json:"next"`
	purpose  string    // of Next
}

func RunInit(ctx context.Context, d *cli.Deps, opts InitOptions, w, warn io.Writer) error {
	opts.complete()
	file := opts.file()
	if err := opts.mayWrite(file); err != nil {
		return err
	}
	fmt.Fprintf(warn, lookingAt, cmp.Or(opts.From, "this host"))
	c := &cadence.Cluster{Name: cmp.Or(opts.name, "cluster"), From: opts.From, Settings: opts.Settings,
		Deadline: 5 * time.Minute}
	s := serve.NewServed(d, &cadence.Config{}, c, slog.New(slog.DiscardHandler))
	x := &examination{Served: s, reach: opts.Reach}
	findings := x.examine(ctx)
	if x.snapshot == nil {
		if err := printFindings(d.Output(warn), findings); err != nil {
			return err
		}
		return errors.New("qprism wrote no configuration, because a step failed; do what the arrows say")
	}
	a, err := opts.answers(d, x, warn)
	if err != nil {
		return err
	}
	text, err := a.configuration()
	if err != nil {
		return err
	}
	if opts.print {
		_, err = io.WriteString(w, text)
		return err
	}
	if err := put(file, text, opts.force || packaged(file)); err != nil {
		return err
	}
	r := InitReport{File: file, Cluster: a.Name, Findings: checked(ctx, d, file, findings)}
	r.purpose, r.Next = opts.next(x, file)
	r.Missing, r.Unknown = x.rights(ctx)
	r.Gate, r.KeyMade = opts.gate(x)
	return errors.Join(r.show(d.Output(w), &opts, x, a.Minutes), failures(r.Findings))
}

// complete sets options from the environment of this cluster, and the account of serve.
func (o *InitOptions) complete() {
	if o.From == "" && o.Settings == "" {
		o.Settings = settingsHere()
	}
	if os.Getuid() != 0 {
		return
	}
	if u, err := user.Lookup("qprism"); err == nil {
		o.home = u.HomeDir
		if o.From != "" && o.Client.Home == "" { // use the keys of the service, not those of root
			o.Client.Home, o.Client.User = u.HomeDir, u.Username
		}
	}
}

// settingsHere is the file that sets the environment of the cluster's commands on this host. A service does not
// have it by itself.
func settingsHere() string {
	files := []string{"/etc/profile.d/pbs.sh"}
	if root := os.Getenv("SGE_ROOT"); root != "" {
		files = []string{filepath.Join(root, cmp.Or(os.Getenv("SGE_CELL"), "default"), "common", "settings.sh")}
	}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() {
			return f
		}
	}
	return ""
}

// file is the configuration to write.
func (o *InitOptions) file() string {
	if o.Output != "" || o.print {
		return o.Output
	}
	if os.Getuid() == 0 {
		return "/etc/qprism/qprism.yaml"
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return "qprism.yaml"
	}
	return filepath.Join(folder, "qprism", "qprism.yaml")
}

// mayWrite returns an error if the file exists and must not be replaced. It runs before any command on the
// cluster.
func (o *InitOptions) mayWrite(file string) error {
	if o.print || o.force || packaged(file) {
		return nil
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s exists; --force replaces it, --print shows what it would become", file)
	}
	return nil
}

// answers joins facts of the cluster with answers of the user.
func (o *InitOptions) answers(d *cli.Deps, x *examination, w io.Writer) (*initAnswers, error) {
	a := &initAnswers{Cluster: x.snapshot.Cluster, Name: cmp.Or(o.name, nameFrom(x.snapshot.Cluster)),
		From: o.From, Settings: o.Settings,
		SSHConfig: o.SshConfig, Minutes: "5", Page: true, Store: d.Store}
	if o.home != "" && !d.StoreGiven {
		a.Store = filepath.Join(o.home, "qprism.db")
	}
	if o.SshConfig != "" {
		path, err := filepath.Abs(o.SshConfig)
		if err != nil {
			return nil, err
		}
		a.SSHConfig = path
	}
	a.Reports = filepath.Join(filepath.Dir(a.Store), "reports")
	if !clusterNames.MatchString(a.Name) {
		return nil, fmt.Errorf("--cluster %q: %s", a.Name, BadName)
	}
	if o.Asks == nil {
		return a, nil
	}
	q := &questions{lines: bufio.NewScanner(o.Asks), w: w}
	page := "yes"
	q.ask(AskName, BadName, clusterNames, &a.Name)
	q.ask(askMinutes, BadMinutes, minutes, &a.Minutes)
	q.ask(askPage, BadPage, yesOrNo, &page)
	a.Page = strings.HasPrefix(page, "y")
	return a, q.err
}

var (
	clusterNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)
	minutes      = regexp.MustCompile(`^([1-9]|[1-5][0-9]|60)$`)
	yesOrNo      = regexp.MustCompile(`^(y|yes|n|no)$`)
)

// nameFrom makes a name for the configuration from the cluster's own name.
func nameFrom(cluster string) string {
	name := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9_.-]+`).ReplaceAllString(cluster, "-"), "-._")
	if name = name[:min(len(name), 64)]; !clusterNames.MatchString(name) || name == cadence.StoreGroup {
		return "cluster"
	}
	return name
}

// questions asks on a terminal.
type questions struct {
	lines *bufio.Scanner
	w     io.Writer
	err   error
}

// ask asks until an answer has a form. An empty answer takes the default, which is in text.
func (q *questions) ask(what, wrong string, form *regexp.Regexp, text *string) {
	for q.err == nil {
		fmt.Fprintf(q.w, "%s [%s]: ", what, *text)
		if !q.lines.Scan() {
			q.err = cmp.Or(q.lines.Err(), io.ErrUnexpectedEOF)
			return
		}
		answer := strings.TrimSpace(q.lines.Text())
		if answer == "" {
			return
		}
		if form.MatchString(answer) {
			*text = answer
			return
		}
		fmt.Fprintln(q.w, wrong)
	}
}

// checked puts findings about the file and the store before those about the cluster.
func checked(ctx context.Context, d *cli.Deps, file string, cluster []Finding) []Finding {
	config, err := serve.LoadConfig(file)
	if err != nil {
		return append([]Finding{inStep("configuration", fail("", "%v", err))}, cluster...)
	}
	own := serve.DepsFor(d, config)
	store := examineStore(ctx, own)
	if err := giveToFolder(own.Store); err != nil {
		store = fail("chown the store to the account of the service", "%v", err)
	}
	return append([]Finding{inStep("configuration", describeConfig(config)), inStep("store", store)}, cluster...)
}

// rights returns the rights that the account lacks for push and drive, or why they are unknown.
func (x *examination) rights(ctx context.Context) (missing, unknown string) {
	r := &control.Shell{Reach: x.reach}
	defer r.Close()
	missing, err := x.system().Rights(ctx, r, nil)
	if err != nil {
		return "", err.Error()
	}
	return missing, ""
}

// gate returns the line of authorized_keys that limits the key to reading. If there is no key, it also returns
// the command that makes one.
func (o *InitOptions) gate(x *examination) (line, keygen string) {
	options := ""
	if o.Settings != "" {
		options = " -s " + cli.ShellWord(o.Settings)
	}
	command := gateFile() + options + " read"
	if root := x.snapshot.Identity.Root; root != "" && !x.pbs {
		command = "SGE_ROOT=" + cli.ShellWord(root) + " SGE_CELL=" + cli.ShellWord(
			cmp.Or(x.snapshot.Identity.Cell, "default")) + " " + command
	}
	key := "ssh-ed25519 AAAA... qprism"
	home := o.Client.Home
	if home == "" {
		_, home, _ = names.User()
	}
	file := filepath.Join(home, ".ssh", "id_ed25519")
	if text, err := os.ReadFile(file + ".pub"); err == nil {
		key = strings.TrimSpace(string(text))
	} else {
		keygen = "ssh-keygen -t ed25519 -f " + cli.ShellWord(file)
		if o.Client.User != "" {
			keygen = "sudo -u " + o.Client.User + " " + keygen
		}
	}
	return `restrict,command="` + strings.ReplaceAll(command, `"`, `\"`) + `" ` + key, keygen
}

// gateFile returns the gate that was installed with the program. Without one it returns where packages install
// it.
func gateFile() string {
	if program, err := os.Executable(); err == nil {
		file := filepath.Join(filepath.Dir(filepath.Dir(program)), "sbin", "qprism-gate")
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return "/usr/sbin/qprism-gate"
}

// next is the command to run now.
func (o *InitOptions) next(x *examination, file string) (purpose, command string) {
	if _, err := os.Stat("/run/systemd/system"); err == nil && o.home != "" && file == "/etc/qprism/qprism.yaml" {
		return startServe, nextService
	}
	if os.Getuid() == 0 {
		return startServe, fmt.Sprintf(nextServe, cli.ShellWord(file))
	}
	from := cli.ShellWord(cmp.Or(o.From, "."))
	for i := range x.snapshot.Jobs {
		if job := &x.snapshot.Jobs[i]; job.Waits() {
			return fmt.Sprintf(seeWhy, job.KnownAs()), fmt.Sprintf(nextWhy, cli.ShellWord(job.KnownAs()), from)
		}
	}
	return seePlan, fmt.Sprintf(nextPlan, from)
}

func (r *InitReport) show(out show.Output, o *InitOptions, x *examination, every string) error {
	if out.Format == "json" {
		return out.JSON(r)
	}
	fmt.Fprintf(out.W, wroteFile, show.Printable(r.File), every)
	fmt.Fprintln(out.W)
	if err := printFindings(out, r.Findings); err != nil {
		return err
	}
	fmt.Fprintf(out.W, "\n%s\n", rightsTitle)
	r.showRights(out, x.pbs)
	text := gateText
	if o.From == "" {
		text = gateLocal
	}
	fmt.Fprintf(out.W, "\n%s\n%s\n  %s\n", gateTitle, show.Hanging("", text, out.Width()), show.Printable(r.Gate))
	if r.KeyMade != "" {
		fmt.Fprintf(out.W, "%s\n  %s\n", noKey, show.Printable(r.KeyMade))
	}
	fmt.Fprintf(out.W, "\nNext: %s\n", show.Step(show.Printable(r.purpose), show.Printable(r.Next)))
	if r.purpose != startServe {
		serve := fmt.Sprintf(nextServe, show.Printable(cli.ShellWord(r.File)))
		fmt.Fprintf(out.W, "Or: %s\n", show.Step(startServe, serve))
	}
	fmt.Fprintln(out.W, openPage)
	return nil
}

func (r *InitReport) showRights(out show.Output, isPBS bool) {
	needed := map[bool]string{true: pbsOperator, false: operator}[isPBS]
	for _, row := range rightRows {
		needs, has := anyAccount, hasRights
		if row.changes {
			needs = needed
			switch {
			case r.Missing != "":
				has = fmt.Sprintf(lacksRights, r.Missing)
			case r.Unknown != "":
				has = fmt.Sprintf(unknownRights, r.Unknown)
			}
		}
		fmt.Fprintln(out.W, show.Hanging("  "+row.commands+" ("+needs+"): ", show.Printable(has), out.Width()))
	}
}
