package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/audit"
	"qprism/engine/levels"
	"qprism/engine/model"
	"qprism/engine/steer"
	"qprism/exporter"
	"qprism/exporter/gridengine"
)

// A pushPlan is what a push would send.
type pushPlan struct {
	at       time.Time
	system   exporter.System
	orders   []model.Order
	wanted   []string // the order that the master is held against afterwards, by id
	passed   []uint32 // wanted jobs that do not wait to be ranked
	waiting  int
	steering *levels.Steering // nil where no levels are set
	drifts   string           // what else the levels change, in words
	said     []string         // what else the push needs and does
	idle     string           // of ways without levels: why there is nothing to send, where there is nothing
	unusable error            // why it must not be sent, besides what exporter.Unsafe says

	margin   float64 // that the levels were to keep
	expected map[string]gridengine.Ranked
	weights  gridengine.Weights
}

// unsafe is why a push must not be sent.
func (p *pushPlan) unsafe(s *subject, opts pushOptions) error {
	if p.unusable != nil {
		return &exporter.RefusalError{Why: p.unusable.Error()}
	}
	return exporter.Unsafe(s.Snapshot, opts.now(), "p")
}

// steering plans a push.
func (s *subject) steering(ctx context.Context, opts pushOptions, warn io.Writer) (*pushPlan, error) {
	if err := s.system.lacks(false); err != nil {
		return nil, err
	}
	at, err := s.moment()
	if err != nil {
		return nil, err
	}
	if s.PBS != nil {
		return s.steeringPBS(ctx, opts, at.At, warn)
	}
	if opts.through != "" && opts.through != "priority" {
		return nil, fmt.Errorf("--through %s is for PBS; Grid Engine is steered by -p alone", opts.through)
	}
	scale, err := scaleOf(s.Policy.WeightPriority, opts.levels)
	if err != nil {
		return nil, err
	}
	if scale.Margin = opts.margin; scale.Margin < 0 {
		return nil, fmt.Errorf("--margin %v: by how much of prio each job shall at least come before the next, such as 0.005", opts.margin)
	}
	run := s.run(at.At)
	wanted, err := s.wanted(ctx, opts, at.At, warn)
	if err != nil {
		return nil, err
	}
	p := &pushPlan{at: at.At, system: gridengine.Priorities{}, margin: opts.margin,
		drifts: "Altering jobs moves tickets between them, which a second push mends"}
	if p.steering, err = run.Steer(wanted, scale); err != nil {
		return nil, err
	}
	p.expected, p.weights = expected(run, p.steering.Changes)
	p.waiting = len(p.steering.Wanted)
	if p.passed = passedOver(wanted, p.steering.Wanted); len(p.passed) > 0 && len(p.passed) == len(wanted) {
		return nil, noneWaits(p.passed)
	}
	p.orders = gridengine.Priorities{}.Orders(p.changes(numberText))
	for _, job := range p.steering.Order {
		p.wanted = append(p.wanted, numberText(job))
	}
	return p, nil
}

// scaleOf reads the range of -p.
func scaleOf(weight float64, text string) (s levels.Scale, err error) {
	s.Weight = weight
	low, high, _ := strings.Cut(text, "..")
	var bad error
	s.Min, err = strconv.Atoi(low)
	s.Max, bad = strconv.Atoi(high)
	if err != nil || bad != nil || s.Min < gridengine.MinP || s.Max > gridengine.MaxP || s.Min > s.Max {
		return s, fmt.Errorf("--levels %q: give a range within %d..%d, such as -500..0", text, gridengine.MinP, gridengine.MaxP)
	}
	return s, nil
}

// expected is what each job is ranked by in a run after changes, and by which weights.
func expected(run steer.Run, changes []levels.Change) (map[string]gridengine.Ranked, gridengine.Weights) {
	list, weights := run.Ranked(changes)
	jobs := make(map[string]gridengine.Ranked, len(list))
	for _, j := range list {
		jobs[numberText(j.Job)] = gridengine.Ranked{P: j.P, Terms: exporter.Terms{Urgency: j.Urgency, Tickets: j.Tickets}}
	}
	return jobs, gridengine.Weights(weights)
}

// run is the scheduler's run at a moment.
func (s *subject) run(at time.Time) steer.Run {
	return steer.NewRun(s.Snapshot, at, s.look.Quirks, s.sequence())
}

// sequence is the order in which the scheduler holds the jobs, as an audit of its last run finds it. It is nil where no run is known.
func (s *subject) sequence() map[uint32]int {
	const work = 200_000 // a second or so: a push does not wait for the last number to be explained
	if view := audit.Run(s.Snapshot, audit.Options{Quirks: s.look.Quirks, Before: s.look.Before, Work: work}).View; view != nil {
		return view.Sequence()
	}
	return nil
}

