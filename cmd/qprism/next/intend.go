package next

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/forecast"
	"qprism/engine/intend"
)

type intendOptions struct {
	subject.Selection
	say     []string
	runtime string
	most    int
	noSolve bool

	since, until string // of stored snapshots
}

func newIntend(d *cli.Deps) *cobra.Command {
	var opts intendOptions
	c := &cobra.Command{
		Use:   "intend [FILE] [BUNDLE]",
		Short: "Does the policy do what it is meant to? Sentences, held against it",
		Long: `intend reads sentences of what a policy is meant to do, and says of each whether it holds: for the
jobs at hand, for jobs that are made up to break it, or in a forecast. What breaks a sentence is given as the
smallest set of jobs, as lines of a laboratory (qprism lab); and where sentences about the order of jobs do not
hold, weights, urgencies and shares are looked for with which all do, or the two that exclude each other.

FILE is a list in YAML, one sentence an item; --say gives one on the command line instead:

  - department Privileged before department ClusterGrid    a job of the one ranks before each of the other
  - within each department, slots decide                   also waiting, urgency, -p; user, project, all jobs
  - urgency before tickets                                 the second never reverses what the first decides
  - 1h of waiting is worth 1 slot
  - at most 4 slots waits at most 8h                       from its submission to its start in the forecast
  - user ann starts within 2h                              from now
  - project bio gets at least 40% over 30d                 of the slots in the forecast, while it has jobs that wait
  - at least 16 slots is not passed                        nothing of a lower place starts before it

Who a sentence speaks of is user, project or department NAME, job N, -l RESOURCE, at least or at most N slots, all
jobs, and several of these with "and" between them: department A and at least 4 slots.

The order of a made-up case is computed as the scheduler would for these jobs and no others, with the shares and usage
of the bundle. All sets of two, three or four jobs are tried, of owners that the sentence names and others, with each
resource that has an urgency, fresh and after a day; then many jobs of one kind with one or two others. On PBS they ask
for what a job_sort_formula or job_sort_key reads, by owners of the jobs at hand; weights of the formula's terms and
shares of the tree are what is looked for. Sentences about urgency and tickets are not for PBS.

--since holds them against the stored snapshots of a cluster in place of one: those about the order of jobs against
each, those about time against what started, waited and ran in them, with the accounting that they hold. What a
project gets counts while it has jobs that wait: over 30d is the 30 days before each snapshot where as much is known,
else all that is known. Exit status 3 where a sentence does not hold.`,
		Example: `  qprism intend intentions.yaml cluster.tar.gz
  qprism intend --say 'department Privileged before department ClusterGrid' example:departments
  qprism intend intentions.yaml lab:essc,weight_urgency=0.001
  qprism intend intentions.yaml --since 30d`,
		Annotations: map[string]string{cli.FormatsOf: "table json csv"},
		RunE: func(c *cobra.Command, args []string) error {
			return runIntend(c.Context(), d, opts, args, c.OutOrStdout())
		},
	}
	subject.AddSelection(c, &opts.Selection)
	c.Args = cobra.MaximumNArgs(2)
	f := c.Flags()
	f.StringArrayVar(&opts.say, "say", nil, "hold this `sentence` against the policy; may be given often, in place of FILE")
	f.StringVar(&opts.runtime, "runtime", "", "how `long` jobs without a limit run in the forecast, as forecast has it")
	f.IntVar(&opts.most, "jobs", 0, "make up no more than this `number` of jobs (default 100)")
	f.StringVar(&opts.since, "since", "", "hold them against the stored snapshots since this `moment`: "+cli.MomentForms)
	f.StringVar(&opts.until, "until", "", "with --since: against those until this `moment` (default: the last that is stored)")
	f.BoolVar(&opts.noSolve, "no-solve", false, "look for no other weights and shares")
	return c
}

func runIntend(ctx context.Context, d *cli.Deps, opts intendOptions, args []string, w io.Writer) error {
	list, bundle, err := opts.sentences(args)
	if err != nil {
		return err
	}
	if opts.since != "" {
		if len(bundle) > 0 {
			return errors.New("--since is for stored snapshots: give no bundle with it (qprism import stores one)")
		}
		return runIntendPast(ctx, d, opts, list, w)
	}
	estimate, err := ParseRuntime(opts.runtime)
	if err != nil {
		return err
	}
	s, err := subject.Of(ctx, d, &opts.Selection, bundle)
	if err != nil {
		return err
	}
	if err := s.Batch.Lacks(false); err != nil {
		return err
	}
	at, err := s.Moment()
	if err != nil {
		return err
	}
	in := intend.Input{Snapshot: s.Snapshot, Quirks: s.Look.Quirks, At: at.At, Most: opts.most,
		Play: forecast.Options{Estimate: estimate, MostRuns: mostRuns, Stop: func() bool { return ctx.Err() != nil }}}
	r := &intendReport{s: s, at: at, verdicts: intend.Check(in, list)}
	if !opts.noSolve && r.unordered() {
		r.solution = intend.Solve(in, list)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	switch out := d.Output(w); d.Format {
	case "json":
		err = out.JSON(r.json())
	case "csv", "tsv":
		err = out.Sheet(r.sheet())
	default:
		r.print(out)
	}
	if err == nil && r.fails() {
		err = &cli.DisagreementError{}
	}
	return err
}

// mostSentences is more than anybody reads.
const mostSentences = 200

// sentences reads those of a file, or of the command line, and says which words are the bundle.
func (o *intendOptions) sentences(args []string) (list []intend.Intention, bundle []string, err error) {
	switch {
	case len(o.say) > 0 && len(args) > 1:
		return nil, nil, errors.New("with --say, give a bundle and no file")
	case len(o.say) > 0:
		list, err = parseIntentions("--say", o.say)
		return list, args, err
	case len(args) == 0:
		return nil, nil, errors.New("no sentence given: a file of them, or --say 'department A before department B'")
	}
	list, err = ReadIntentions(args[0])
	return list, args[1:], err
}

// ReadIntentions reads a file of sentences.
func ReadIntentions(file string) ([]intend.Intention, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var words []string
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&words); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: a list of sentences is expected: %w", file, err)
	}
	return parseIntentions(file, words)
}

func parseIntentions(from string, words []string) (list []intend.Intention, err error) {
	if len(words) == 0 || len(words) > mostSentences {
		return nil, fmt.Errorf("%s: %d sentences; at least one, and %d at the most", from, len(words), mostSentences)
	}
	for _, text := range words {
		i, err := intend.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		list = append(list, i)
	}
	return list, nil
}
