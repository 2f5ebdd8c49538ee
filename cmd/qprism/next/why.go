package next

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
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
	"qprism/engine/halves"
	"qprism/engine/model"
)

type whyOptions struct {
	subject.Planning
	all bool
}

func newWhy(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "why JOB [BUNDLE]", runWhy)
	subject.AddPlanning(c, &opts.Planning)
	subject.AddMaxAge(c, &opts.Selection)
	c.Args = cobra.RangeArgs(1, 2)
	c.ValidArgsFunction = subject.CompleteJob(d)
	c.Flags().BoolVar(&opts.all, "all", false, "list every host, and every job that holds what this job waits for")
	return c
}

func runWhy(ctx context.Context, d *cli.Deps, opts whyOptions, args []string, w io.Writer) error {
	args, err := subject.JobFirst("why", args)
	if err != nil {
		return err
	}
	s, err := subject.WithPolicy(ctx, d, &opts.Planning, args[1:])
	if err != nil {
		return err
	}
	job, err := s.Batch.Find(args[0])
	if err != nil {
		return err
	}
	if lack := opts.Planned(s); lack != nil {
		return whyListed(d, s, job, lack, w)
	}
	at, err := s.Moment()
	if err != nil {
		return err
	}
	r, p := answered(ctx, s, at, job, subject.TaskNumber(job, args[0]))
	switch out := d.Output(w); d.Format {
	case "json":
		return out.JSON(r.json(s, p))
	case "csv", "tsv":
		t := r.hostSheet(true)
		s.Batch.Words().Adapt(&t)
		return out.Sheet(t)
	default:
		out.Terminal = true // an explanation is for people, wherever it goes; programs ask for JSON
		printWhy(out, s, at, r, opts.all)
		return nil
	}
}

// answered returns the whole answer, and the plan of the next run. The forecast takes longest, so it runs at the same
// time as the plan. When the forecast has a start of the job, it waits for the plan, to know which tasks are meant. It
// stops if the plan shows that no forecast is needed, or longestForecast after the plan.
func answered(ctx context.Context, s *subject.Subject, at lastrun.Moment, job *model.Job,
	task uint32) (*whyReport, *model.Plan) {
	var p *model.Plan
	report := sync.OnceValue(func() *whyReport {
		p = s.Batch.Plan(at.At)
		return whyNot(s, p, job, task)
	})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var start *outlook
	halves.Both(func() {
		r := report()
		if r.waitsInTurn() {
			time.AfterFunc(longestForecast, stop)
		} else {
			stop()
		}
		r.place = standingOf(s, r.id)
	}, func() {
		if adviceFor(s).runs(job) == "" {
			start = outlookOf(ctx, s, at, job, report)
		}
	})
	r := report()
	if r.waitsInTurn() {
		r.start = start
	}
	if r.startsAfterReserved() {
		r.start.Cadence = s.Batch.Cadence()
	}
	return r, p
}

// A whyReport says why a job does not start, with all sentences about it.
type whyReport struct {
	*delay.Delay
	words    *words.System
	id, asks string // the job's id for people, and its requests in words
	at       time.Time
	comment  string // the job's comment, only for PBS
	chance   *batch.Chance
	state    string   // where it runs, in a sentence; empty where that is not all to say of it
	until    string   // what somebody must do before the job can start; empty for nothing
	advice   string   // what helps; empty if only time helps
	suspends []string // whom its start suspends right away
	types    map[string]model.ResourceType
	place    *standing
	start    *outlook
}

// advice has the functions of one system that describe requests, place and comment of a job, and what helps.
type advice struct {
	asks, runs, comment, until func(*model.Job) string
	advise                     func(*subject.Subject, *whyReport) string
}

var (
	adviceOfGridEngine = advice{slotsAsked, nothing, decidedAbout, heldUntil, adviseGridEngine}
	adviceOfPBS        = advice{selectAsked, runsSince, commentOf, nothing, advisePBS}
)

func nothing(*model.Job) string { return "" }

func adviceFor(s *subject.Subject) advice {
	return subject.Choose(s.Snapshot, adviceOfGridEngine, adviceOfPBS)
}

// whyNot finds why a job does not start. If task is not 0, it is about this task.
func whyNot(s *subject.Subject, p *model.Plan, j *model.Job, task uint32) *whyReport {
	c := adviceFor(s)
	r := &whyReport{Delay: s.Batch.Delay(p, j, task), words: s.Batch.Words(), id: j.KnownAs(),
		asks: c.asks(j), comment: c.comment(j),
		state: c.runs(j), at: p.RunAt, types: typesOf(s.Snapshot)}
	r.suspends = slices.DeleteFunc(slices.Clone(p.Notes), func(note string) bool {
		return !strings.HasPrefix(note, fmt.Sprintf("the start of job %d suspends ", j.Number))
	})
	if task != 0 {
		r.id += "." + show.Number32(task)
	}
	r.judge(s, c)
	return r
}