// wanted is the order of --order or --policy.
func (s *subject) wanted(ctx context.Context, opts pushOptions, at time.Time, warn io.Writer) ([]uint32, error) {
	switch {
	case len(opts.first) > 0:
		return readOrder(strings.NewReader(strings.Join(opts.first, " ")), "--first")
	case opts.order == "-":
		return readOrder(os.Stdin, "standard input")
	case opts.order != "":
		f, err := os.Open(opts.order)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readOrder(f, opts.order)
	case opts.policy != "":
		return s.orderOf(ctx, opts.policy, at, warn)
	}
	return nil, errors.New("say which order is wanted: --order FILE with job numbers, --first JOB, or --policy NAME")
}

// readOrder reads job numbers, separated by blanks or lines; # begins a comment. A number that comes twice is an error: which
// place is meant?
func readOrder(r io.Reader, name string) ([]uint32, error) {
	var list []uint32
	first := map[uint32]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\r' }) {
			digits, rest := word, "" // of PBS an id: 12.server, 12[].server
			if at := strings.IndexAny(word, ".["); at > 0 {
				digits, rest = word[:at], strings.TrimPrefix(word[at:], "[]")
			}
			number, err := strconv.ParseUint(digits, 10, 32)
			if rest != "" && rest[0] != '.' {
				err = strconv.ErrSyntax
			}
			if err != nil || number == 0 {
				return nil, fmt.Errorf("%s:%d: %q is no job number", name, n, word)
			}
			if first[uint32(number)] > 0 {
				return nil, fmt.Errorf("%s:%d: job %d comes twice, first in line %d", name, n, number, first[uint32(number)])
			}
			first[uint32(number)] = n
			list = append(list, uint32(number))
		}
	}
	return list, lines.Err()
}

// noneWaits is the answer to an order that is about no job at hand.
func noneWaits(wanted []uint32) error {
	return fmt.Errorf("no run ranks any of the jobs of the order (running, held, in error or gone): %s", listed(wanted))
}

// passedOver are wanted jobs that are not among those that wait to be ranked.
func passedOver(wanted, waiting []uint32) (list []uint32) {
	there := make(map[uint32]bool, len(waiting))
	for _, job := range waiting {
		there[job] = true
	}
	for _, job := range wanted {
		if !there[job] {
			list = append(list, job)
		}
	}
	return list
}

// numberText is the id of a job of Grid Engine.
func numberText(job uint32) string { return strconv.FormatUint(uint64(job), 10) }

// changes are those of the steering, of jobs by their ids, with what each job is to come before and after.
func (p *pushPlan) changes(id func(job uint32) string) []exporter.LevelChange {
	order := p.steering.Order
	place := make(map[uint32]int, len(order))
	for i, job := range order {
		place[job] = i
	}
	list := make([]exporter.LevelChange, len(p.steering.Changes))
	for i, c := range p.steering.Changes {
		list[i] = exporter.LevelChange{Job: id(c.Job), From: c.From, To: c.To, Why: between(order, place[c.Job])}
	}
	return list
}

// between says what a job of an order comes before and after.
func between(order []uint32, i int) string {
	switch {
	case len(order) == 1:
		return "alone"
	case i == 0:
		return fmt.Sprintf("first, before %d", order[1])
	case i == len(order)-1:
		return fmt.Sprintf("last, after %d", order[i-1])
	}
	return fmt.Sprintf("after %d, before %d", order[i-1], order[i+1])
}

// print shows what would be sent, and why it is no more.
func (p *pushPlan) print(out output, s *subject, opts pushOptions) error {
	commands := p.system.Commands(p.orders)
	if out.format == "json" {
		return out.json(p.json(s, commands, opts))
	}
	out.terminal = out.terminal || out.format == "table" // it is for people, wherever it goes; programs ask for JSON
	t := sheet{columns: columns(">job", ">from", ">to", "why")}
	for _, o := range p.orders {
		t.add(o.Job, o.From, o.To, o.Why)
	}
	printAbove(out, s, p)
	if len(p.orders) > 0 || out.tabular() {
		if err := out.sheet(t); err != nil {
			return err
		}
		out.say("")
	}
	for _, c := range commands {
		out.say("%s", strings.Join(c.Args, " "))
	}
	if len(commands) > 0 {
		out.say("")
	}
	for _, line := range p.words(s, opts) {
		out.say("%s", line)
	}
	return nil
}

func printAbove(out output, s *subject, p *pushPlan) {
	cluster := s.Cluster
	if cluster == "" {
		cluster = "unnamed cluster"
	}
	out.say("%s, %s %s%s; the run at %s", printable(cluster), s.system.product(), printable(release(s.Snapshot)), taken(out, s.Snapshot), out.moment(p.at))
	out.say("")
}

// level is what levels are called.
func (p *pushPlan) level() string { return strings.TrimPrefix(p.system.Kind(), "qalter ") }

