package synthesis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// A bench is what candidates are made on: a history, and what was found out about it.
type bench struct {
	base    Base
	entries Resources
	history History // that may be looked at
	last    Run
	policy  *model.Policy
	census  *census
	scales  []scale
	epoch   time.Time // qp_since counts from here
	unit    float64   // qp_urgency counts in parts of this size
	counts  map[counting]map[uint32]counted
}

func newBench(h History, base Base, entries Resources) *bench {
	b := &bench{history: h, base: base, entries: entries, last: h[len(h)-1], census: takeCensus(h),
		counts: map[counting]map[uint32]counted{}}
	b.policy = &b.last.Snapshot.Policy
	for _, r := range h {
		b.scales = append(b.scales, scaleOf(r, takeCensus(History{r})))
	}
	b.epoch = h[0].At.UTC().Truncate(24 * time.Hour)
	b.unit = unitOf(b.last.Snapshot)
	return b
}

// unitOf is 1 where all urgencies are whole numbers, else a thousandth.
func unitOf(s *model.Snapshot) float64 {
	for _, r := range s.Resources {
		if v, err := model.ParseNumber(r.Urgency); err == nil && v != math.Trunc(v) {
			return 0.001
		}
	}
	return 1
}

// weight is that of a policy.
func (b *bench) weight(p Policy) float64 {
	switch p {
	case Posix:
		return b.policy.WeightPriority
	case Urgency:
		return b.policy.WeightUrgency
	}
	return b.policy.WeightTicket
}

// counting are the policies that have a weight.
func (b *bench) counting() (list []Policy) {
	for _, p := range []Policy{Posix, Urgency, Tickets} {
		if b.weight(p) != 0 {
			list = append(list, p)
		}
	}
	return list
}

// DeadlineResource is the custom resource for deadlines: seconds from submission until then, as qsub -dl gave it. Only
// deadlineusers may ask for it.
const DeadlineResource = "qp_deadline"

// Custom resources. All are whole numbers: PBS cuts others to four decimals.
const (
	// urgency of the requests: each amount times the urgency of its resource, times the slots; in parts of the unit
	urgencyResource  = "qp_urgency"
	sinceResource    = "qp_since"    // seconds from the epoch until the job was submitted
	ticketsResource  = "qp_tickets"  // functional and override tickets, divided by tasks; in thousandths
	overrideResource = "qp_override" // override tickets of the job itself, as an operator gives them
	placeResource    = "qp_place"    // slots of the entity's jobs before this one, and 1; 0 outside the share tree
	rankResource     = "qp_rank"     // place from the end of the queue, as qprism sets it
	shareResource    = "qp_share"    // job shares, which users ask for as qsub -js did
	keyResource      = "qp_key"      // ranks the job among those of its entity; for the hook and the periodic job
)

// thousandth is the unit of qp_tickets.
const thousandth = 1000

// amounts are the values of the custom resources for the waiting jobs of the bench's last run, or of a
// later run. A hook set them at submission. renewed says that a periodic job has just updated them.
func amounts(c *Candidate, h History) map[uint32]map[string]float64 {
	run := h[len(h)-1]
	values := map[uint32]map[string]float64{}
	for i, j := range run.Result.Pending {
		v := c.fixed(run, j.Job)
		v[rankResource] = float64(len(run.Result.Pending) - i)
		values[j.Job.Number] = v
	}
	if !c.uses(ticketsResource, placeResource) {
		return values
	}
	for number, n := range c.on.count(h, c.Needs == NeedsJob) {
		if v := values[number]; v != nil {
			v[ticketsResource], v[keyResource] = n.tickets, n.key
			if n.place > 0 {
				v[placeResource] = n.place
			}
		}
	}
	return values
}

// A counted job is what hook or periodic job count for it.
type counted struct {
	tickets, key, place float64
}

// A counting is one of all jobs of a history up to a run.
type counting struct {
	run     *priority.Result
	renewed bool
}

// count is what the hook counted at submission, or the periodic job has just counted anew. Candidates of a
// bench share it.
func (b *bench) count(h History, renewed bool) map[uint32]counted {
	run := h[len(h)-1]
	key := counting{run.Result, renewed}
	if known := b.counts[key]; known != nil {
		return known
	}
	values := map[uint32]counted{}
	note := func(r *resident, met *population) {
		if run.Result.Job(r.number) == nil {
			return
		}
		v := counted{tickets: math.RoundToEven(thousandth * (r.shared + r.functioned)), key: r.key}
		if r.node != "" {
			v.place = met.ahead(r) + 1
		}
		values[r.number] = v
	}
	census, rules := takeCensus(h), newTicketRules(run.Snapshot)
	if renewed {
		census.atRun(run, rules, note)
	} else {
		rules.freeze(b.last, b.census.accounts)
		census.atSubmission(rules, note)
	}
	b.counts[key] = values
	return values
}

