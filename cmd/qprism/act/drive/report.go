package drive

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
)

// A Report is a step in JSON: planned changes, or their results.
type Report struct {
	Cluster string           `json:"cluster"`
	At      time.Time        `json:"at"`
	Owned   int              `json:"owned"`            // waiting jobs that the drive manages
	Jobs    []driveJob       `json:"jobs,omitempty"`   // planned changes
	Orders  []past.JSONOrder `json:"orders,omitempty"` // results of orders
	Held    int              `json:"held"`             // jobs that must not start now
	Notes   []string         `json:"notes,omitempty"`
	Refused string           `json:"refused,omitempty"`
}

type driveJob struct {
	Job     uint32   `json:"job"`
	From    int      `json:"from"` // -p
	To      int      `json:"to"`
	Held    string   `json:"held,omitempty"`  // tasks
	Hosts   string   `json:"hosts,omitempty"` // an expression
	Queues  string   `json:"queues,omitempty"`
	Also    string   `json:"also,omitempty"`  // a further request
	First   []string `json:"first,omitempty"` // hosts that come first
	Reserve bool     `json:"reserve,omitempty"`
	Why     []string `json:"why,omitempty"`
}

// jobs are those that would change, in the wanted order.
func (p *plan) jobs(s *subject.Subject) (list []driveJob) {
	byNumber := s.JobsByNumber()
	for _, number := range p.order {
		j := byNumber[number]
		priority := p.wanted[cmp.Or(p.ids[number], push.JobID(number))].P
		if j == nil || priority == nil {
			continue
		}
		o := driveJob{Job: number, From: j.PosixPriority, To: *priority}
		w := p.wishes[number]
		if w != nil && w.Bound() {
			o.Held, o.Hosts, o.Queues, o.Also, o.First, o.Reserve, o.Why = w.Held.String(),
				w.Hosts, w.Queues, w.Also, w.First, w.Reserve, w.Why
		}
		if o.From != o.To || w != nil && w.Bound() {
			list = append(list, o)
		}
	}
	return list
}

// held counts the jobs that must not start now.
func (p *plan) held() (n int) {
	for _, w := range p.wishes {
		if len(w.Held) > 0 {
			n++
		}
	}
	return n
}

func printPlanned(out show.Output, s *subject.Subject, p *plan, unsafe error) error {
	var refusal *exporter.RefusalError
	jobs := p.jobs(s)
	if out.Format == "json" {
		r := Report{Cluster: s.Cluster, At: p.at, Owned: p.owned, Held: p.held(), Jobs: jobs, Notes: p.notes}
		if errors.As(unsafe, &refusal) {
			r.Refused = refusal.Why
		}
		return out.JSON(r)
	}
	out.Terminal = true
	push.SayRun(out, s, p.at)
	switch {
	case p.owned > 0:
		out.Say("qprism drive would control %s, and change %d of them.", show.Plural(p.owned, "waiting job"), len(jobs))
		out.Say("")
	case len(p.notes) == 0:
		out.Say("No waiting job matches --own.")
		out.Say("")
	}
	t := show.NewSheet(">job", ">-p", ">becomes", "held", "asks for", "rather on", "because")
	for _, j := range jobs {
		t.Add(push.JobID(j.Job), strconv.Itoa(j.From), strconv.Itoa(j.To), heldText(s, j),
			j.asks(), push.Listed(j.First, 4), strings.Join(j.Why, "; "))
	}
	if len(jobs) > 0 {
		out.Sheet(t.WithoutEmpty())
		out.Say("")
	}
	for _, note := range p.notes {
		out.Say("%s.", show.Printable(note))
	}
	return sayUnsent(out, unsafe)
}

// heldText says whether a job is held, or which tasks of an array.
func heldText(s *subject.Subject, j driveJob) string {
	for i := range s.Jobs {
		if s.Jobs[i].Number == j.Job && s.Jobs[i].Array && j.Held != "" {
			return j.Held
		}
	}
	return map[bool]string{true: "yes"}[j.Held != ""]
}

// asks lists the requests that the drive would add to a job.
func (j *driveJob) asks() string {
	var parts []string
	for _, o := range []struct{ name, value string }{{"hostname=", j.Hosts}, {"qname=", j.Queues}, {"", j.Also}} {
		if o.value != "" {
			parts = append(parts, o.name+o.value)
		}
	}
	if j.Reserve {
		parts = append(parts, "-R y")
	}
	return strings.Join(parts, " ")
}

// sayUnsent says that nothing was sent, and whether it would be.
func sayUnsent(out show.Output, unsafe error) error {
	var refusal *exporter.RefusalError
	switch {
	case errors.As(unsafe, &refusal):
		out.Say("With --apply, nothing would be sent: %s.", refusal.Why)
	case unsafe != nil:
		out.Say("With --apply, nothing would be sent: %v.", unsafe)
	default:
		out.Say("Nothing was sent. With --apply, qprism captures the cluster again and sends the changes step by step. " +
			"Run qprism drive on the master, or name the master with --from. --apply --once makes one step.")
	}
	return nil
}

// printSteered prints the results of the orders of a step.
func printSteered(out show.Output, s *subject.Subject, p *plan, orders []model.Order) error {
	if out.Format == "json" {
		return out.JSON(Report{Cluster: s.Cluster, At: s.TakenAt, Owned: p.owned, Held: p.held(), Notes: p.notes,
			Orders: past.OrdersJSON(orders)})
	}
	out.Terminal = true
	if len(orders) == 0 {
		out.Say("%s: nothing to change", out.Moment(s.TakenAt))
		return nil
	}
	t := show.NewSheet(">job", "what", "was", "is", "state", "what the master said")
	for _, o := range orders {
		t.Add(o.Job, o.Attribute, o.From, o.To, string(o.State), o.Words)
	}
	return out.Sheet(t)
}
