package next

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/engine/batch"
	"qprism/engine/delay"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/model"
)

type whyOptions struct {
	subject.Planning
	all bool
}

func newWhy(d *cli.Deps) *cobra.Command {
	var opts whyOptions
	c := &cobra.Command{
		Use:   "why JOB [BUNDLE]",
		Short: "Why a job does not start now",
		Long: `why says first whether the job can ever run: on an idle cluster, as it is configured. If not,
it names the request to blame, and the nearest that would fit.

Else why plans one scheduler run and says why a job does not start in it: the reservation that
it has, or what it lacks, host by host, those that could take it at another time first;
which jobs hold what it waits for, and when they end at the latest, by their limits as in
forecast; and how much work comes before it. JOB is a number, 4711, or 4711.3 for a task.

Of PBS, JOB is an id, with the server's name or without: 12, 12.server, 12[], 12[3]. The reason is
the scheduler's own, as it logs it and in words, and the vnodes are those that the job may use.`,
		Example: `  qprism why 4711 cluster.tar.gz
  qprism why 4711 --snapshot 12 --format json | jq .hosts`,
		RunE: func(c *cobra.Command, args []string) error {
			return runWhy(c.Context(), d, opts, args, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	subject.AddPlanning(c, &opts.Planning)
	c.Args = cobra.RangeArgs(1, 2)
	c.Flags().BoolVar(&opts.all, "all", false, "name every host, and every job that holds what this one waits for")
	return c
}

func runWhy(ctx context.Context, d *cli.Deps, opts whyOptions, args []string, w, warn io.Writer) error {
	args, err := subject.JobFirst("why", args)
	if err != nil {
		return err
	}
	s, err := subject.PlanSubject(ctx, d, &opts.Planning, args[1:], warn)
	if err != nil {
		return err
	}
	at, err := s.Moment()
	if err != nil {
		return err
	}
	job, err := s.Batch.Find(args[0])
	if err != nil {
		return err
	}
	p := s.Batch.Plan(at.At)
	r := whyNot(s, p, job, subject.TaskNumber(job, args[0]))
	switch out := d.Output(w); d.Format {
	case "json":
		return out.JSON(r.json(s, p))
	case "csv", "tsv":
		t := r.hostSheet(true)
		s.Batch.Words().Adapt(&t)
		return out.Sheet(t)
	default:
		out.Terminal = true // an explanation is for people, wherever it goes; programs ask for JSON
		return printWhy(out, s, at, r, opts.all)
	}
}

// A whyReport is why a job does not start, with what is said of it.
type whyReport struct {
	*delay.Delay
	words    *words.System
	id, asks string // as people know the job, and what it asks for in words
	at       time.Time
	comment  string // the job's own, by the scheduler or somebody else; of PBS
	chance   *batch.Chance
	state    string // where it runs, in a sentence; empty where that is not all to say of it
	advice   string // what to do next
}

// A counsel says what a job asks for, where it runs, what its comment is, and what helps on, by the commands of one system.
type counsel struct {
	asks, runs, comment func(*model.Job) string
	advise              func(*subject.Subject, *whyReport) string
}

var (
	counselGridEngine = counsel{slotsAsked, nothing, nothing, adviseGridEngine}
	counselPBS        = counsel{selectAsked, runsSince, commentOf, advisePBS}
)

func nothing(*model.Job) string { return "" }

// whyNot finds why a job, or a task of it where that is not 0, does not start.
func whyNot(s *subject.Subject, p *model.Plan, j *model.Job, task uint32) *whyReport {
	c := subject.Choose(s.Snapshot, counselGridEngine, counselPBS)
	r := &whyReport{Delay: delay.Of(s.Snapshot, p, j, task), words: s.Batch.Words(), id: j.KnownAs(), asks: c.asks(j), comment: c.comment(j),
		state: c.runs(j), at: p.RunAt}
	if task != 0 {
		r.id += "." + show.Number32(task)
	}
	r.judge(s, c)
	return r
}

// judge finds whether a job that waits can ever run, and what to do next. What a full cluster refuses says nothing of a job that an
// idle one refuses too.
func (r *whyReport) judge(s *subject.Subject, c counsel) {
	if r.Decision == nil || r.Decision.Verdict != model.Never {
		r.chance = &batch.Chance{}
	} else {
		r.chance = s.ChanceOf(r.Job)
	}
	if r.chance.Never {
		r.Hosts, r.Holders, r.Ahead, r.General = delay.Refusing(r.chance.Why), nil, nil, held(r.General)
	}
	if r.Decision != nil {
		r.advice = c.advise(s, r)
	}
}

// held are the reasons that keep a job from being tried at all, and the one that the scheduler of PBS logs.
func held(why []model.Reason) (list []model.Reason) {
	for _, w := range why {
		if w.Kind.HoldsBack() || w.Kind == model.ReasonJobState || w.Failure != model.NoFailure {
			list = append(list, w)
		}
	}
	return list
}

// printWhy prints an explanation: the answer, what is missing, who holds it, and what comes before.
func printWhy(out show.Output, s *subject.Subject, at lastrun.Moment, r *whyReport, all bool) error {
	subject.PrintHeader(out, s, at.At, at.Source)
	out.Say("%s", show.Printable(r.subject(out)))
	out.Say("")
	for _, line := range r.answer(out) {
		out.Say("%s", show.Printable(line))
	}
	if r.Decision == nil || r.Decision.Verdict == model.Now {
		return nil
	}
	out.Say("")
	if len(r.Hosts) > 0 {
		t := r.hostSheet(all)
		s.Batch.Words().Adapt(&t)
		if err := out.Sheet(t); err != nil {
			return err
		}
		out.Say("")
	}
	if len(r.Holders) > 0 {
		t, more := r.holderSheet(out, all)
		if err := out.Sheet(t); err != nil {
			return err
		}
		if more > 0 {
			out.Say("… and %d more; --all lists them", more)
		}
		if r.Slack > 0 {
			out.Say("To be safe, the scheduler reserves from %s after such an end (DURATION_OFFSET).", show.SpanText(r.Slack))
		}
		out.Say("")
	}
	for _, line := range append(r.aheadWords(), "Next: "+r.advice) {
		out.Say("%s", line)
	}
	return nil
}

// subject says which job it is, and how long ago it came.
func (r *whyReport) subject(out show.Output) string {
	text := queue.Describe(r.Job, r.id, r.asks, out)
	if !r.Job.Submitted.IsZero() {
		text += " (" + show.SpanText(r.at.Sub(r.Job.Submitted)) + " ago)"
	}
	return text
}

// answer says in a sentence or two why the job does not start, or that it does, and quotes its comment.
func (r *whyReport) answer(out show.Output) []string {
	lines := r.decided(out)
	if r.comment != "" {
		lines = append(lines, "Its comment: "+show.Printable(r.comment))
	}
	return lines
}

func (r *whyReport) decided(out show.Output) []string {
	lines := words.Never(r.chance)
	if r.state != "" {
		lines = append(lines, r.state)
	} else if n := r.Running; n > 0 {
		lines = append(lines, fmt.Sprintf("%s of it %s.", show.Plural(n, "task"), map[bool]string{true: "runs", false: "run"}[n == 1]))
	}
	for i := range r.Starts {
		if i == 3 {
			lines = append(lines, fmt.Sprintf("… and %d more tasks.", len(r.Starts)-i))
			break
		}
		d := r.Starts[i]
		lines = append(lines, startSentence(d))
	}
	d := r.Decision
	switch {
	case d == nil && len(lines) == 0:
		return []string{"The run does not look at it."}
	case d == nil || d.Verdict == model.Now:
		return lines
	case r.chance.Never:
	case d.Verdict == model.Later:
		lines = append(lines, r.who()+" not start now; reserved for "+r.when(out)+", on "+whereText(d)+".")
	default:
		lines = append(lines, r.who()+" not start now, and nothing is reserved for "+map[bool]string{true: "it", false: "them"}[r.alone()]+".")
	}
	lead := "  "
	if r.chance.Never {
		r.Closed, lead = nil, "Why: "
	}
	for _, text := range append(r.generalWords(), r.closedWords()...) {
		lines = append(lines, lead+text)
	}
	for _, d := range r.Others {
		lines = append(lines, "Nor do tasks "+model.TaskText(d.Tasks)+":", "  "+strings.Join(othersWords(d), "; "))
	}
	return lines
}

// othersWords are the reasons of tasks that are not the first that wait.
func othersWords(d *model.Decision) (list []string) {
	groups := words.GroupReasons(d.Why)
	for i := range groups[:min(len(groups), 2)] {
		list = append(list, text(&groups[i]))
	}
	return list
}

// alone reports whether the decision is about one task.
func (r *whyReport) alone() bool {
	tasks := r.Decision.Tasks
	return !r.Job.Array || len(tasks) == 1 && tasks[0].Min == tasks[0].Max
}

func startSentence(d *model.Decision) string {
	if d.ID != "" {
		return fmt.Sprintf("Job %s starts now on %s.", d.ID, whereText(d))
	}
	return fmt.Sprintf("Task %s starts now on %s.", model.TaskText(d.Tasks), whereText(d))
}

// who names the tasks that the decision is about, with the verb.
func (r *whyReport) who() string {
	switch {
	case !r.Job.Array:
		return "It does"
	case r.alone():
		return "Task " + model.TaskText(r.Decision.Tasks) + " does"
	}
	return "Tasks " + model.TaskText(r.Decision.Tasks) + " do"
}

// when is the time of a reservation.
func (r *whyReport) when(out show.Output) string {
	start := r.Decision.Start
	text := out.Moment(start) + " UTC"
	if start.Before(r.at.Truncate(time.Second)) {
		return text + ", a time that is over (a fault of the release: it keeps nothing free)"
	}
	return text + " (" + inText(start.Sub(r.at)) + ")"
}

// text is a reason that holds everywhere.
func text(g *words.ReasonGroup) string {
	text := words.ReasonText(&g.Reason)
	if g.Text != "" {
		return text + " (the scheduler logs: " + g.Text + ")"
	}
	if g.Kind == model.ReasonPESlots {
		return tooFew(g, false)
	}
	if g.Level == "G" {
		return "everywhere: " + text
	}
	if len(g.Objects) > 0 && words.Placed(g.Kind) {
		text = strings.Join(g.Objects[:min(len(g.Objects), 3)], ", ") + ": " + text
	}
	return text
}

func inText(d time.Duration) string {
	if d < 0 {
		return show.SpanText(-d) + " ago"
	}
	return "in " + show.SpanText(d)
}

// slotsAsked is what a parallel job asks for, in words.
func slotsAsked(j *model.Job) string {
	if j.PE == "" {
		return ""
	}
	return model.SlotsText(j.PERange) + " slots of " + j.PE
}
