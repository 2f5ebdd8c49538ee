package gridengine

import (
	"cmp"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/exporter/drive"
)

// The attributes of claims. Becomes of a claim lists all values that the job may have, one a line, the newest
// last.
const (
	priority = Priority
	reserve  = "reserve"
	hard     = "hard"  // the hard -l list
	soft     = "soft"  // the soft -l list
	why      = "why"   // why drive decided so, in the job's context (-ac)
	after    = "after" // the job for the end of which it waits, -hold_jid
	held     = "hold"  // an operator hold, -h o, of the tasks that the claim names
	left     = "left"  // tasks that somebody else released: the drive does not change them
	leftP    = "left priority"
)

// altered are the attributes with one value, in the order of the options that set them.
var altered = []string{priority, reserve, hard, soft, why, after}

// nobody is the -hold_jid of a job that waits for no job. qalter accepts no empty list, and no job can have
// this name.
const nobody = "\t"

// options returns the options that set an attribute.
func options(attribute, to string) []string {
	switch {
	case attribute == priority:
		return []string{"-p", to}
	case attribute == reserve:
		return []string{"-R", to}
	case attribute == hard:
		return []string{"-l", to}
	case attribute == soft:
		return []string{"-soft", "-l", to}
	case attribute == after:
		return []string{"-hold_jid", orElse(to, nobody)}
	case to == "":
		return []string{"-dc", model.DecidedContext}
	}
	return []string{"-ac", model.DecidedContext + "=" + to}
}

// A call is one qalter command for all jobs with the same change.
type call struct {
	options, targets []string
	changes          []int
}

func (c *call) argv() []string {
	return slices.Concat([]string{"qalter"}, c.options, []string{strings.Join(c.targets, ",")})
}

// urgency is the place of a call in a step. It matters because the scheduler may run at any time. First come
// jobs that must not start, then jobs that may start now. Then come restrictions of hosts and queues, and last
// the order.
func (c *call) urgency() int {
	switch h := slices.Index(c.options, "-h"); {
	case h >= 0 && c.options[h+1] == "o":
		return 0
	case h >= 0, slices.Contains(c.options, "-hold_jid"):
		return 1
	case !slices.Equal(c.options[:len(c.options)-1], []string{"-p"}):
		return 2
	}
	return 3
}

// amendments are the calls of a step, and the changes of claims.
type amendments struct {
	calls        []call
	changes      []model.Order
	save, forget []model.Claim
}

// jobs counts the jobs that change.
func (a *amendments) jobs() (n int) {
	for i := range a.calls {
		n += len(a.calls[i].targets)
	}
	return n
}

// change adds an order to a call.
func (a *amendments) change(c *call, job, attribute, from, to string, options ...string) {
	c.options, c.changes = append(c.options, options...), append(c.changes, len(a.changes))
	a.changes = append(a.changes, model.Order{Job: job, Attribute: attribute, From: from, To: to, State: model.OrderSent})
}

// add adds a call. If another call makes the same change, add joins the two.
func (a *amendments) add(c call) {
	const most = 30_000 // bytes of an argument
	if len(c.options) == 0 {
		return
	}
	for i := range a.calls {
		if o := &a.calls[i]; slices.Equal(o.options, c.options) && len(o.targets) < jobsPerCall &&
			len(strings.Join(o.targets, ",")) < most {
			o.targets, o.changes = append(o.targets, c.targets...), append(o.changes, c.changes...)
			return
		}
	}
	a.calls = append(a.calls, c)
}

// amend compares the values that a job should have with the values that it has. A started job gets its old
// requests back.
func (d *Dispatcher) amend(a *amendments, job string, w drive.Wanted, l *Look) {
	if !l.there(job) {
		for _, c := range d.Drive.Claims {
			if c.Job == job {
				a.forget = append(a.forget, c)
			}
		}
		return
	}
	if len(l.Waiting[job]) == 0 {
		w = drive.Wanted{Array: w.Array, Whose: w.Whose}
	}
	w = d.possible(job, w, l)
	c := call{targets: []string{job}}
	for _, attribute := range altered {
		if attribute == after && (len(w.Hold) > 0 || d.Claim(job, held) != nil) {
			alone := call{targets: []string{job}} // -hold_jid applies to whole jobs, and -h to tasks
			d.attribute(a, &alone, job, attribute, w, l)
			a.add(alone)
			continue
		}
		d.attribute(a, &c, job, attribute, w, l)
	}
	d.holds(a, &c, job, w, l)
}

