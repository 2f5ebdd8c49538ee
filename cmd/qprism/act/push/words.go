package push

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/assign"
	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/gridengine"
)

func (p *Plan) print(out show.Output, s *subject.Subject, opts Options) error {
	commands := p.system.Commands(p.orders)
	if out.Format == "json" {
		return out.JSON(p.json(s, commands, opts))
	}
	out.Terminal = out.Terminal || out.Format == "table" // the output is for people, also in a pipe; programs ask for JSON
	SayRun(out, s, p.at)
	if len(p.orders) > 0 || out.Tabular() {
		out.Sheet(sheetOf(p.orders))
		out.Say("")
	}
	if len(commands) > 0 {
		sayCommands(out, commands)
	}
	for _, line := range p.words(s, opts) {
		out.Say("%s", line)
	}
	return nil
}

// sheetOf lists orders that are not sent yet.
func sheetOf(orders []model.Order) show.Sheet {
	t := show.NewSheet(">job", ">from", ">to", "why")
	for _, o := range orders {
		t.Add(o.Job, o.From, o.To, o.Why)
	}
	return t
}

func sayCommands(out show.Output, commands []exporter.Command) {
	for _, c := range commands {
		out.Say("%s", show.Printable(strings.Join(c.Args, " ")))
	}
	out.Say("")
}

// SayRun prints the cluster, its release, the snapshot, and the scheduler run of a plan.
func SayRun(out show.Output, s *subject.Subject, at time.Time) {
	out.Say("%s%s; run at %s", subject.Title(s.Snapshot), subject.Taken(out, s.Snapshot), out.Moment(at))
	out.Say("")
}

// priority is the system's name for the value that a push sets.
func (p *Plan) priority() string { return strings.TrimPrefix(p.system.Kind(), "qalter ") }

// words says how many jobs change, what priorities cannot achieve, and why --apply would send nothing.
func (p *Plan) words(s *subject.Subject, opts Options) (lines []string) {
	changes := len(p.orders)
	if p.steering != nil {
		lines = p.steeringWords()
	}
	lines = append(lines, p.said...)
	if len(p.passed) > 0 {
		lines = append(lines, fmt.Sprintf(
			"Skipped: %s. Each of these jobs runs, is held, is in error or is gone.", listed(p.passed)))
	}
	if len(p.never) > 0 {
		lines = append(lines, fmt.Sprintf(
			"Without a place: %s. These jobs can never run on the cluster as it is configured.", listed(p.never)))
	}
	if changes > opts.MaxChanges {
		lines = append(lines, fmt.Sprintf(
			"With --apply, nothing would be sent: there are more than %d changes (--max-changes).", opts.MaxChanges))
	}
	if refusal, is := errors.AsType[*exporter.RefusalError](p.refusal(s, opts)); is {
		lines = append(lines, "With --apply, nothing would be sent: "+refusal.Why+".")
	} else if changes > 0 {
		lines = append(lines, "Nothing was sent; --apply sends the changes.")
	}
	return lines
}

// steeringWords says how many jobs change, how many priorities they get, and what these cannot achieve.
func (p *Plan) steeringWords() (lines []string) {
	st := p.steering
	changes := len(st.Changes)
	if changes == 0 && len(st.Sooner) == 0 {
		lines = append(lines, fmt.Sprintf("Nothing to send: the scheduler already ranks the %s in this order.",
			show.Plural(p.Waiting, "waiting job")))
	} else if changes > 0 {
		lines = append(lines, fmt.Sprintf(
			"For this order, %d of %s must get another %s. Fewer changes are not possible.", changes,
			show.Plural(p.Waiting, "waiting job"), p.priority()), priorityWords(st))
	}
	lines = append(lines, p.marginWords()...)
	lines = append(lines, p.shortfall()...)
	if changes == 0 && len(st.Sooner) > 0 {
		lines = append(lines, "Nothing to send: no other -p brings the order closer to the wanted order.")
	}
	return lines
}

// marginWords say how far urgency or tickets may move before the order breaks.
func (p *Plan) marginWords() (lines []string) {
	st := p.steering
	switch n := len(st.Order); {
	case p.margin == 0 || n < 2:
	case p.leads:
		lines = append(lines, p.leadWords())
	case st.Apart == n:
		lines = append(lines, fmt.Sprintf(
			"The smallest prio difference between two successive jobs is %.3g. The order can change only if urgency or "+
				"tickets change a difference by at least this much.", st.Holds))
	case st.Apart < 2:
		lines = append(lines,
			fmt.Sprintf("There are too few priorities for a margin of %v: the order can change when "+
				"urgency or tickets change.", p.margin))
	default:
		lines = append(lines,
			fmt.Sprintf("There are enough priorities for a margin of %v between the first %s. "+
				"The smallest prio difference between two of these jobs is %.3g. Their order can change only if urgency or "+
				"tickets change a difference by at least this much. "+
				"The order of the other jobs can change when urgency or tickets change.",
				p.margin, show.Plural(st.Apart, "job"), st.Holds))
	}
	return lines
}

