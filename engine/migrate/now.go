package migrate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// A Closure is a queue or node that accepts no new jobs at the moment of a snapshot, until someone opens it.
type Closure struct {
	// Grid Engine's names; no host if the queue is closed everywhere, no queue if all queues on the host are
	Queue, Host string
	States      string // letters of qstat, "d"
	Command     string // does the same in PBS; empty if there is no equivalent
}

// String names the closed queue or host.
func (c Closure) String() string {
	switch {
	case c.Host == "":
		return fmt.Sprintf("queue %s is closed (%s)", c.Queue, c.States)
	case c.Queue == "":
		return fmt.Sprintf("every queue on %s is closed (%s)", c.Host, c.States)
	}
	return fmt.Sprintf("queue %s is closed on %s (%s)", c.Queue, c.Host, c.States)
}

// Closures are the closed queues and nodes of a snapshot. Queues closed by a calendar, another queue or load
// open again, and are not included.
func (t *Translation) Closures(s *model.Snapshot) (list []Closure) {
	var whole, open []string
	for _, q := range s.Queues {
		if states, closed := closedIn(s, func(i *model.QueueInstance) bool { return i.Queue == q.Name }); closed {
			whole = append(whole, q.Name)
			list = append(list, Closure{Queue: q.Name, States: states, Command: "qstop " + t.queueName(q.Name)})
		}
	}
	for _, h := range s.Hosts {
		states, closed := closedIn(s, func(i *model.QueueInstance) bool { return i.Host == h.Name })
		if !closed {
			open = append(open, h.Name)
			continue
		}
		list = append(list, Closure{Host: h.Name, States: states, Command: "pbsnodes -o " + h.Name})
	}
	for k := range s.Instances {
		if i := &s.Instances[k]; lasting(i.State) && slices.Contains(open, i.Host) && !slices.Contains(whole, i.Queue) {
			list = append(list, Closure{Queue: i.Queue, Host: i.Host, States: i.State, Command: t.closeOn(i)})
		}
	}
	return list
}

// lasting says whether a queue instance of that state is closed until somebody opens it: unknown, disabled,
// suspended, in error, with a configuration that contradicts itself, or orphaned.
func lasting(state string) bool { return strings.ContainsAny(state, "udsEco") }

// closedIn says whether all of some queue instances are closed for good, of which there has to be one.
func closedIn(s *model.Snapshot, of func(*model.QueueInstance) bool) (states string, closed bool) {
	var all []string
	for k := range s.Instances {
		i := &s.Instances[k]
		switch {
		case !of(i):
			continue
		case !lasting(i.State):
			return "", false
		}
		all = append(all, i.State)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " "), len(all) > 0
}

// closeOn is the command that closes a queue on one node: its slots there become none.
func (t *Translation) closeOn(i *model.QueueInstance) string {
	if name := t.slotsOf(i.Queue); name != "" {
		return fmt.Sprintf("qmgr -c 'set node %s resources_available.%s = 0'", i.Host, name)
	}
	return ""
}

// slotsOf is the resource that counts a queue's slots on nodes; empty where it needs none.
func (t *Translation) slotsOf(queue string) string {
	for _, s := range t.Submit.Slots {
		if s.Queue == t.queueName(queue) {
			return s.Resource
		}
	}
	return ""
}

// Now is the translated cluster with the jobs of a snapshot at its moment, with the same queues and nodes
// closed.
func (t *Translation) Now(s *model.Snapshot) *model.Snapshot {
	to := t.Jobs(s, time.Time{})
	for _, c := range t.Closures(s) {
		for i := range to.Queues {
			if q := &to.Queues[i]; c.Host == "" && q.Name == t.queueName(c.Queue) {
				q.PBS.Started = false
			}
		}
		for i := range to.Hosts {
			h := &to.Hosts[i]
			switch slots := t.slotsOf(c.Queue); {
			case h.Name != c.Host:
			case c.Queue == "":
				h.PBS.State = []string{"offline"}
			case slots != "":
				h.Capacity = put(h.Capacity, slots, "0")
			}
		}
	}
	return to
}
