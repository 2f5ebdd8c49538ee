package trial

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
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
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
	c, opts := cli.Command(d, "intend [FILE] [BUNDLE]", runIntend)
	cli.Prints(c, "table json csv")
	subject.AddSelection(c, &opts.Selection)
	c.Args = cobra.MaximumNArgs(2)
	f := c.Flags()
	f.StringArrayVar(&opts.say, "say", nil, "check this `sentence` against the policy; may be repeated, instead of FILE")
	f.StringVar(&opts.runtime, "runtime", "", "how `long` jobs without a limit run in the forecast, as in qprism forecast")
	f.IntVar(&opts.most, "jobs", 0, "invent at most this `number` of jobs (default 100)")
	f.StringVar(&opts.since, "since", "", "check them against the stored snapshots since this `moment`: "+cli.MomentForms)
	f.StringVar(&opts.until, "until", "", "with --since: until this `moment` (default: the last stored snapshot)")
	f.BoolVar(&opts.noSolve, "no-solve", false, "do not search for other weights and shares")
	return c
}

func runIntend(ctx context.Context, d *cli.Deps, opts intendOptions, args []string, w io.Writer) error {
	list, bundle, err := opts.sentences(args)
	if err != nil {
		return err
	}
	if opts.since != "" {
		if len(bundle) > 0 {
			return errors.New("--since is for stored snapshots: do not give a bundle with it (qprism import stores one)")
		}
		return runIntendPast(ctx, d, opts, list, w)
	}
	estimate, err := next.ParseRuntime(opts.runtime)
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
		Play: forecast.Options{Estimate: estimate, MostRuns: next.MostRuns, Stop: func() bool { return ctx.Err() != nil }}}
	r := &intendReport{s: s, at: at, verdicts: intend.Check(in, list)}
	if !opts.noSolve && r.unordered() {
		r.solution = intend.Solve(in, list)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	out := d.Output(w)
	err = show.Form(out, r.json, r.sheet, func() { r.print(out) })
	return cli.Found(err, r.fails())
}

// mostSentences is more than anybody reads.
const mostSentences = 200

// sentences reads sentences from a file or from the command line. It also returns the words that name the
// bundle.
func (o *intendOptions) sentences(args []string) (list []intend.Intention, bundle []string, err error) {
	switch {
	case len(o.say) > 0 && len(args) > 1:
		return nil, nil, errors.New("with --say, give a bundle and no file")
	case len(o.say) > 0:
		list, err = parseIntentions("--say", o.say)
		return list, args, err
	case len(args) == 0:
		return nil, nil, errors.New("give a sentence: in a file, or with --say 'department A before department B'")
	}
	list, err = ReadIntentions(args[0])
	return list, args[1:], err
}

func ReadIntentions(file string) ([]intend.Intention, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var words []string
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&words); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: expected a list of sentences: %w", file, err)
	}
	return parseIntentions(file, words)
}

func parseIntentions(from string, words []string) (list []intend.Intention, err error) {
	if len(words) == 0 || len(words) > mostSentences {
		return nil, fmt.Errorf("%s: %d sentences; give at least 1 and at most %d", from, len(words), mostSentences)
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