// possible returns the values that a job can get. If its requests could not be restored word for word, the
// drive holds the job and does not narrow its requests.
func (d *Dispatcher) possible(job string, w drive.Wanted, l *Look) drive.Wanted {
	was := func(attribute string) string {
		if c := d.Claim(job, attribute); c != nil {
			return c.Was
		}
		return l.value(job, attribute)
	}
	if w.Hosts+w.Queues+w.Also != "" && !restorable(was(hard)) {
		w.Hosts, w.Queues, w.Also, w.Hold = "", "", "", l.Waiting[job]
		w.Why = "its -l list could not be restored word for word"
	}
	if !restorable(was(soft)) {
		w.First = nil
	}
	if was(after) != "" { // the job's own -hold_jid
		w.After = ""
	}
	return w
}

// attribute compares one value. If the value is neither the old one nor one of the drive, somebody else has set
// it. An order that may still arrive at a master that hung is sent once more.
func (d *Dispatcher) attribute(a *amendments, c *call, job, attribute string, w drive.Wanted, l *Look) {
	claim, have := d.Claim(job, attribute), l.value(job, attribute)
	switch orders := len(l.Waiting[job]) > 0 || d.ending; {
	case attribute != priority && l.Values[job] == nil:
		return
	case attribute == priority && !orders: // -p of a running job: the end of the drive restores it
		return
	}
	was := have
	if claim != nil {
		was = claim.Was
		if have != was && !slices.Contains(strings.Split(claim.Becomes, "\n"), have) {
			d.Say("the %s of job %s stays as somebody else set it: %q", attribute, job, have)
			a.forget = append(a.forget, *claim)
			if attribute == priority {
				a.save = append(a.save, model.Claim{Job: job, Attribute: leftP, Becomes: have,
					State: model.OrderOvertaken, Whose: claim.Whose})
			}
			return
		}
	} else if o := d.Claim(job, leftP); attribute == priority && o != nil {
		if o.Becomes != have {
			a.forget = append(a.forget, *o)
		}
		return
	}
	to := value(&w, attribute, was)
	if attribute == after && claim != nil && w.After == "" && len(w.Hold) > 0 {
		to = have // the hold is enough; the end of the hold also restores this value
	}
	switch {
	case to == have && (claim == nil || !onItsWay(claim)):
		a.stands(claim, to)
	default:
		k := model.Claim{Job: job, Attribute: attribute, Was: was, Becomes: to, State: model.OrderSent, Whose: w.Whose}
		if claim != nil {
			k.Becomes, k.Whose = newest(claim.Becomes, to), cmp.Or(claim.Whose, w.Whose)
		}
		a.save = append(a.save, k)
		a.change(c, job, attribute, have, to, options(attribute, to)...)
	}
}

// stands notes that a job has the value that it should have.
func (a *amendments) stands(c *model.Claim, value string) {
	switch {
	case c == nil:
	case c.Was == value:
		a.forget = append(a.forget, *c)
	case c.Becomes != value || c.State != model.OrderConfirmed:
		k := *c
		k.Becomes, k.State = value, model.OrderConfirmed
		a.save = append(a.save, k)
	}
}

// onItsWay reports whether an order may still arrive, because no answer came.
func onItsWay(c *model.Claim) bool { return c.State == model.OrderSent }

// newest adds a value at the end of a claim's values.
func newest(values, value string) string {
	list := slices.DeleteFunc(strings.Split(values, "\n"), func(v string) bool { return v == value })
	return strings.Join(append(list, value), "\n")
}

func last(values string) string { return values[strings.LastIndexByte(values, '\n')+1:] }

// value returns the value that an attribute should have. was is its value without the drive.
func value(w *drive.Wanted, attribute, was string) string {
	switch {
	case attribute == priority && w.P != nil:
		return number(*w.P)
	case attribute == reserve && w.Reserve:
		return "y"
	case attribute == hard:
		return narrow(w, was)
	case attribute == soft && len(w.First) > 0 && !strings.Contains(","+was, ",hostname="):
		return join(was, "hostname="+strings.Join(w.First, "|"))
	case attribute == why && w.Why != "":
		return plainText(w.Why)
	case attribute == after && w.After != "":
		return w.After
	}
	return was
}