// words say how little the push needs, what it cannot reach, and what would keep it from being sent.
func (p *pushPlan) words(s *subject, opts pushOptions) (lines []string) {
	changes := len(p.orders)
	if p.steering != nil {
		lines = p.steeringWords()
	}
	lines = append(lines, p.said...)
	if len(p.passed) > 0 {
		lines = append(lines, fmt.Sprintf("Passed over, as no run ranks them (running, held, in error or gone): %s.", listed(p.passed)))
	}
	if changes > opts.maxChanges {
		lines = append(lines, fmt.Sprintf("--apply would send nothing: more than the %d changes of --max-changes.", opts.maxChanges))
	}
	var refusal *exporter.RefusalError
	if errors.As(p.unsafe(s, opts), &refusal) {
		lines = append(lines, "--apply would send nothing: "+refusal.Why+".")
	} else if changes > 0 {
		lines = append(lines, "Nothing was sent; --apply sends it.")
	}
	return lines
}

// steeringWords say how many jobs change on how many levels, and what the levels do not reach.
func (p *pushPlan) steeringWords() (lines []string) {
	st := p.steering
	changes := len(st.Changes)
	if changes == 0 && len(st.Sooner) == 0 {
		lines = append(lines, fmt.Sprintf("Nothing to send: the scheduler ranks the %s in that order by itself.", plural(p.waiting, "waiting job")))
	} else if changes > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s change; the others keep their %s, and no fewer can change for this order.", changes, plural(p.waiting, "waiting job"), p.level()), levelWords(st))
	}
	lines = append(lines, p.marginWords()...)
	lines = append(lines, p.shortfall()...)
	if changes == 0 && len(st.Sooner) > 0 {
		lines = append(lines, "Nothing to send: nearer than this the order cannot come.")
	}
	return lines
}

// marginWords say how much other terms may move before the order does.
func (p *pushPlan) marginWords() (lines []string) {
	st := p.steering
	switch n := len(st.Order); {
	case p.margin == 0 || n < 2:
	case st.Apart == n:
		lines = append(lines, fmt.Sprintf("The order holds until urgency or tickets of two neighbours move by %.5f of prio against each other.", st.Holds))
	case st.Apart < 2:
		lines = append(lines, fmt.Sprintf("There are no levels for a margin of %v: the order holds as long as urgency and tickets are what they are.", p.margin))
	default:
		lines = append(lines, fmt.Sprintf("The levels suffice for a margin of %v between the first %s: their order holds until urgency or tickets of two neighbours move by %.5f of prio against each other; that of the others, as long as these are what they are.",
			p.margin, plural(st.Apart, "job"), st.Holds))
	}
	return lines
}

// explain says why the order came out otherwise than planned.
func (p *pushPlan) explain(r *exporter.Report) string {
	if p.expected == nil || r.Live == nil {
		return ""
	}
	return gridengine.DriftOf(r, p.expected, p.weights).String()
}

// levelWords say on how many levels the changed jobs are, and whether fewer would do.
func levelWords(st *levels.Steering) string {
	text := fmt.Sprintf("They take %s, each a call of qalter", plural(st.Levels, "level"))
	switch {
	case st.Smallest:
		return text + "; no fewer would do."
	case st.Levels == st.Least:
		return text + "; no fewer would do for these jobs."
	}
	return fmt.Sprintf("%s; fewer than %d would not do for these jobs.", text, st.Least)
}

// nothing says why a push has no orders.
func (p *pushPlan) nothing() string {
	if p.steering == nil {
		return "nothing to send: " + p.idle
	}
	return strings.Join(slices.Concat(p.steeringWords(), p.said), "\n")
}

// shortfall says what the levels do not reach.
func (p *pushPlan) shortfall() (lines []string) {
	st := p.steering
	if n := len(st.Sooner); n > 0 {
		spent := 0
		for _, j := range st.Sooner {
			if j.Spent {
				spent++
			}
		}
		if spent > 0 {
			lines = append(lines, fmt.Sprintf("The levels do not suffice: the first %s are in the wanted order; %s from job %d on stay behind them in the scheduler's own.",
				plural(st.Exact, "job"), plural(spent, "job"), firstSpent(st)))
		}
		if out := n - spent; out > 0 {
			j := firstOutweighing(st)
			lines = append(lines, fmt.Sprintf("%s cannot be held back: urgency and tickets outweigh all levels, first of job %d, which comes before job %d whatever levels they have.",
				plural(out, "job"), j.Job, j.Before))
		}
	}
	if st.Drifts {
		i := 0
		for i < len(st.After) && i < len(st.Order) && st.After[i] == st.Order[i] {
			i++
		}
		lines = append(lines, fmt.Sprintf("%s: after the push the order will be this one up to place %d only.", p.drifts, i))
	}
	return lines
}

func firstSpent(st *levels.Steering) uint32 {
	return st.Sooner[slices.IndexFunc(st.Sooner, func(j levels.Sooner) bool { return j.Spent })].Job
}

func firstOutweighing(st *levels.Steering) levels.Sooner {
	return st.Sooner[slices.IndexFunc(st.Sooner, func(j levels.Sooner) bool { return !j.Spent })]
}

// listed names the first of some jobs.
func listed(jobs []uint32) string {
	const named = 10
	var parts []string
	for i, job := range jobs {
		if i == named {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more", len(jobs)-named)
		}
		parts = append(parts, strconv.FormatUint(uint64(job), 10))
	}
	return strings.Join(parts, ", ")
}