// fixed are the values that depend on the job alone.
func (c *Candidate) fixed(run Run, j *model.Job) map[string]float64 {
	v := map[string]float64{
		urgencyResource:  math.RoundToEven(requestUrgency(j, run) / c.on.unit),
		sinceResource:    float64(j.Submitted.Unix() - c.on.epoch.Unix()),
		overrideResource: float64(j.OverrideTickets),
		shareResource:    float64(j.JobShare),
	}
	if !j.Deadline.IsZero() {
		v[DeadlineResource] = float64(max(1, j.Deadline.Unix()-j.Submitted.Unix()))
	}
	return v
}

// requestUrgency is what the requests of a job contribute.
func requestUrgency(j *model.Job, run Run) (sum float64) {
	for _, p := range urgency.Parts(j, run.Snapshot, run.Quirks) {
		sum += p.Gives
	}
	return sum
}

// Candidates makes the candidates for the policy of a history, from the simplest to the one with the most
// needs. It uses the seen runs only; the others are for the proof.
func Candidates(h History, base Base, entries Resources) []*Candidate {
	if len(h) == 0 {
		return nil
	}
	b := newBench(h, base, entries)
	list := []*Candidate{b.plain(), b.frozen(NeedsHook), b.frozen(NeedsJob), b.oracle()}
	if c := b.fitted(); c != nil {
		list = slices.Insert(list, 2, c)
	}
	return list
}

// A draft is a candidate in the making.
type draft struct {
	*bench
	*Candidate
	alone   bool // one policy counts: nothing needs to be normalized
	pattern bool // the formula has marks for what the periodic job renews
}

func (b *bench) draft(name, title string, needs Need) *draft {
	c := &Candidate{Name: name, Title: title, Needs: needs, on: b}
	return &draft{bench: b, Candidate: c, alone: len(b.counting()) == 1}
}

// frozen is the candidate that has the form of the Grid Engine priority, with constants for what depends on other jobs.
func (b *bench) frozen(needs Need) *Candidate {
	d := b.draft("frozen", "Grid Engine's own sum; values that depend on other jobs stay constant", needs)
	if needs == NeedsJob {
		d.Name, d.Title = "renewed", "Grid Engine's own sum; a cron script renews values that depend on "+
			"other jobs"
	}
	d.compose()
	return d.done()
}

// pattern is the formula of the renewed candidate, with marks for its renewed numbers; empty if there are
// none.
func (b *bench) pattern() string {
	d := b.draft("", "", NeedsJob)
	d.pattern = true
	d.compose()
	if f := d.sum(); strings.Contains(f, "{") {
		return f
	}
	return ""
}

// oracle is the candidate whose only number is the place that qprism itself computes, again and again.
func (b *bench) oracle() *Candidate {
	d := b.draft("refreshed", "qprism computes the place of every job and sends it to PBS, at each of its runs", NeedsOracle)
	d.use(rankResource)
	d.Formula = rankResource
	return d.done()
}

// compose makes the formula of the terms of all policies.
func (d *draft) compose() {
	for _, t := range d.terms() {
		d.Terms = append(d.Terms, Term{Policy: t.policy, Text: t.sum()})
	}
}

func (d *draft) use(name string) {
	r := Resource{Name: name, Type: model.TypePBSLong, Flags: "r"}
	if option := options[name]; option != "" {
		r.Option, r.Flags = option, "" // users ask for it
	}
	d.Resources = append(d.Resources, r)
}

// options are those of Grid Engine's qsub by the resources that stand for them.
var options = map[string]string{DeadlineResource: "-dl", shareResource: "-js"}

// sum is the formula.
func (d *draft) sum() string {
	var terms []string
	for _, t := range d.Terms {
		terms = append(terms, t.Text)
	}
	if f := strings.Join(terms, " + "); f == "" || !d.unboundedBelow() {
		return f
	}
	return fmt.Sprintf("max(%d, %s)", lowest, strings.Join(terms, " + "))
}