// narrow adds requests for hosts and queues to a -l list.
func narrow(w *drive.Wanted, was string) string {
	list := was
	for name, to := range map[string]string{"hostname": w.Hosts, "qname": w.Queues} {
		if to != "" {
			own, rest := cutRequest(list, name)
			if own != "" {
				to = "(" + own + ")&" + to
			}
			list = join(rest, name+"="+to)
		}
	}
	if w.Also != "" && !slices.Contains(strings.Split(list, ","), w.Also) {
		list = join(list, w.Also)
	}
	return sorted(list, was)
}

// sorted puts a list into the order of another list, new parts last. So the same requests give the same text.
func sorted(list, before string) string {
	place := map[string]int{}
	for i, part := range strings.Split(before, ",") {
		place[part] = i - len(before)
	}
	parts := strings.Split(list, ",")
	slices.SortFunc(parts, func(a, b string) int { return cmp.Or(cmp.Compare(place[a], place[b]), strings.Compare(a, b)) })
	return strings.Join(parts, ",")
}

// cutRequest removes the request for a resource from a list.
func cutRequest(list, name string) (value, rest string) {
	var parts []string
	for part := range strings.SplitSeq(list, ",") {
		if key, text, _ := strings.Cut(part, "="); key == name {
			value = text
		} else if part != "" {
			parts = append(parts, part)
		}
	}
	return value, strings.Join(parts, ",")
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ",")
}

// restorable reports whether a -l list can be restored from its printed form.
func restorable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_.,=:+-*?|&!()[]/@%^~#", r))
	})
}

// plainText returns a reason in characters that scripts/qprism-gate and a list of variables accept.
func plainText(text string) string {
	const most = 200
	text = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.:/@ -", r) {
			return r
		}
		return '-'
	}, text)
	return strings.TrimSpace(text[:min(len(text), most)])
}

// holds compares the held tasks with the tasks that should be held. A job with an operator hold of somebody
// else stays as it is. A task that somebody else released stays released.
func (d *Dispatcher) holds(a *amendments, c *call, job string, w drive.Wanted, l *Look) {
	claim, now, waiting := d.Claim(job, held), l.Held[job], l.Waiting[job]
	// The master will release the task when the other job ends. Until this is visible, the job stays held.
	if w.After != "" && l.value(job, after) == w.After {
		w.Hold = nil
	}
	ours := d.tasks(job, held)
	want := w.Hold.And(waiting).Without(d.tasks(job, left))
	missing := ours.And(waiting).Without(now)
	late := claim != nil && onItsWay(claim)
	switch {
	case len(missing) == 0 || late:
	case d.Restored:
		ours = ours.Without(missing)
	default:
		d.Say("somebody else released job %s, so the scheduler decides about it", target(job, missing, w.Array))
		a.save = append(a.save, model.Claim{Job: job, Attribute: left, Becomes: d.tasks(job, left).With(missing).String(),
			State: model.OrderOvertaken, Whose: claim.Whose})
		ours, want = ours.Without(missing), want.Without(missing)
	}
	if len(now.Without(ours)) > 0 {
		want = want.And(ours)
	}
	lay, lift := want.Without(now), ours.And(now).Without(want)
	if late {
		lift = lift.With(missing.Without(want))
	}
	all := ours.And(now.With(lift)).With(lay)
	k := model.Claim{Job: job, Attribute: held, Becomes: newest(all.String(), all.Without(lift).String()),
		State: model.OrderSent,
		Whose: w.Whose}
	if claim != nil {
		k.Whose = cmp.Or(claim.Whose, w.Whose)
	}
	first, second := "O", lift
	if len(lay) > 0 {
		first, second = "o", lay
		if len(lift) > 0 {
			a.hold(&call{}, job, "O", lift, w.Array)
		}
	}
	switch {
	case len(second) > 0:
		a.save = append(a.save, k)
		a.hold(c, job, first, second, w.Array)
		return
	case claim == nil:
	case len(all) == 0:
		a.forget = append(a.forget, *claim)
	case claim.Becomes != all.String() || claim.State != model.OrderConfirmed:
		k.Becomes, k.State = all.String(), model.OrderConfirmed
		a.save = append(a.save, k)
	}
	a.add(*c)
}

// hold sets or removes the hold of tasks with a call. The call may also change other values of the job.
func (a *amendments) hold(c *call, job, kind string, tasks model.TaskSet, array bool) {
	a.change(c, job, held, "", map[string]string{"o": "held", "O": "free"}[kind], "-h", kind)
	c.targets = []string{target(job, tasks, array)}
	a.add(*c)
}
