package next

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/cmd/qprism/words"
	"qprism/cmd/when"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/exporter/svg"
)

type forecastOptions struct {
	subject.Planning
	subject.JobFilter
	runtime string
	runs    int
	all     bool
}

// fromAccounting is the value of --runtime that takes run times from the accounting file.
const fromAccounting = "accounting"

// Latency is how long the scheduler sees a task in addition to its run time: the master sends the task to its
// host, and the host reports its end. With masters of 8.1.9 it was 2 s. With hosts that the master simulates it
// was 6 s.
func Latency(s *model.Snapshot) time.Duration {
	text, _ := model.Text(s.Config.Global, "qmaster_params")
	if strings.Contains(strings.ToUpper(text), "SIMULATE_EXECDS=TRUE") {
		return 6 * time.Second
	}
	return 2 * time.Second
}

// forecastOptionsOf returns the options of a forecast from a moment on.
func forecastOptionsOf(s *subject.Subject, at lastrun.Moment) forecast.Options {
	return forecast.Options{At: at.At, Latency: Latency(s.Snapshot), LastRun: lastRun(s.Snapshot), MostRuns: MostRuns}
}

// MostRuns limits the runs of a forecast, unless --runs sets another limit.
const MostRuns = 10_000

// lastRun returns the moment of the last run in the messages or the schedule file. It is zero if there is none.
func lastRun(s *model.Snapshot) (at time.Time) {
	at = split.PreviousRun(s, s.TakenAt.Add(time.Second))
	for i := range s.Runs {
		for _, l := range s.Runs[i].Lines {
			if l.State == "STARTING" && l.Start.After(at) {
				at = l.Start
			}
		}
	}
	return at
}

