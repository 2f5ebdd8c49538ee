package lint

import (
	"fmt"
	"strings"

	"qprism/engine/lint"
	"qprism/engine/model"
)

// words says what a Grid Engine policy does.
func (l *linter) words() []lint.Word {
	list := []lint.Word{{About: "order", Says: l.orderWords()}, {About: "-p", Says: l.posixWords()},
		{About: "urgency", Says: l.urgencyWords()}, {About: "tickets", Says: l.ticketWords()}}
	if l.treeUsed() {
		list = append(list, lint.Word{About: "usage", Says: l.usageWords()})
	}
	list = append(list, lint.Word{About: "reservation", Says: l.reservationWords()})
	if text := l.monitorWords(); text != "" {
		list = append(list, lint.Word{About: "monitoring", Says: text})
	}
	return list
}

func (l *linter) orderWords() string {
	var terms []string
	for _, w := range l.weights() {
		if w.value != 0 {
			terms = append(terms, lint.Number(w.value)+" × "+w.name)
		}
	}
	if len(terms) == 0 {
		return "by submission time: all weights are 0"
	}
	return "highest first: " + strings.Join(terms, " + ") + ", " + lint.Verb(len(terms), "a number", "each a number") +
		" from 0 to 1; of equal jobs, the earliest submitted first"
}

func (l *linter) posixWords() string {
	w := l.policy.WeightPriority
	if w == 0 {
		return "no effect on the order (weight_priority 0)"
	}
	text := fmt.Sprintf("100 steps of -p add %s to prio", lint.Rounded(100*w/2048))
	if !l.posixUsed() {
		text += "; no job has a -p, so -p has no effect on the order now"
	}
	return text
}

func (l *linter) urgencyWords() string {
	p := l.policy
	if p.WeightUrgency == 0 {
		return "no effect on the order (weight_urgency 0)"
	}
	var parts []string
	for _, r := range l.urgent() {
		parts = append(parts, lint.Rounded(r.urgency)+" per unit of "+r.Name)
	}
	if len(parts) > 6 {
		parts = append(parts[:6], fmt.Sprintf("%d more resources", len(parts)-6))
	}
	if p.WeightWaitingTime != 0 {
		parts = append(parts, lint.Number(p.WeightWaitingTime)+" per second of waiting")
	}
	if p.WeightDeadline != 0 {
		parts = append(parts, lint.Number(p.WeightDeadline)+" divided by the seconds left to a deadline")
	}
	if len(parts) == 0 {
		return "no resource has an urgency, so urgency has no effect on the order"
	}
	return strings.Join(parts, ", ") + "; then scaled: 0 for the lowest of all jobs, 1 for the highest"
}

func (l *linter) ticketWords() string {
	p := l.policy
	if p.WeightTicket == 0 {
		return "no effect on the order (weight_ticket 0)"
	}
	var parts []string
	if p.FunctionalTickets > 0 {
		parts = append(parts, fmt.Sprintf("%d functional, by %s", p.FunctionalTickets, l.categoryWords()))
	}
	if l.treeUsed() {
		parts = append(parts, fmt.Sprintf("%d share-tree", p.ShareTreeTickets))
	}
	for _, name := range l.ticketsUsed() {
		if name == "override" {
			parts = append(parts, "override tickets")
		}
	}
	if len(parts) == 0 {
		return "nobody has tickets, so tickets have no effect on the order"
	}
	return strings.Join(parts, " and ") + "; a job's tickets are divided by the highest number of any job"
}

func (l *linter) categoryWords() string {
	var parts []string
	sum := 0.0
	for _, c := range l.categories() {
		sum += c.weight
	}
	for _, c := range l.categories() {
		if c.weight > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s %%)", strings.TrimPrefix(c.key, "weight_"),
				lint.Rounded(100*c.weight/sum)))
		}
	}
	if len(parts) == 0 {
		return "no category"
	}
	return strings.Join(parts, ", ")
}

func (l *linter) usageWords() string {
	var parts []string
	for _, w := range l.policy.UsageWeights {
		if w.Value != 0 {
			parts = append(parts, lint.Rounded(w.Value)+" × "+w.Name)
		}
	}
	decay := "never decays"
	if l.policy.HalfTime > 0 {
		decay = "halves in " + lint.Lasting(l.policy.HalfTime)
	}
	if len(parts) == 0 {
		return "does not count"
	}
	return strings.Join(parts, " + ") + ", " + decay
}

func (l *linter) reservationWords() string {
	p := l.policy
	if p.MaxReservation == 0 {
		return "none (max_reservation 0)"
	}
	length := "forever"
	if p.DefaultDuration != model.Forever {
		length = lint.Lasting(p.DefaultDuration)
	}
	return fmt.Sprintf("for at most %d tasks with -R y; the scheduler assumes that a job without a run time limit runs %s",
		p.MaxReservation, length)
}
