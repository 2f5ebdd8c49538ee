package dispatch

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
)

// A host is what rules about places work with.
type host struct {
	name       string
	used, free int
}

// hostsOf are the hosts that take jobs now, and those that do not but are there.
func hostsOf(s *model.Snapshot) (list []host) {
	at := map[string]int{}
	for i := range s.Instances {
		q := &s.Instances[i]
		k, known := at[q.Host]
		if !known {
			k = len(list)
			at[q.Host], list = k, append(list, host{name: q.Host})
		}
		list[k].used += q.Used
		if !strings.ContainsAny(q.State, "auEdDsSCc") {
			list[k].free += max(0, q.Slots-q.Used-q.Reserved)
		}
	}
	slices.SortFunc(list, func(a, b host) int { return cmp.Compare(a.name, b.name) })
	return list
}

// bounds are where a job may start.
type bounds struct {
	only, not, queues map[string]bool // nil for no such bound
	kept              map[string]bool // hosts that are kept free for it
	pack, spread      bool
	why               []string
}

func (d *decision) boundsOf(job uint32) *bounds {
	if d.bounds == nil {
		d.bounds = map[uint32]*bounds{}
	}
	if d.bounds[job] == nil {
		d.bounds[job] = &bounds{not: map[string]bool{}, kept: map[string]bool{}}
	}
	return d.bounds[job]
}

// bind notes the hosts and queues of a rule.
func (d *decision) bind(r *Rule) {
	if r.KeepFree > 0 {
		d.keep(r)
		return
	}
	hosts, queues := d.known("host", r.Hosts, d.isHost), d.known("queue", r.Queues, d.isQueue)
	not := d.known("host", r.NotHosts, d.isHost)
	for _, j := range d.meant(r) {
		b := d.boundsOf(j.Number)
		b.only, b.queues = both(b.only, hosts), both(b.queues, queues)
		maps.Copy(b.not, not)
		if hosts != nil || not != nil || queues != nil {
			b.why = append(b.why, "bound to "+strings.Join(slices.Concat(r.Hosts, prefixed("not ", r.NotHosts), r.Queues), " "))
		}
	}
}

func prefixed(with string, list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = with + list[i]
	}
	return list
}

func (d *decision) isHost(name string) bool {
	return slices.ContainsFunc(d.hosts, func(h host) bool { return h.name == name })
}

func (d *decision) isQueue(name string) bool {
	return slices.ContainsFunc(d.in.Snapshot.Instances, func(q model.QueueInstance) bool { return q.Queue == name })
}

// known selects the names that exist and that a job can request; nil if there are none. It adds a note
// about the others.
func (d *decision) known(what string, names []string, there func(string) bool) (set map[string]bool) {
	for _, name := range names {
		switch {
		case !there(name):
			d.note("there is no %s %q", what, name)
		case strings.ContainsFunc(name, special):
			d.note("cannot request %s %q: Grid Engine would read the name as an expression", what, name)
		default:
			if set == nil {
				set = map[string]bool{}
			}
			set[name] = true
		}
	}
	return set
}

// special reports whether a character has a meaning in a request for hosts or queues (sge_types(5),
// matching_pattern and expression), or between requests.
func special(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("*?[]\\!&|()@,=\"'`$;<>", r)
}

// both are the names that are in two sets, of which nil is everything.
func both(a, b map[string]bool) map[string]bool {
	if a == nil {
		return maps.Clone(b)
	}
	if b != nil {
		maps.DeleteFunc(a, func(name string, _ bool) bool { return !b[name] })
	}
	return a
}