func newForecast(d *cli.Deps) *cobra.Command {
	c, opts := cli.Command(d, "forecast [JOB...] [BUNDLE]", runForecast)
	cli.Prints(c, "table json csv svg")
	subject.AddPlanning(c, &opts.Planning)
	subject.AddFilter(c, &opts.JobFilter)
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = subject.CompleteJob(d)
	c.Flags().StringVar(&opts.runtime, "runtime", "",
		"how `long` jobs without a limit run: 90m, 2d, 1:30:00, or accounting; a plain number is "+
			"seconds (default: default_duration)")
	c.Flags().BoolVar(&opts.all, "all", false, "on a terminal, list all starts and all jobs")
	c.Flags().IntVar(&opts.runs, "runs", MostRuns, "use at most this `number` of scheduler runs")
	_ = c.RegisterFlagCompletionFunc("runtime", cobra.FixedCompletions([]string{fromAccounting},
		cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("runs", cobra.NoFileCompletions)
	return c
}

func runForecast(ctx context.Context, d *cli.Deps, opts forecastOptions, args []string, w io.Writer) error {
	estimate, err := ParseRuntime(opts.runtime)
	if err != nil {
		return err
	}
	if opts.runs < 1 {
		return fmt.Errorf("--runs %d: at least one", opts.runs)
	}
	jobs, args, err := subject.JobsFirst(args)
	if err != nil {
		return err
	}
	s, err := subject.PlanSubject(ctx, d, &opts.Planning, args)
	if err != nil {
		return err
	}
	if err := opts.Only(s, jobs); err != nil {
		return err
	}
	at, err := s.Moment()
	if err := errors.Join(err, opts.Check(s.Snapshot)); err != nil {
		return err
	}
	o := forecastOptionsOf(s, at)
	o.Estimate, o.MostRuns = estimate, opts.runs
	if opts.runtime == fromAccounting {
		if o.History = s.History(); o.History == nil {
			return errors.New("--runtime accounting: the bundle has no accounting records; " +
				"scripts/capture-ge.sh and capture-pbs.sh take the newest records if they can read the file")
		}
	}
	shown := subject.NewProgress("scheduler runs", progressbar.OptionShowCount(), func() int64 { return -1 })
	o.Stop = func() bool {
		shown.Add(1)
		return ctx.Err() != nil
	}
	f := s.Batch.Forecast(o)
	shown.Finish()
	if err := ctx.Err(); err != nil {
		return err
	}
	f = opts.Forecast(s.Snapshot, f)
	switch d.Format {
	case "json":
		return writeForecast(w, s, at, f)
	case "svg":
		return svg.Draw(w, drawn(s, at.At, f, o), s.Zone())
	}
	return printForecast(d.Output(w), s, at, f, opts)
}

// drawn turns a forecast into a plan for a picture: running tasks and predicted starts.
func drawn(s *subject.Subject, at time.Time, f *forecast.Forecast, o forecast.Options) *model.Plan {
	w := s.Batch.Words()
	return s.Batch.Booked(&model.Plan{RunAt: at, Lines: append(s.Batch.Running(at, o),
		predictedLines(f, w.Level, w.Resource)...)})
}

// predictedLines returns lines for the predicted starts of a forecast.
func predictedLines(f *forecast.Forecast, level, resource string) (lines []model.ScheduleLine) {
	for i := range f.Starts {
		b := &f.Starts[i]
		l := model.ScheduleLine{Job: b.Job, Task: b.Task, State: svg.Predicted, Start: b.At,
			Duration: model.Forever, Level: level, Resource: resource}
		if !b.End.IsZero() {
			l.Duration = b.End.Sub(b.At)
		}
		for _, g := range b.Slots {
			l.Object, l.Amount = g.Instance, float64(g.Slots)
			lines = append(lines, l)
		}
	}
	return lines
}

// ParseRuntime reads --runtime: a duration, or a time in the form of h_rt. A number without a unit is in
// seconds.
func ParseRuntime(text string) (time.Duration, error) {
	if text == "" || text == fromAccounting {
		return 0, nil
	}
	d, err := when.Span(text)
	if err != nil {
		d, err = model.ParseInterval(text)
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("--runtime %q: neither a duration, such as 90m, 2d or 1:30:00, nor accounting", text)
	}
	return d, nil
}

// printForecast prints the starts in their order. Then it prints the jobs that do not start, and why.
func printForecast(out show.Output, s *subject.Subject, at lastrun.Moment, f *forecast.Forecast,
	opts forecastOptions) error {
	if !out.People() {
		return out.Sheet(forecastSheet(out, s, at, f))
	}
	subject.PrintHeader(out, s, at.At, at.Source)
	if len(f.Starts)+len(rest(f)) == 0 {
		out.Say("%s", opts.None())
		return nil
	}
	t, hidden := forecastForPeople(out, s, at, f, opts.all)
	out.Sheet(t)
	out.More(hidden)
	for _, line := range stopWords(out, at.At, f) {
		out.Say("%s", line)
	}
	last := "the last at "
	if f.Runs == 1 {
		last = "at "
	}
	out.Say("%s The forecast covers %s, %s. %s", s.Batch.Cadence(), show.Plural(f.Runs, "run"), last+out.Zoned(f.Last),
		endWords(f.Ending))
	if len(f.Starts) > 0 {
		out.Say("%s", assumption(opts.runtime, betterCommand(s)))
	}
	if text := afterForecast(s, f, opts.runtime == ""); text != "" {
		out.Say("Next: %s", text)
	}
	return nil
}

// endWords say how a forecast ended.
func endWords(e forecast.Ending) string {
	switch e {
	case forecast.AllStarted, forecast.OnlyHeld:
		return "By then, " + string(e) + "."
	case forecast.NothingEnds:
		return "After that, " + string(e) + "."
	}
	return "It ended early: " + string(e) + "."
}

// stopWords says which jobs are stopped meanwhile, and for how long.
func stopWords(out show.Output, at time.Time, f *forecast.Forecast) (lines []string) {
	const most = 10
	for i, b := range f.Stops {
		if i == most {
			return append(lines, fmt.Sprintf("… and %d more suspensions", len(f.Stops)-most))
		}
		until := "on"
		if !b.Until.IsZero() {
			until = "until " + out.Short(b.Until, at)
		}
		lines = append(lines, fmt.Sprintf("Another queue or a calendar suspends job %d from %s %s.",
			b.Job, out.Short(b.At, at), until))
	}
	return lines
}

// betterCommand is the forecast command that uses run times of ended jobs, if the bundle has any.
func betterCommand(s *subject.Subject) string {
	if s.History() == nil {
		return ""
	}
	return s.Command("forecast", "--runtime", fromAccounting)
}

// assumption says how long jobs were taken to run, and the command that knows better; empty for none.
func assumption(runtime, better string) string {
	const alone = ", and that nobody submits new jobs"
	switch {
	case runtime == fromAccounting:
		return "The forecast assumes that jobs run as long as earlier jobs" + alone + "."
	case better != "":
		return "The forecast assumes that every job runs to its limit" + alone + ". Most jobs end earlier. " +
			better + " uses the run times of ended jobs."
	}
	return "The forecast assumes that every job runs to its limit" + alone + ". Most jobs end earlier."
}

// forecastSheet has a row for each start, and for each job with a task that never starts.
func forecastSheet(out show.Output, s *subject.Subject, at lastrun.Moment, f *forecast.Forecast) show.Sheet {
	jobs := s.Snapshot.JobsByNumber()
	t := show.NewSheet(">job", ">task", "owner", "name", "start", ">in", "earliest", "latest", ">slots",
		"where")
	for i := range f.Starts {
		b := &f.Starts[i]
		j := jobs[b.Job]
		t.Add(subject.JobText(&model.Decision{Job: b.Job, ID: b.ID}), show.Number32(b.Task),
			j.Owner, j.Name, out.Moment(b.At),
			show.SpanText(wait(at, b.At)), out.Moment(b.Earliest), out.Moment(b.Latest), slotsText(b.Slots),
			whereText(&model.Decision{Slots: b.Slots}))
	}
	never, summary := words.NeverIn(s), words.Once(words.Summary)
	for _, d := range rest(f) {
		if j := jobs[d.Job]; j != nil {
			t.Add(subject.JobText(&d), model.TaskText(d.Tasks), j.Owner, j.Name, "", "never", "", "", "",
				cmp.Or(neverText(&d, j, never), summary(d.Why)))
		}
	}
	s.Batch.Words().Adapt(&t)
	return t
}

// forecastForPeople joins the tasks of an array that start together in one line. It has no more lines than
// people can read.
func forecastForPeople(out show.Output, s *subject.Subject, at lastrun.Moment, f *forecast.Forecast,
	all bool) (t show.Sheet,
	hidden string) {
	jobs := s.Snapshot.JobsByNumber()
	t = show.NewSheet(">job", ">task", "owner", "name", ">start", ">in", ">latest in", ">slots",
		"where, or why never")
	var list []model.Decision
	latest := map[[2]uint32]time.Time{}
	for i := range f.Starts {
		b := &f.Starts[i]
		list = append(list, model.Decision{Job: b.Job, ID: b.ID,
			Tasks: []model.Range{{Min: b.Task, Max: b.Task, Step: 1}}, Verdict: model.Now,
			Start: b.At, Slots: b.Slots})
		latest[[2]uint32{b.Job, b.Task}] = b.Latest
	}
	starts, never := 0, 0
	for _, d := range joinTasks(list) {
		j := jobs[d.Job]
		if starts++; starts <= show.ManyLines || all {
			t.Add(subject.JobText(&d), model.TaskText(d.Tasks), j.Owner, j.Name, out.Short(d.Start, at.At),
				show.SpanText(wait(at, d.Start)),
				latestText(at, latest[[2]uint32{d.Job, d.Tasks[0].Min}]), slotsText(d.Slots), whereText(&d))
		}
	}
	can := words.NeverIn(s)
	for _, d := range rest(f) {
		if j := jobs[d.Job]; j != nil {
			if never++; never <= show.ManyLines || all {
				t.Add(subject.JobText(&d), model.TaskText(d.Tasks), j.Owner, j.Name, "never", "", "", "",
					cmp.Or(neverText(&d, j, can), words.Summary(d.Why)))
			}
		}
	}
	s.Batch.Words().Adapt(&t)
	if all {
		return t, ""
	}
	return t, leftText(map[model.Verdict]int{model.Now: max(starts-show.ManyLines, 0),
		model.Never: max(never-show.ManyLines, 0)})
}

// latestText is how long a task waits at the latest; nothing of PBS.
func latestText(at lastrun.Moment, latest time.Time) string {
	if latest.IsZero() {
		return ""
	}
	return show.SpanText(wait(at, latest))
}

// afterForecast is what to do next; empty for nothing. Endless says that jobs without a limit were taken to run as
// default_duration has it.
func afterForecast(s *subject.Subject, f *forecast.Forecast, endless bool) string {
	waiting := rest(f)
	switch {
	case f.Ending == forecast.Bounded:
		return "add --runs N to look further ahead."
	case len(waiting) > 0:
		job := subject.JobText(&waiting[0])
		text := show.Step("see why job "+job+" does not start", s.Command("why", job))
		if endless && mendable(waiting) {
			text += "\nOr: add --runtime 2h, which assumes that time for jobs without a limit."
		}
		return text
	}
	return ""
}

// mendable reports whether some job waits for something that is in use. Such a job can start when the use ends.
func mendable(waiting []model.Decision) bool {
	return slices.ContainsFunc(waiting, func(d model.Decision) bool {
		return slices.ContainsFunc(d.Why, func(r model.Reason) bool { return r.Later })
	})
}

func rest(f *forecast.Forecast) []model.Decision {
	if f.Ending == forecast.AllStarted {
		return nil
	}
	return f.Waits
}

// wait is how long a task waits in a forecast. A run counts whole seconds, so that a start can come before its moment.
func wait(at lastrun.Moment, start time.Time) time.Duration {
	return max(start.Sub(at.At.Truncate(time.Second)), 0)
}

// startTask is the task of a predicted start; ids of PBS name it.
func startTask(b *forecast.Start) uint32 {
	if b.ID != "" {
		return 0
	}
	return b.Task
}

// jsonStart is a predicted start in JSON.
type jsonStart struct {
	Order       int       `json:"order"`
	Job         jobKey    `json:"job"`
	Task        uint32    `json:"task,omitempty"` // not of PBS, whose ids name subjobs
	Owner       string    `json:"owner"`
	Name        string    `json:"name"`
	Start       time.Time `json:"start"`
	Wait        float64   `json:"wait"` // seconds
	*jsonWindow `json:",omitempty"`
	End         time.Time   `json:"end"` // null where nothing ends the task
	Slots       []jsonGrant `json:"slots"`
}

// jsonWindow is a range of moments in JSON.
type jsonWindow struct {
	Earliest time.Time `json:"earliest"` // not of PBS
	// not of PBS: with the scheduler's interval and delays of each wave of jobs before it
	Latest time.Time `json:"latest"`
}

func windowJSON(w forecast.Window) *jsonWindow {
	if w.Latest.IsZero() {
		return nil
	}
	return &jsonWindow{w.Earliest, w.Latest}
}

// forecastHead comes before the starts of a forecast.
type forecastHead struct {
	Cluster string    `json:"cluster"`
	Release string    `json:"release"`
	Quirks  string    `json:"quirks"`
	Assumed []string  `json:"assumed,omitempty"` // of PBS: what the snapshot does not say and is taken for granted
	From    time.Time `json:"from"`
	Until   time.Time `json:"until"` // the last run
	Runs    int       `json:"runs"`
	Ending  string    `json:"ending"` // why it goes no further
}

// jsonForecast is a forecast in JSON.
type jsonForecast struct {
	forecastHead
	Starts []jsonStart    `json:"starts"`
	Stops  []jsonStop     `json:"suspended"` // tasks that are suspended for some time
	Never  []jsonDecision `json:"never"`     // about what never starts
}

// jsonStop is a time in which a task stands still.
type jsonStop struct {
	Job   uint32    `json:"job"`
	Task  uint32    `json:"task,omitempty"`
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"` // absent if it does not run again
}

func writeForecast(w io.Writer, s *subject.Subject, at lastrun.Moment, f *forecast.Forecast) error {
	j := &show.JSONWriter{Writer: bufio.NewWriter(w)}
	j.Open(forecastHead{s.Cluster, s.Release.String(), s.Rules, s.Assumptions(), at.At, f.Last, f.Runs, string(f.Ending)})
	jobs := s.Snapshot.JobsByNumber()
	j.List("starts")
	for i := range f.Starts {
		b := &f.Starts[i]
		start := jsonStart{Order: i + 1, Job: jobKey{b.Job, b.ID}, Task: startTask(b), Owner: jobs[b.Job].Owner,
			Name:  jobs[b.Job].Name,
			Start: b.At,
			Wait:  wait(at, b.At).Seconds(), jsonWindow: windowJSON(b.Window), End: b.End, Slots: []jsonGrant{}}
		for _, g := range b.Slots {
			start.Slots = append(start.Slots, grantJSON(g, b.ID))
		}
		j.Item(start)
	}
	j.EndList()
	j.List("suspended")
	for _, b := range f.Stops {
		j.Item(jsonStop{b.Job, b.Task, b.At, b.Until})
	}
	j.EndList()
	j.List("never")
	reasons := words.Once(fewPlaces)
	for _, d := range rest(f) {
		waits := decisionJSON(&d, reasons)
		waits.JSONVerdict = words.VerdictJSON(s, jobs[d.Job])
		j.Item(waits)
	}
	j.EndList()
	return j.Close()
}