// lowest is where values of a formula end that could sink: PBS never starts a job of -2147483648 or less,
// which is the default of job_sort_formula_threshold.
const lowest = -2_000_000_000

// unboundedBelow says whether a job can have a value that low: requests of resources with negative urgency have no
// bound, and neither has waiting time where it is not divided by a range.
func (d *draft) unboundedBelow() bool {
	if !slices.ContainsFunc(d.Terms, func(t Term) bool { return t.Policy == Urgency }) {
		return false
	}
	return d.alone && d.policy.WeightWaitingTime > 1 || slices.ContainsFunc(
		d.last.Snapshot.Resources, func(r model.Resource) bool {
			u, err := model.ParseNumber(r.Urgency)
			return err == nil && u < 0
		})
}

// done puts the candidate together.
func (d *draft) done() *Candidate {
	if d.uses(ticketsResource, placeResource) {
		d.use(shareResource)
		d.use(keyResource)
	}
	if d.Formula == "" {
		d.Formula = d.sum()
	}
	d.Notes = append(d.Notes, d.Unproven()...)
	d.write()
	d.count()
	return d.Candidate
}

// Unproven lists the terms that rest on the policy only, and how much data was seen.
func (c *Candidate) Unproven() (list []string) {
	for _, p := range c.on.unseen() {
		if slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Policy == p }) {
			list = append(list, fmt.Sprintf("The term of %s follows the policy, but no run tests it: "+
				"in all runs (%d, with at most %d waiting jobs), all jobs have the same value.",
				p, len(c.on.history), c.on.history.largest()))
		}
	}
	return list
}

// unseen are the policies with a weight that no run tells jobs apart by, of those that candidates put differently.
func (b *bench) unseen() []Policy {
	return slices.DeleteFunc(b.counting(), func(p Policy) bool { return p == Posix || b.history.tells(p) > 0 })
}

// A term is what a policy adds to a priority: pieces that are added, weighed, and divided by what Grid
// Engine normalizes by.
type term struct {
	policy  Policy
	weight  float64
	pieces  []string // expressions; a piece that begins with "-" is subtracted
	divisor string   // a number, or a mark that stands for one; empty for 1
}

// sum is the term as an expression.
func (t term) sum() string {
	joined := join(t.pieces)
	switch {
	case t.weight == 1 && t.divisor == "":
		return joined
	case len(t.pieces) > 1:
		joined = "(" + joined + ")"
	}
	s := joined
	if t.weight != 1 {
		s = text(t.weight) + "*" + s
	}
	if t.divisor != "" {
		s += "/" + t.divisor
	}
	return s
}

// join adds pieces up.
func join(pieces []string) string {
	var b strings.Builder
	for i, p := range pieces {
		rest, minus := strings.CutPrefix(p, "-")
		switch {
		case i > 0 && minus:
			b.WriteString(" - " + rest)
		case i > 0:
			b.WriteString(" + " + p)
		default:
			b.WriteString(p)
		}
	}
	return b.String()
}

