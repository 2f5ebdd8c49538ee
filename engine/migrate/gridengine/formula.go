package gridengine

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// own are the scheduler's numbers that a formula may have, pbs_sched_attributes(7B).
var own = []string{"eligible_time", "queue_priority", "job_priority", "fairshare_perc", "fair_share_perc", "fairshare_tree_usage", "fairshare_factor", "accrue_type"}

// mostTimes bounds the number before a term.
const mostTimes = 1e12

// order reads what orders jobs, and gives each term its place.
func (t *Translation) order() error {
	t.Formula = t.formula()
	if t.Formula == "" {
		return nil
	}
	refuse := func(part string, column int, why string) error { return &Refusal{t.Formula, part, column, why} }
	x, err := python.Parse(t.Formula)
	if err != nil {
		return refuse(t.Formula, 0, "cannot be read: "+err.Error())
	}
	names := formula.NamesOf(t.From.Resources)
	sum, err := x.Linear(append(append(append([]string{}, names.Numeric...), names.Other...), own...)...)
	var bad *python.NotLinear
	if errors.As(err, &bad) {
		return refuse(bad.Part, bad.Column, bad.Why)
	}
	for _, m := range sum.Terms {
		if m.Times == 0 {
			t.Terms = append(t.Terms, Term{m.Name, 0, "", "nothing: it is taken 0 times"})
			continue
		}
		if math.Abs(m.Times) > mostTimes {
			return refuse(m.Name, m.Column, "is taken more often than any file of Grid Engine can say")
		}
		term, why := t.term(m)
		if why != "" {
			return refuse(m.Name, m.Column, why)
		}
		t.Terms = append(t.Terms, term)
	}
	return nil
}

// formula is job_sort_formula, or what comes to the same: the numbers that the scheduler sorts by without one.
func (t *Translation) formula() string {
	if f := t.From.PBS.Formula; f != "" {
		return f
	}
	policy := cycle.PolicyAt(t.From, t.From.TakenAt)
	switch {
	case policy.FairShare:
		return "fairshare_factor"
	case len(policy.JobSortKeys) == 0:
		return ""
	}
	key := policy.JobSortKeys[0]
	name := key.Resource
	switch name {
	case "fair_share_perc":
		name = "fairshare_perc"
	case "preempt_priority", "sort_priority":
		return ""
	}
	if key.Descending {
		return name
	}
	return "-" + name
}

// term is what stands for a term of the formula, or why nothing does.
func (t *Translation) term(m python.Multiple) (term Term, why string) {
	switch m.Name {
	case "job_priority":
		if m.Times < 0 {
			return term, "counts against jobs with a high priority, and weight_priority counts for them"
		}
		t.Submit = append(t.Submit, Option{"-p N", "-p N", "the same number; -1024 becomes -1023, the least that Grid Engine has"})
		return Term{m.Name, m.Times, posix, "weight_priority"}, ""
	case "eligible_time":
		if m.Times < 0 {
			return term, "puts jobs behind for waiting, and weight_waiting_time puts them ahead"
		}
		return Term{m.Name, m.Times, urgency, "weight_waiting_time"}, ""
	case "queue_priority":
		return t.queueTerm(m), ""
	case "fairshare_factor", "fairshare_tree_usage":
		if (m.Times > 0) != (m.Name == "fairshare_factor") {
			return term, "puts those ahead who have used more than their share, and a share tree puts them behind"
		}
		return t.shareTerm(m, "weight_ticket, share tree")
	case "fairshare_perc", "fair_share_perc":
		if m.Times < 0 {
			return term, "puts those behind who have more shares, and tickets put them ahead"
		}
		return t.shareTerm(m, "weight_ticket, override tickets")
	case "accrue_type":
		return term, "says what kind of time a job accrues"
	}
	return t.requestTerm(m)
}

// The policies, as qstat -pri names them.
const (
	posix   = "npprior"
	urgency = "nurg"
	tickets = "ntckts"
)

// requests are the resources of PBS that Grid Engine has under another name, with what an amount of 1 is there.
var requests = map[string]struct {
	name string
	unit float64 // of Grid Engine, in one of PBS
}{
	"ncpus":    {"slots", 1},
	"walltime": {"h_rt", 1},
	"cput":     {"h_cpu", 1},
	"mem":      {"mem_free", 1024}, // formulas count kilobytes
	"vmem":     {"h_vmem", 1024},
}