// judge finds whether a waiting job can ever run, and what to do next. A refusal by a full cluster means
// nothing if an idle cluster also refuses the job.
func (r *whyReport) judge(s *subject.Subject, c advice) {
	if r.Decision == nil || r.Decision.Verdict != model.Never {
		r.chance = &batch.Chance{}
	} else {
		r.chance = s.ChanceOf(r.Job)
	}
	if r.chance.Never {
		r.Hosts, r.Holders, r.Ahead, r.General = delay.Refusing(r.chance.Why), nil, nil, held(r.General)
	}
	if r.Decision != nil {
		r.until, r.advice = c.until(r.Job), c.advise(s, r)
	}
}

// held returns the reasons that keep a run from trying the job, and the reason that the scheduler of PBS logs.
func held(why []model.Reason) (list []model.Reason) {
	for _, w := range why {
		if w.Kind.HoldsBack() || w.Kind == model.ReasonJobState || w.Failure != model.NoFailure {
			list = append(list, w)
		}
	}
	return list
}

// printWhy prints an explanation: the answer, the place of the job, its start, and what helps. Then it prints
// what is missing, and which jobs use it.
func printWhy(out show.Output, s *subject.Subject, at lastrun.Moment, r *whyReport, all bool) {
	subject.PrintHeader(out, s, at.At, at.Source)
	show.Answer(out, "", r.subject(out))
	out.Say("")
	for _, line := range r.decided(out) {
		show.Answer(out, "", show.Printable(line))
	}
	if r.Decision != nil && r.Decision.Verdict != model.Now {
		r.printAnswer(out, s)
	}
	for _, text := range r.suspends {
		show.Answer(out, "Suspends:", show.Printable(text))
	}
	if r.comment != "" {
		show.Answer(out, "Its comment:", show.Printable(r.comment))
	}
	if r.Decision != nil && r.Decision.Verdict != model.Now {
		r.printTables(out, s, all)
	}
}

// printAnswer prints a line for each question: why not, which place, when, what helps, and the next command.
func (r *whyReport) printAnswer(out show.Output, s *subject.Subject) {
	label := "Not running:"
	if r.chance.Never {
		label = "Why:"
	}
	for i, text := range r.reasons() {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		show.Answer(out, label, show.Printable(text))
	}
	if r.Decision.Verdict == model.Later && !r.chance.Never {
		show.Answer(out, "Reserved:", r.when(out)+", on "+whereText(r.Decision))
	}
	if r.place != nil && !r.chance.Never {
		show.Answer(out, "Place:", r.place.text())
	}
	if text := r.aheadWords(); text != "" {
		show.Answer(out, "Before it:", text)
	}
	if r.start != nil {
		text := r.start.text(out, r.at)
		if r.start.Cadence != "" {
			text += " " + r.start.Cadence
		}
		show.Answer(out, "Start:", text)
	}
	if r.advice != "" {
		show.Answer(out, "Helps:", r.advice)
	}
	if purpose, command := r.next(s); command != "" {
		show.Answer(out, "Next:", purpose)
		out.Wide = true
		out.Say("%*s%s", show.LabelWidth, "", command) // on one line, so that it can be copied
	}
}

// startsAfterReserved reports whether the job starts later than the time that is reserved for it: only a scheduler run
// starts jobs.
func (r *whyReport) startsAfterReserved() bool {
	return r.start != nil && r.Decision.Verdict == model.Later && r.start.Start.After(r.Decision.Start.Add(time.Minute))
}

// next returns the command that shows more, and its purpose. Both are empty if there is none.
func (r *whyReport) next(s *subject.Subject) (purpose, command string) {
	switch {
	case r.chance.Never:
		return "", ""
	case r.awaited() != "":
		return "see why that job has not ended", s.Command("why", r.awaited())
	case r.place != nil && r.place.Before != "":
		return "see what would put job " + r.id + " before job " + r.place.Before, s.Command("compare", r.id, r.place.Before)
	case r.place != nil:
		return "see the parts of its priority", s.Command("explain", r.id)
	}
	return "", ""
}

// printTables prints the hosts that do not accept the job, and the jobs that use what it waits for.
func (r *whyReport) printTables(out show.Output, s *subject.Subject, all bool) {
	if out.Width() == 0 && !out.Wide && !all {
		out.Columns = show.Page
	}
	if len(r.Hosts) > 0 {
		out.Say("")
		t := r.hostSheet(all)
		s.Batch.Words().Adapt(&t)
		out.Sheet(t)
	}
	if len(r.Holders) == 0 {
		return
	}
	out.Say("")
	t, more := r.holderSheet(out, all)
	out.Sheet(t)
	if more > 0 {
		out.Say("… and %d more; --all lists them", more)
	}
	if r.Slack > 0 {
		out.Say("For reservations, the scheduler adds %s to each expected end (DURATION_OFFSET).", show.SpanText(r.Slack))
	}
}