// leadWords say how far the named jobs lead, and whether another job can still pass.
func (p *Plan) leadWords() string {
	if p.steering.Apart < 2 || p.steering.Holds <= 0 {
		return "No -p keeps the first job ahead: another job passes it when the urgency or the tickets of that job rise."
	}
	first, lead := "the first job", "The -p of the first job gives"
	if n := p.steering.Apart - 1; n > 1 {
		first, lead = fmt.Sprintf("the first %d jobs", n), fmt.Sprintf("The -p of each of the first %d jobs gives", n)
	}
	const text = "%s %s more prio than the -p of any job behind it. Urgency and tickets give a job at most %.3g of prio. "
	if p.steering.Holds >= p.worth {
		return fmt.Sprintf(text+"So no other job can pass %s unless somebody changes a -p.",
			lead, fmt.Sprintf("at least %.3g", p.worth), p.worth, first)
	}
	return fmt.Sprintf(text+"So another job can pass %s when its urgency or tickets rise.",
		lead, fmt.Sprintf("only %.3g", p.steering.Holds), p.worth, first)
}

// explain says why the order came out differently.
func (p *Plan) explain(r *exporter.Report) string {
	if p.expected == nil || r.Live == nil {
		return ""
	}
	return gridengine.DriftOf(r, p.expected, p.weights).String()
}

// priorityWords say how many different priorities the jobs get, and whether fewer would do.
func priorityWords(st *assign.Steering) string {
	if st.Priorities == 1 {
		return "qprism needs only 1 qalter call."
	}
	text := fmt.Sprintf("qprism needs %s, one for each value of -p", show.Plural(st.Priorities, "qalter call"))
	switch {
	case st.Smallest:
		return text + ". Fewer calls are not possible."
	case st.Priorities == st.Least:
		return text + ". Fewer calls are not possible for these jobs."
	}
	return fmt.Sprintf("%s. These jobs need at least %d calls.", text, st.Least)
}

func (p *Plan) nothing() string {
	if p.steering == nil {
		return "nothing to send: " + p.idle
	}
	return strings.Join(slices.Concat(p.steeringWords(), p.said), "\n")
}

// shortfall says what the priorities cannot achieve.
func (p *Plan) shortfall() (lines []string) {
	st := p.steering
	if n := len(st.Sooner); n > 0 {
		spent := 0
		for _, j := range st.Sooner {
			if j.Spent {
				spent++
			}
		}
		if spent > 0 {
			lines = append(lines,
				fmt.Sprintf("There are not enough priorities. The first %s get the wanted order. The other %s, "+
					"from job %d on, come after them in the order of the scheduler.",
					show.Plural(st.Exact, "job"), show.Plural(spent, "job"), firstSpent(st)))
		}
		if out := n - spent; out > 0 {
			j := firstOutweighing(st)
			lines = append(lines,
				fmt.Sprintf("%s cannot get a later place, because urgency and tickets outweigh all "+
					"priorities. The first is job %d: no -p moves it behind job %d.",
					show.Plural(out, "job"), j.Job, j.Before))
		}
	}
	if st.Drifts {
		i := 0
		for i < len(st.After) && i < len(st.Order) && st.After[i] == st.Order[i] {
			i++
		}
		lines = append(lines, fmt.Sprintf("%s: after the push, the order is right only up to place %d.", p.drifts, i))
	}
	return lines
}

func firstSpent(st *assign.Steering) uint32 {
	return st.Sooner[slices.IndexFunc(st.Sooner, func(j assign.Sooner) bool { return j.Spent })].Job
}

func firstOutweighing(st *assign.Steering) assign.Sooner {
	return st.Sooner[slices.IndexFunc(st.Sooner, func(j assign.Sooner) bool { return !j.Spent })]
}

// listed names the first ten of some jobs.
func listed(jobs []uint32) string {
	names := make([]string, len(jobs))
	for i, job := range jobs {
		names[i] = JobID(job)
	}
	return Listed(names, 10)
}

// Listed joins the first names of a list, and says how many are left.
func Listed(names []string, most int) string {
	var shown []string
	for _, n := range names[:min(most, len(names))] {
		shown = append(shown, show.Printable(n))
	}
	text := strings.Join(shown, ", ")
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