// requestTerm makes the urgency of what jobs ask for.
func (t *Translation) requestTerm(m python.Multiple) (term Term, why string) {
	if r, known := requests[m.Name]; known {
		t.Submit = append(t.Submit, optionOf(m.Name, r.name))
		return Term{m.Name, m.Times, urgency, "urgency of " + r.name}, ""
	}
	r := findResource(t.From.Resources, m.Name)
	switch {
	case r == nil || r.BuiltIn:
		return term, "is a resource that only PBS has"
	case r.Type == model.TypePBSString || r.Type == model.TypePBSStringArray || r.Type == model.TypePBSBoolean:
		return term, "is a resource without numbers, which PBS refuses in formulas too"
	}
	t.To.Resources = append(t.To.Resources, model.Resource{Name: r.Name, Shortcut: r.Name, Type: typeOf(r.Type), Relop: model.AtMost, Requestable: model.RequestYes,
		Consumable: model.ConsumeNo, Default: "0"})
	t.Submit = append(t.Submit, Option{"-l " + m.Name + "=N", "-l " + m.Name + "=N/slots", "Grid Engine multiplies by the slots of a job"})
	return Term{m.Name, m.Times, urgency, "urgency of " + m.Name}, ""
}

// optionOf is how a request of PBS is made in Grid Engine.
func optionOf(name, to string) Option {
	switch name {
	case "ncpus":
		return Option{"-l ncpus=N", "-pe " + ParallelEnvironment + " N", "one slot a processor; without -pe for one"}
	case "walltime", "cput":
		return Option{"-l " + name + "=T", "-l " + to + "=T", "the whole job's; its urgency counts for each slot, as Grid Engine multiplies by them"}
	}
	return Option{"-l " + name + "=N", "-l " + to + "=N/slots", "Grid Engine multiplies by the slots of a job"}
}

// typeOf is the type of a complex entry. Whole numbers may be divided by slots.
func typeOf(t model.ResourceType) model.ResourceType {
	switch t {
	case model.TypePBSSize:
		return model.TypeMemory
	case model.TypePBSTime:
		return model.TypeTime
	}
	return model.TypeDouble
}