// subject names the job, and its age.
func (r *whyReport) subject(out show.Output) string {
	text := queue.Describe(r.Job, r.id, r.asks, out)
	if !r.Job.Submitted.IsZero() {
		text += " (" + show.SpanText(r.at.Sub(r.Job.Submitted)) + " ago)"
	}
	return text
}

// decided are the sentences before the reasons: whether the job can never run, which of its tasks run, and
// which start now.
func (r *whyReport) decided(out show.Output) []string {
	lines := words.Never(r.chance)
	if r.state != "" {
		lines = append(lines, r.state)
	} else if n := r.Running; n > 0 {
		lines = append(lines, fmt.Sprintf("%s of it %s.", show.Plural(n, "task"),
			map[bool]string{true: "runs", false: "run"}[n == 1]))
	}
	for i := range r.Starts {
		if i == 3 {
			lines = append(lines, fmt.Sprintf("… and %d more tasks.", len(r.Starts)-i))
			break
		}
		lines = append(lines, startSentence(r.Starts[i]))
	}
	if r.Decision == nil && len(lines) == 0 {
		lines = []string{"The run skips it."}
	}
	return lines
}

// reasons returns why the first tasks of the job do not start, and then the reasons of its other tasks.
func (r *whyReport) reasons() []string {
	if r.chance.Never {
		r.Closed = nil
	}
	list := append(r.generalWords(), r.closedWords()...)
	if len(r.General) == 0 && len(r.Hosts) > 0 {
		list = append([]string{r.because(&r.Hosts[0])}, list...)
	}
	if len(list) == 0 && len(r.chance.Why) > 0 {
		list = []string{words.Summary(r.chance.Why)}
	}
	if len(list) == 0 {
		list = []string{"no place can take it now"}
	}
	if r.Job.Array {
		list[0] = taskWord(r.Decision) + ": " + list[0]
	}
	for _, d := range r.Others {
		list = append(list, taskWord(d)+": "+strings.Join(othersWords(d), "; "))
	}
	return list
}

// taskWord names the tasks that a decision is about.
func taskWord(d *model.Decision) string {
	if len(d.Tasks) == 1 && d.Tasks[0].Min == d.Tasks[0].Max {
		return "task " + model.TaskText(d.Tasks)
	}
	return "tasks " + model.TaskText(d.Tasks)
}

// othersWords are the reasons of tasks that are not the first that wait.
func othersWords(d *model.Decision) (list []string) {
	groups := words.GroupReasons(d.Why)
	for i := range groups[:min(len(groups), 2)] {
		list = append(list, text(&groups[i]))
	}
	return list
}

func startSentence(d *model.Decision) string {
	if d.ID != "" {
		return fmt.Sprintf("Job %s starts now on %s.", d.ID, whereText(d))
	}
	return fmt.Sprintf("Task %s starts now on %s.", model.TaskText(d.Tasks), whereText(d))
}

// when is the time of a reservation.
func (r *whyReport) when(out show.Output) string {
	start := r.Decision.Start
	text := out.Short(start, r.at)
	if start.Before(r.at.Truncate(time.Second)) {
		return text + ", which is in the past (a fault of the release: no slots are kept free)"
	}
	return text + " (" + inText(start.Sub(r.at)) + ")"
}

// text prints a reason that applies everywhere.
func text(g *words.ReasonGroup) string {
	text := words.ReasonText(&g.Reason)
	if g.Text != "" {
		return text + " (log message: " + g.Text + ")"
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

// decidedAbout is the reason that qprism drive left with a job.
func decidedAbout(j *model.Job) string {
	if j.Decided == "" {
		return ""
	}
	return "qprism drive: " + j.Decided
}

// slotsOf prints how many slots a job requests: "1 slot", "2-8 slots".
func slotsOf(ranges []model.Range) string {
	if text := model.SlotsText(ranges); text != "1" {
		return text + " slots"
	}
	return "1 slot"
}

// slotsAsked prints the slots that a parallel job requests.
func slotsAsked(j *model.Job) string {
	var asked []string
	if j.PE != "" {
		asked = append(asked, slotsOf(j.PERange)+" of "+j.PE)
	}
	if j.Binding != "" {
		asked = append(asked, "binding to processors: "+j.Binding)
	}
	return strings.Join(asked, "; ")
}
