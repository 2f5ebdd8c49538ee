package queue

import (
	"fmt"
	"io"
	"slices"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/explain"
	"qprism/engine/whatif"
)

// A linearPlace is where a waiting job stands in the linear order of what-if, and what its value is made of.
type linearPlace struct {
	Job         uint32  `json:"job"`
	Owner       string  `json:"owner"`
	Place       int     `json:"place"`
	Today       int     `json:"place_today"`
	Waiting     int     `json:"waiting"`
	Value       float64 `json:"value"`
	Urgency     float64 `json:"urgency"`
	MostUrgency float64 `json:"most_urgency"` // of the waiting jobs
	Tickets     float64 `json:"tickets"`
	MostTickets float64 `json:"most_tickets"`
	Posix       int     `json:"ppri"` // -p

	term whatif.LinearTerm
}

// runExplainLinear explains a waiting job by the linear order.
func runExplainLinear(d *cli.Deps, s *subject.Subject, job string, w io.Writer) error {
	j, err := s.Batch.Find(job)
	if err != nil {
		return err
	}
	at, err := s.Moment()
	if err != nil {
		return err
	}
	today := &whatif.Case{Snapshot: s.Snapshot, Quirks: s.Look.Quirks}
	linear := *today
	if !linear.RankLinear() {
		return fmt.Errorf("--policy linear is for the policies of Grid Engine, but this is a bundle of %s", s.System.Name())
	}
	order := linear.Order(at.At)
	place := slices.Index(order, j.Number) + 1
	if place == 0 {
		return fmt.Errorf("job %s does not wait for the next run; --policy linear ranks only waiting jobs", job)
	}
	t := today.LinearTerms(at.At)[j.Number]
	p := linearPlace{Job: j.Number, Owner: j.Owner, Place: place, Today: slices.Index(
		today.Order(at.At), j.Number) + 1, Waiting: len(order),
		Value: t.Value, Urgency: t.Urgency, MostUrgency: t.MostUrgency, Tickets: t.Tickets,
		MostTickets: t.MostTickets, Posix: t.Posix, term: t}
	out := d.Output(w)
	if d.Format == "json" {
		return out.JSON(p)
	}
	out.Terminal = true // as explanations are, for people
	subject.PrintHeader(out, s, at.At, at.Source)
	out.Say("%s", show.Printable(Describe(j, j.KnownAs(), "", out)))
	for _, line := range p.words() {
		out.Say("%s", line)
	}
	out.Say("Next: %s", show.Step("see who gains and who loses with that order", s.Command("what-if")+" linear"))
	return nil
}

// words are its place, and its value term by term.
func (p *linearPlace) words() []string {
	t := &p.term
	of := func(v, most float64) string {
		if most == 0 {
			return "0, as for all jobs"
		}
		return explain.Number(v) + " ÷ most " + explain.Number(most)
	}
	return []string{
		fmt.Sprintf("In the linear order it is %s of %s; today it is %s.", explain.Ordinal(p.Place),
			show.Plural(p.Waiting, "waiting job"),
			explain.Ordinal(p.Today)),
		"",
		fmt.Sprintf("value %s; the job with the higher value comes first, and 0 means that no term adds "+
			"anything", explain.Number(t.Value)),
		fmt.Sprintf("  urgency: weight_urgency %s × %s", explain.Number(t.Weights.Urgency), of(t.Urgency, t.MostUrgency)),
		fmt.Sprintf("  tickets: weight_ticket %s × %s, divided equally among the waiting tasks of the owner",
			explain.Number(t.Weights.Ticket),
			of(t.Tickets, t.MostTickets)),
		fmt.Sprintf("  posix priority: weight_priority %s × -p %d ÷ 1024", explain.Number(t.Weights.Priority), t.Posix),
		"",
	}
}