func findResource(list []model.Resource, name string) *model.Resource {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// queueTerm makes a resource for each queue with a priority: text, so that it counts once whatever the slots.
func (t *Translation) queueTerm(m python.Multiple) Term {
	global := model.Host{Name: model.GlobalHost}
	for i := range t.From.Queues {
		q := &t.From.Queues[i]
		if q.PBS == nil || q.PBS.Priority == 0 {
			continue
		}
		name := "queue_" + q.Name
		t.queues[q.Name] = m.Times * float64(q.PBS.Priority)
		t.To.Resources = append(t.To.Resources, model.Resource{Name: name, Shortcut: name, Type: model.TypeString, Relop: model.Equal, Requestable: model.RequestYes,
			Consumable: model.ConsumeNo, Default: "NONE"})
		global.Capacity = append(global.Capacity, model.Setting{Name: name, Value: "yes"})
		t.Submit = append(t.Submit, Option{"-q " + q.Name, "-l " + name + "=yes", "in a JSV, or in the sge_request of those who use the queue"})
	}
	if len(global.Capacity) > 0 {
		t.To.Hosts = append(t.To.Hosts, global)
	}
	return Term{m.Name, m.Times, urgency, "urgency of a resource for each queue"}
}

// shareTerm is the one term that becomes tickets.
func (t *Translation) shareTerm(m python.Multiple, into string) (term Term, why string) {
	for _, other := range t.Terms {
		if other.Policy == tickets {
			return term, "is a second term of shares beside " + other.Name + ", and there is one weight for both"
		}
	}
	switch entity := t.From.PBS.Fairshare.Policy.Entity; {
	case entity == "euser" || entity == "":
	case entity == "project" && m.Name != "fairshare_perc":
	default:
		return term, "counts for each " + entity + " (fairshare_entity), and share trees are of users and projects"
	}
	return Term{m.Name, m.Times, tickets, into}, ""
}

// weigh sets weights and urgencies.
func (t *Translation) weigh(history []*model.Snapshot) {
	p := &t.To.Policy
	t.scale = t.urgencyScale()
	t.Range = t.rangeOf(history)
	for i, term := range t.Terms {
		switch term.Policy {
		case posix:
			p.WeightPriority = term.Times * 2048 // npprior is (p+1024)/2048
		case urgency:
			p.WeightUrgency = t.Range.Value
			t.Terms[i].Into = t.setUrgency(term)
		case tickets:
			p.WeightTicket = t.ticketWeight(term)
		}
	}
	t.Range.Alone = p.WeightPriority == 0 && p.WeightTicket == 0
	if t.Range.Alone && p.WeightUrgency > 0 {
		p.WeightUrgency = 1
	}
	roundWeights(p)
}

// ticketWeight is what ntckts, from 0 to 1, is worth.
func (t *Translation) ticketWeight(term Term) float64 {
	switch term.Name {
	case "fairshare_perc", "fair_share_perc":
		return term.Times * t.mostPerc() // the most tickets count as 1
	}
	return math.Abs(term.Times)
}

// roundWeights scales the weights by a power of ten so that six decimals, which the files have, tell enough of each.
func roundWeights(p *model.Policy) {
	least := math.Inf(1)
	for _, w := range []float64{p.WeightPriority, p.WeightUrgency, p.WeightTicket} {
		if w > 0 {
			least = min(least, w)
		}
	}
	if math.IsInf(least, 1) {
		return
	}
	f := powerOfTen(least)
	p.WeightPriority, p.WeightUrgency, p.WeightTicket = p.WeightPriority*f, p.WeightUrgency*f, p.WeightTicket*f
}

// powerOfTen is what makes the least number at least 1, as far as that is no absurd number itself.
func powerOfTen(least float64) float64 {
	return math.Pow(10, max(0, min(12, math.Ceil(-math.Log10(least)))))
}

// urgencyScale makes the least number before a term of urgency at least 1.
func (t *Translation) urgencyScale() float64 {
	least := math.Inf(1)
	for _, term := range t.Terms {
		if term.Policy == urgency && term.Name != "queue_priority" {
			least = min(least, math.Abs(term.Times)/unitOf(term.Name))
		}
	}
	for _, v := range t.queues {
		least = min(least, math.Abs(v))
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return powerOfTen(least)
}

func unitOf(name string) float64 {
	if r, known := requests[name]; known {
		return r.unit
	}
	return 1
}

// setUrgency gives a term its urgency.
func (t *Translation) setUrgency(term Term) string {
	switch term.Name {
	case "eligible_time":
		t.To.Policy.WeightWaitingTime = term.Times * t.scale
		return "weight_waiting_time " + number(t.To.Policy.WeightWaitingTime)
	case "queue_priority":
		for _, r := range t.To.Resources {
			if len(r.Name) > len("queue_") && r.Type == model.TypeString {
				findResource(t.To.Resources, r.Name).Urgency = number(t.queues[r.Name[len("queue_"):]] * t.scale)
			}
		}
		return fmt.Sprintf("urgency of %d resources, one for each queue with a priority", len(t.queues))
	}
	name, value := term.Name, number(term.Times/unitOf(term.Name)*t.scale)
	if r, known := requests[term.Name]; known {
		name = r.name
		t.To.Resources = append(t.To.Resources, builtIn(name, value))
	} else {
		findResource(t.To.Resources, name).Urgency = value
	}
	return "urgency " + value + " of " + name
}

// builtIn is an entry of the complex that every cell has, with another urgency.
func builtIn(name, urgency string) model.Resource {
	r := model.Resource{Name: name, Shortcut: name, Relop: model.AtMost, Requestable: model.RequestYes, Consumable: model.ConsumeNo, Default: "0", Urgency: urgency, BuiltIn: true}
	switch name {
	case "slots":
		r.Shortcut, r.Type, r.Consumable, r.Default = "s", model.TypeInt, model.ConsumeYes, "1"
	case "h_rt", "h_cpu":
		r.Type, r.Default = model.TypeTime, "0:0:0"
	case "mem_free":
		r.Shortcut, r.Type = "mf", model.TypeMemory
	default:
		r.Type = model.TypeMemory
	}
	return r
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// rangeOf is the range of urgency that the newest snapshot with one has.
func (t *Translation) rangeOf(history []*model.Snapshot) Range {
	r := Range{Value: 1}
	for _, s := range history {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range s.Jobs {
			if j := &s.Jobs[i]; j.PBS != nil && counts(j) {
				u := t.urgencyOf(j, s)
				low, high = min(low, u), max(high, u)
			}
		}
		if high-low > 0 {
			r.Value = high - low
			r.Seen = append(r.Seen, high-low)
		} else {
			r.Seen = append(r.Seen, math.NaN())
		}
	}
	return r
}

// urgencyOf is the part of the formula that becomes urgency.
func (t *Translation) urgencyOf(j *model.Job, s *model.Snapshot) (sum float64) {
	for _, term := range t.Terms {
		if term.Policy != urgency {
			continue
		}
		switch term.Name {
		case "eligible_time":
			sum += term.Times * max(0, s.TakenAt.Sub(j.Submitted).Seconds())
		case "queue_priority":
			sum += t.queues[j.PBS.Queue]
		default:
			sum += term.Times * amountOf(j, term.Name)
		}
	}
	return sum
}

func amountOf(j *model.Job, name string) float64 {
	for _, r := range j.Hard {
		if r.Resource == name {
			return r.Amount
		}
	}
	return 0
}
