package dispatch

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// narrow finds what a start asks for, or says why that would leave a choice.
func (c *cluster) narrow(s *Start) (why string) {
	granted := map[string]bool{}
	for _, g := range s.Slots {
		queue, host, _ := strings.Cut(g.Instance, "@")
		granted[g.Instance] = true
		s.Hosts, s.Queues = add(s.Hosts, host), add(s.Queues, queue)
	}
	for i := range c.Snapshot.Instances {
		q := &c.Snapshot.Instances[i]
		if !granted[q.Name] && slices.Contains(s.Hosts, q.Host) && slices.Contains(s.Queues, q.Queue) {
			return fmt.Sprintf("%s would do as well, and no request for hosts and queues leaves it out", q.Name)
		}
	}
	for _, name := range slices.Concat(s.Hosts, s.Queues) {
		if strings.ContainsFunc(name, special) {
			return fmt.Sprintf("a request for %q would be read as an expression, not as a name", name)
		}
	}
	if len(s.Slots) == 1 {
		return ""
	}
	if len(s.Hosts) < len(s.Slots) {
		return "it would take several queue instances of a host, and which gets more slots is the scheduler's choice"
	}
	s.First = first(c.rules[s.PE], s.Slots)
	if j := c.jobs[s.Job]; s.First != nil && len(j.SoftQueues) > 0 {
		return "which host gets fewer slots is the scheduler's choice, and the job's own soft list of queues (-soft -q) has a say in it"
	}
	return ""
}

// special reports whether a character has a meaning in a request for hosts or queues (sge_types(5), matching_pattern and expression), or
// between requests.
func special(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("*?[]\\!&|()@,=\"'`$;<>", r)
}

func add(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// first are the hosts that must come before the others for slots to be spread as granted, whatever the order of hosts otherwise;
// nil where no order makes a difference.
//
//   - $fill_up fills host after host: all but the last one that it took are full then.
//   - $round_robin gives each host a slot, round by round, and in the last round as many as are left: those with most slots were
//     first in it. Hosts that were full before have fewer slots whatever the order.
//   - A fixed number gives each host as many.
func first(rule string, slots []model.Grant) (hosts []string) {
	var before []model.Grant
	switch rule {
	case "$fill_up":
		before = slots[:len(slots)-1]
	case "$round_robin":
		most := slices.MaxFunc(slots, func(a, b model.Grant) int { return a.Slots - b.Slots }).Slots
		for _, g := range slots {
			if g.Slots == most {
				before = append(before, g)
			}
		}
		if len(before) == len(slots) {
			before = nil
		}
	}
	for _, g := range before {
		_, host, _ := strings.Cut(g.Instance, "@")
		hosts = append(hosts, host)
	}
	return hosts
}

// confirm plans the run with the starts narrowed and released, in the scheduler's order and with the starts in reverse, and leaves out
// those that do not come out of both as decided, until all do. Of starts that stand in each other's way the later ones are left out.
func (r *Result) confirm(c *cluster) {
	for len(r.Starts) > 0 {
		narrowed := narrowed(c.Snapshot, c.Owned, r.Starts)
		native := startsOf(c.Native(narrowed))
		reversed := startsOf(c.InOrder(narrowed, reverse(native.order, r.Starts)))
		why := map[uint32]string{}
		var differ []uint32
		for _, s := range r.Starts {
			text := s.differs(native.of[s.Job])
			if text == "" {
				text = s.differs(reversed.of[s.Job])
			}
			if text != "" {
				why[s.Job], differ = text, append(differ, s.Job)
			}
		}
		if len(differ) == 0 {
			return
		}
		out := differ[len(differ)/2:]
		keep := make([]Start, 0, len(r.Starts))
		for _, s := range r.Starts {
			if slices.Contains(out, s.Job) {
				r.leave(s, why[s.Job])
				continue
			}
			keep = append(keep, s)
		}
		r.Starts = keep
	}
}

// started are the starts of a run, by job, and the jobs in the order of their first starts.
type started struct {
	of    map[uint32][]model.Decision
	order []uint32
}

func startsOf(p *model.Plan) started {
	s := started{of: map[uint32][]model.Decision{}}
	for _, d := range p.Decisions {
		if d.Verdict == model.Now {
			if s.of[d.Job] == nil {
				s.order = append(s.order, d.Job)
			}
			s.of[d.Job] = append(s.of[d.Job], d)
		}
	}
	return s
}

// reverse are the starts against the order in which a run takes them.
func reverse(order []uint32, starts []Start) []uint32 {
	ours := map[uint32]bool{}
	for _, s := range starts {
		ours[s.Job] = true
	}
	list := slices.DeleteFunc(slices.Clone(order), func(job uint32) bool { return !ours[job] })
	slices.Reverse(list)
	return list
}

// differs says how the native run does something else about a start; empty where it does not.
func (s *Start) differs(got []model.Decision) string {
	started := model.TaskSet{}
	for _, d := range got {
		started = started.With(model.TasksOf(d.Tasks))
		if d.PE != s.PE || !sameSlots(d.Slots, s.Slots) {
			return fmt.Sprintf("the scheduler would start it on %s, not on %s", Places(d.Slots), Places(s.Slots))
		}
	}
	if len(started) != len(s.Tasks) || len(s.Tasks.Without(started)) > 0 {
		return fmt.Sprintf("the scheduler gives %s to other jobs first", Places(s.Slots))
	}
	return ""
}

// sameSlots reports whether two lists grant the same, whichever comes first.
func sameSlots(a, b []model.Grant) bool { return Places(a) == Places(b) }

// Places writes granted slots, by queue instance: "all.q@node01=4 all.q@node02=2".
func Places(slots []model.Grant) string {
	sum := map[string]int{}
	var names []string
	for _, g := range slots {
		names = add(names, g.Instance)
		sum[g.Instance] += max(g.Slots, 1)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s=%d", name, sum[name])
	}
	return strings.Join(names, " ")
}