// terms are those of the policies that have a weight and of which anything is known. A policy that is alone
// needs no weight, and nothing to be divided by: it orders jobs whatever the others have.
func (d *draft) terms() (list []term) {
	for _, p := range d.counting() {
		t := term{policy: p, weight: d.weight(p)}
		known := true
		switch p {
		case Posix: // without what all jobs have in common: most then have values near 0, where a float is finest
			t.pieces, t.divisor = []string{"job_priority"}, "2048"
		case Urgency:
			t.pieces = d.urgencyPieces()
			t.divisor, known = d.urgencyRange()
		case Tickets:
			t.pieces = d.ticketPieces()
			t.divisor, known = d.mostTickets()
		}
		if d.alone {
			t.weight, t.divisor, known = 1, "", true
		}
		if known && len(t.pieces) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// urgencyPieces are terms whose sum is the urgency of a job. A formula has only 24 bits. Jobs with equal
// values are sorted by the urgency of their requests, then by their time in the queue.
func (d *draft) urgencyPieces() []string {
	if d.Needs == NeedsNothing {
		return d.requestPieces()
	}
	list := []string{urgencyResource}
	d.use(urgencyResource)
	if u := d.on.unit; u != 1 {
		list[0] = fmt.Sprintf("%s/%s", urgencyResource, text(1/u))
	}
	if w := d.policy.WeightWaitingTime; w != 0 {
		list = append(list, fmt.Sprintf("-%s*(%s - %s)", text(w), sinceResource, d.number(float64(d.now()), referenceMark)))
		d.use(sinceResource)
	}
	if w := d.policy.WeightDeadline; w != 0 {
		list = append(list, fmt.Sprintf("%s*(%s > 0)/max(1, %s - eligible_time)", text(w),
			DeadlineResource, DeadlineResource))
		d.use(DeadlineResource)
		d.Server = append(d.Server, model.Setting{Name: "eligible_time_enable", Value: "True"})
	}
	d.Sched = append(d.Sched, model.Setting{Name: "job_sort_key", Value: urgencyResource + " HIGH"})
	return list
}

// urgencyRange is what urgencies are divided by.
func (d *draft) urgencyRange() (string, bool) {
	if d.alone {
		return "", true
	}
	if span, ok := d.freeze("urgency_range", "greatest minus least urgency of all jobs", func(s scale) float64 {
		return s.urgency
	}); ok {
		return d.number(span, rangeMark), true
	}
	// All jobs have had one urgency so far. What the next ones will have, nobody knows.
	span, ok := d.freeze("urgency_range", "greatest urgency, because all jobs had the same urgency", func(s scale) float64 {
		return s.highest
	})
	if !ok {
		span, ok = d.assume("urgency_range", "urgency of a job that asks for one of each resource and "+
			"has waited for a day", d.urgencyByPolicy())
	}
	return d.number(span, rangeMark), ok
}

// urgencyByPolicy is the urgency that the configuration gives to one of each resource and a day of waiting.
func (d *draft) urgencyByPolicy() (sum float64) {
	for _, r := range d.last.Snapshot.Resources {
		if u, err := model.ParseNumber(r.Urgency); err == nil {
			sum += math.Abs(u)
		}
	}
	return sum + d.policy.WeightWaitingTime*(24*time.Hour).Seconds()
}

// assume is a constant that no run shows, by what the policy says; ok is false where that says nothing.
func (d *draft) assume(name, means string, value float64) (float64, bool) {
	if value <= 0 {
		return 0, false
	}
	d.Frozen = append(d.Frozen, Constant{Name: name, Means: means + ": no run shows it", Value: rounded(value),
		From: byPolicy})
	return rounded(value), true
}

// byPolicy stands for the runs that a constant is taken from, where none shows it.
const byPolicy = "the policy alone"

// Marks stand for numbers that the periodic job puts into its formula.
const (
	rangeMark     = "{urgency_range}"
	referenceMark = "{reference}"
	ticketsMark   = "{most_tickets}"
	weightsMark   = "{tree_weights}"
	mostMark      = "{most_tree}"
	floorMark     = "{least_usage}"
)

// number is a number, or in a formula that is a pattern its mark.
func (d *draft) number(x float64, mark string) string {
	if d.pattern {
		return mark
	}
	return text(x)
}

// ticketPieces add up to the tickets of a job.
func (d *draft) ticketPieces() (list []string) {
	if d.Needs == NeedsNothing {
		return d.sharePiece()
	}
	if d.policy.FunctionalTickets > 0 || d.anyOverride() {
		list = append(list, fmt.Sprintf("%s/%d", ticketsResource, thousandth))
		d.use(ticketsResource)
	}
	list = append(list, overrideResource)
	d.use(overrideResource)
	if d.policy.ShareTreeTickets > 0 && d.census.accounts.known {
		if t, ok := d.treeTerm(); ok {
			list = append(list, t)
			d.use(placeResource)
		}
	}
	return list
}

// mostTickets is what tickets are divided by.
func (d *draft) mostTickets() (string, bool) {
	if d.alone || d.Needs == NeedsNothing {
		return "", true
	}
	most, ok := d.freeze("most_tickets", "most tickets of a task", func(s scale) float64 { return s.tickets })
	if !ok {
		most, ok = d.assume("most_tickets", "tickets of a job that gets all tickets of the policy", d.ticketsByPolicy())
	}
	return d.number(most, ticketsMark), ok
}

// ticketsByPolicy are those that the configuration has to give: to the share tree, by functional shares,
// and the most of an override.
func (b *bench) ticketsByPolicy() (sum float64) {
	if b.census.accounts.known {
		sum += float64(b.policy.ShareTreeTickets)
	}
	shares, override := uint32(0), uint32(0)
	for p := range parties {
		for _, a := range b.census.accounts.of[p] {
			shares, override = max(shares, a.shares), max(override, a.tickets)
		}
	}
	if shares > 0 {
		sum += float64(b.policy.FunctionalTickets)
	}
	return sum + float64(override)
}

// now is the moment of the newest run, as qp_since counts. It is taken from all jobs alike, to keep values near 0.
func (d *draft) now() int64 {
	c := Constant{Name: "reference", Means: "a time near the present; it keeps values small, so that short " +
		"waits give different values"}
	for _, r := range d.history {
		c.Drift = append(c.Drift, float64(r.At.Unix()-d.on.epoch.Unix()))
	}
	c.From, c.Value = d.last.Name, c.Drift[len(c.Drift)-1]
	d.Frozen = append(d.Frozen, c)
	return int64(c.Value)
}

// freeze takes a constant from the newest run that has it; ok is false if no run has it.
func (d *draft) freeze(name, means string, of func(s scale) float64) (value float64, ok bool) {
	c := Constant{Name: name, Means: means, Drift: drift(d.scales, of)}
	v, i := newest(c.Drift)
	if i < 0 {
		return 0, false
	}
	c.Value, c.From = rounded(v), d.history[i].Name
	c.Share = moves(c.Value, c.Drift)
	d.Frozen = append(d.Frozen, c)
	return c.Value, true
}

// anyOverride says whether a user, project or department has override tickets.
func (b *bench) anyOverride() bool {
	for p := range parties {
		for _, a := range b.census.accounts.of[p] {
			if a.tickets > 0 {
				return true
			}
		}
	}
	return false
}

// treeTerm is the tickets of the share tree: target²/usage of the job's entity as a part of all, no more than
// compensation_factor allows, divided by the job's place among the entity's.
func (d *draft) treeTerm() (string, bool) {
	weights, ok := d.freeze("tree_weights", "sum of target²/usage over the entities with jobs", func(s scale) float64 {
		return s.weights
	})
	if !ok {
		weights, _ = d.assume("tree_weights", "sum of target²/usage over all entities, each of which has used its target", 1)
	}
	least := []string{text(leastUsage), "fairshare_tree_usage"}
	floor, _ := d.freeze("least_usage", "least usage that counts, by target", func(s scale) float64 { return s.floor })
	if d.pattern || floor > leastUsage {
		least = slices.Insert(least, 1, fmt.Sprintf("%s*fairshare_perc", d.number(floor, floorMark)))
	}
	part := fmt.Sprintf("fairshare_perc*fairshare_perc/max(%s)/%s", strings.Join(least, ", "),
		d.number(weights, weightsMark))
	if d.policy.CompensationFactor != 0 {
		most, ok := d.freeze("most_tree", "part of the tickets that an entity can have, by target", func(s scale) float64 {
			return s.most
		})
		if !ok {
			most, _ = d.assume("most_tree", "part of the tickets that an entity can have, by target, where all have used theirs",
				d.policy.CompensationFactor)
		}
		part = fmt.Sprintf("min(%s, %s*fairshare_perc)", part, d.number(most, mostMark))
	}
	d.plant()
	return fmt.Sprintf("%d*(%s > 0)*%s/max(1, %s)", d.policy.ShareTreeTickets, placeResource, part, placeResource), true
}

// plant sets up the tree of PBS.
func (d *draft) plant() {
	d.tree = true
	d.usage = usageUnit(d.census.usage())
	f := filesOf(d.census.tree, d.usage)
	d.Groups, d.Usage = f.Groups, f.Usage.Records
	d.Entities = d.census.entities(d.history)
	set := func(name, value string) { d.Sched = append(d.Sched, model.Setting{Name: name, Value: value}) }
	set("fair_share", "True")
	set("fairshare_entity", entityAttribute(d.Entities))
	set("fairshare_enforce_no_shares", "False")
	usage, _ := whatif.UsageResource(d.last.Snapshot, d.usage)
	set("fairshare_usage_res", usage)
	if h := d.policy.HalfTime; h > 0 {
		set("fairshare_decay_time", clock(h/24))
		set("fairshare_decay_factor", text(rounded(math.Pow(2, -1.0/24))))
	}
}

// entityAttribute is the attribute by which jobs are charged: the account where users have several entities.
func entityAttribute(entities map[string]string) string {
	if len(entities) > 0 {
		return "Account_Name"
	}
	return "euser"
}

// clock is a time as sched_config has it.
func clock(d time.Duration) string {
	s := int64(d / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}
