package doctor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

type Options struct {
	subject.Reach
	config  string
	cluster string
	Allow   []string
}

func New(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "doctor [--config FILE | --from HOST]", Run)
	c.Args = cobra.NoArgs
	subject.AddReach(c, &opts.Reach)
	c.Flags().StringVar(&opts.config, "config", "", "")
	c.Flags().StringVar(&opts.cluster, "cluster", "", "")
	c.Flags().StringSliceVar(&opts.Allow, "allow", nil, "")
	c.MarkFlagsMutuallyExclusive("config", "from")
	c.MarkFlagsMutuallyExclusive("config", "settings")
	c.MarkFlagsMutuallyExclusive("config", "allow")
	return c
}

// A Verdict is the result of a step.
type Verdict string

const (
	Healthy Verdict = "ok"
	Warning Verdict = "warn"
	Failing Verdict = "fail"
	untried Verdict = "-" // a step before it failed
)

// A Finding is the result of a step, with details.
type Finding struct {
	Cluster string   `json:"cluster,omitempty"`
	Step    string   `json:"step"`
	State   Verdict  `json:"state"`
	Seen    string   `json:"seen"`
	Fix     []string `json:"fix,omitempty"` // what to do, commands on lines of their own
}

func fine(format string, args ...any) Finding {
	return Finding{State: Healthy, Seen: fmt.Sprintf(format, args...)}
}

func doubt(fix, format string, args ...any) Finding {
	return Finding{State: Warning, Seen: fmt.Sprintf(format, args...), Fix: fixes(fix)}
}

func fail(fix, format string, args ...any) Finding {
	return Finding{State: Failing, Seen: fmt.Sprintf(format, args...), Fix: fixes(fix)}
}

func fixes(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func Run(ctx context.Context, d *cli.Deps, opts Options, _ []string, w io.Writer) error {
	config, first, err := opts.configuration()
	if err != nil {
		return err
	}
	findings := []Finding{}
	if opts.config != "" {
		findings = append(findings, first)
	}
	if config != nil {
		findings = append(findings, examine(ctx, d, config, opts)...)
	}
	if err := printFindings(d.Output(w), findings); err != nil {
		return err
	}
	return failures(findings)
}

// failures returns an error if steps failed.
func failures(findings []Finding) error {
	n := 0
	for _, f := range findings {
		if f.State == Failing {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%d of %s failed", n, show.Plural(len(findings), "step"))
	}
	return nil
}

// configuration reads --config, with a finding about it, or makes one of a single cluster from flags. It is nil
// if the file cannot be used.
func (o *Options) configuration() (*cadence.Config, Finding, error) {
	if o.config == "" {
		c := &cadence.Cluster{Name: cmp.Or(o.From, "this machine"), From: o.From, Settings: o.Settings,
			Deadline: 5 * time.Minute}
		for _, word := range o.Allow {
			switch word {
			case "push":
				c.MayPush = true
			case "drive":
				c.MayDrive = true
			default:
				return nil, Finding{}, fmt.Errorf("--allow %q: push or drive", word)
			}
		}
		return &cadence.Config{Clusters: []*cadence.Cluster{c}}, Finding{}, nil
	}
	config, err := serve.LoadConfig(o.config)
	if err != nil {
		f := fail("correct these lines; scripts/qprism.yaml is an example", "%v", err)
		f.Step = "configuration"
		return nil, f, nil
	}
	if o.cluster != "" {
		if err := config.Only(o.cluster); err != nil {
			return nil, Finding{}, err
		}
	}
	f := describeConfig(config)
	f.Step = "configuration"
	return config, f, nil
}

// describeConfig says what a configuration does.
func describeConfig(config *cadence.Config) Finding {
	tasks, writing := 0, []string{}
	for _, c := range config.Clusters {
		n := len(serve.TasksOf(c))
		if tasks += n; n == 0 {
			return doubt("add a line such as capture: \"*/5 * * * *\"", "cluster %s has no task", c.Name)
		}
		if c.MayPush || c.MayDrive {
			writing = append(writing, c.Name)
		}
	}
	text := "changes none"
	if len(writing) > 0 {
		text = "may change " + strings.Join(writing, ", ")
	}
	return fine("%s, %s; it %s", show.Plural(len(config.Clusters), "cluster"), show.Plural(tasks, "task"), text)
}

func examine(ctx context.Context, d *cli.Deps, config *cadence.Config, opts Options) []Finding {
	d = serve.DepsFor(d, config)
	findings := []Finding{inStep("store", examineStore(ctx, d))}
	for _, c := range config.Clusters {
		s := serve.NewServed(d, config, c, slog.New(slog.DiscardHandler))
		x := &examination{Served: s, reach: s.Reach()}
		if opts.config == "" {
			x.reach = opts.Reach
		}
		for _, f := range x.examine(ctx) {
			if opts.config != "" {
				f.Cluster = c.Name
			}
			findings = append(findings, f)
		}
	}
	return findings
}

func inStep(step string, f Finding) Finding {
	f.Step = step
	return f
}

// printFindings prints a line for each step, and below it the fix.
func printFindings(out show.Output, findings []Finding) error {
	switch out.Format {
	case "json":
		return out.JSON(findings)
	case "csv", "tsv":
		return out.Sheet(findingSheet(findings))
	}
	step, state := len("step"), len("state")
	for _, f := range findings {
		step = max(step, len(f.Step))
	}
	line := func(a, b, arrow, text string) {
		begin := fmt.Sprintf("%-*s  %-*s  %s", step, a, state, b, arrow)
		fmt.Fprintln(out.W, strings.TrimRight(show.Hanging(begin, show.Printable(text), out.Width()), " "))
	}
	line("step", "state", "", "seen")
	cluster := ""
	for _, f := range findings {
		if f.Cluster != cluster {
			cluster = f.Cluster
			fmt.Fprintf(out.W, "\n%s\n", cluster)
		}
		first, more, several := strings.Cut(f.Seen, "\n")
		line(f.Step, string(f.State), "", first)
		if several {
			for text := range strings.SplitSeq(more, "\n") {
				line("", "", "", text)
			}
		}
		for i, text := range f.Fix {
			if i == 0 {
				line("", "", "→ ", text)
			} else { // a command, to be copied in one piece
				fmt.Fprintf(out.W, "%*s%s\n", step+state+6, "", show.Printable(text))
			}
		}
	}
	return nil
}

func findingSheet(findings []Finding) show.Sheet {
	t := show.NewSheet("cluster", "step", "state", "seen", "fix")
	for _, f := range findings {
		t.Add(f.Cluster, f.Step, string(f.State), f.Seen, strings.Join(f.Fix, "\n"))
	}
	return t
}