// keep keeps hosts free for some jobs, of those that the rule names if it does: those first on which
// nothing else runs, of these those that the jobs use already. These jobs take them first: elsewhere they
// would take what others could use, and of a host in part the next large one cannot start on.
func (d *decision) keep(r *Rule) {
	c, _ := Choose(r.Jobs)
	other, theirs := map[string]int{}, map[string]int{}
	for i := range d.in.Snapshot.Jobs {
		j := &d.in.Snapshot.Jobs[i]
		of := other
		if c.Has(j) {
			of = theirs
		}
		for _, t := range j.Tasks {
			for _, g := range t.Granted {
				_, name, _ := strings.Cut(g.Instance, "@")
				of[name] += max(1, g.Slots)
			}
		}
	}
	only := d.known("host", r.Hosts, d.isHost)
	var list []string
	for _, h := range d.hosts {
		if (only == nil || only[h.name]) && !strings.ContainsFunc(h.name, special) {
			list = append(list, h.name)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(other[a], other[b]), cmp.Compare(theirs[b], theirs[a]))
	})
	if len(list) < r.KeepFree || len(d.hosts) <= r.KeepFree {
		d.note("keep_free %d: the cluster has only %d hosts", r.KeepFree, len(list))
		return
	}
	for number := range d.in.Owned {
		j := d.jobs[number]
		if j == nil {
			continue
		}
		b := d.boundsOf(number)
		hosts := b.kept
		if !c.Has(j) {
			hosts = b.not
			b.why = append(b.why, "kept free for "+strings.Join(r.Jobs, " ")+": "+strings.Join(list[:r.KeepFree], " "))
		}
		for _, name := range list[:r.KeepFree] {
			hosts[name] = true
		}
	}
}

// places makes wishes of the bounds. Which hosts come first matters for those jobs alone that may start
// soon: as many as slots are free, and hosts. Those for which hosts are kept free are counted apart, since
// on these nobody is before them.
func (d *decision) places() {
	soon, favoured := len(d.hosts), 0
	for _, h := range d.hosts {
		soon += h.free
	}
	for n, number := range d.Order {
		b := d.bounds[number]
		if b == nil || len(d.in.Owned[number]) == 0 {
			continue
		}
		if b.only == nil && len(b.not) == 0 && b.queues == nil && !b.pack && !b.spread && len(b.kept) == 0 {
			continue
		}
		if len(b.kept) > 0 {
			n, favoured = favoured, favoured+1
		}
		w := d.wish(number)
		w.Hosts, w.Queues = expression(b.only, b.not), expression(b.queues, nil)
		if b.only != nil && w.Hosts == "" {
			d.hold(number, d.in.Owned[number], "no host is left for the job")
		}
		if b.queues != nil && w.Queues == "" {
			d.hold(number, d.in.Owned[number], "no queue is left for the job")
		}
		for _, why := range b.why {
			w.because(why)
		}
		if n < soon {
			w.First = d.first(b)
		}
	}
}

// expression is a request for names: "(a|b)" or "!(c)"; empty where all will do, or of some that may be
// used none is left.
func expression(only, not map[string]bool) string {
	if only == nil {
		if len(not) == 0 {
			return ""
		}
		return "!(" + strings.Join(slices.Sorted(maps.Keys(not)), "|") + ")"
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(only)) {
		if !not[name] {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, "|") + ")"
}

// first are the hosts that come first: those kept free for a job, also while they are full, as it may start
// in the run in which one becomes free; else to pack those in use that have room, to spread those that are
// not in use. None where all would be among them.
func (d *decision) first(b *bounds) (list []string) {
	var kept []string
	may, room := 0, 0
	for _, h := range d.hosts {
		if b.only != nil && !b.only[h.name] || b.not[h.name] || strings.ContainsFunc(h.name, special) {
			continue
		}
		may++
		if b.kept[h.name] {
			kept = append(kept, h.name)
		}
		if h.free == 0 {
			continue
		}
		room++
		if b.pack && h.used > 0 || b.spread && h.used == 0 {
			list = append(list, h.name)
		}
	}
	if len(kept) > 0 && len(kept) < may {
		return kept
	}
	if len(list) == room {
		return nil
	}
	return list
}
