package schedule

import (
	"math"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// A world is the scheduler's copy of the cluster in one run.
type world struct {
	complex   complex
	slots     *attr
	global    *host
	hosts     []*host     // the global one among them, in the order of their load
	queues    []*instance // those that can start jobs, in the order in which they are tried
	closed    []*instance // full or closed ones: jobs can be reserved for there
	instances []*instance // all
	clusters  int         // how many cluster queues they are of
	pes       []*pe
	quotas    []*quotaSet
	advance   []*advance

	hostNames     map[string]*host
	instanceNames map[string]*instance
	standards     map[*attr]*request
	groups        match.Hosts
	usersets      match.Usersets
	formula       formula.Formula
}

// A host is an execution host, or the one that stands for the whole cluster.
type host struct {
	layer
	*model.Host
	id        int
	sort      float64     // by load_formula: smaller is sooner
	seq       int         // rank by sort, as last given to the instances
	order     int         // of the first usable instance, in a parallel search
	version   int         // of its bookings and those of its queue instances
	instances []*instance // those that can start jobs, in the order in which they are tried
	granted   int         // slots, in a parallel search
}

// An instance is a queue instance.
type instance struct {
	layer
	*model.QueueInstance
	id       int
	host     *host
	cluster  int // number of its cluster queue
	seqNo    int64
	rank     int64 // by the load of its host and seqNo: smaller is sooner
	place    int   // in the list that is sorted
	slotsUse *use
	limits   []limitValue // those of queue_conf(5), h_rt and its like

	loadThresholds, suspendThresholds []threshold
	watched                           bool    // one of loadThresholds is a consumable
	modified                          int     // how recently it was changed, as far as known; 0 for never
	second                            seconds // in which it was changed last, where nothing but that is known of the change

	violations uint32
	granted    int          // slots, in a parallel search
	tag        int64        // marked for the current attempt: chosen, or its slots
	avail      seconds      // when it is free; in parallel searches how many slots it has at last, where both share their place (D2)
	atLast     int64        // how many slots it has at last, where they do not
	master     uint8        // 2: it can take the master task; 1: later; 0: never
	out        model.Reason // the threshold for which it is left out
	full       bool         // it is among the closed ones for want of slots
	alarmed    bool         // it is among the closed ones for its load

	suspended, calendarOff, calendarSuspended, disabled, broken, orphaned bool
	subordinated                                                          bool   // by a start of this run,
	suspendedBy                                                           uint32 // that of this job
}

// A pe is a parallel environment.
type pe struct {
	layer
	*model.PE
	use      *use
	rule     int // allocation_rule: slots on each host, or a rule with a name; 0 for what cannot be
	modified int // as of instances
}

func (q *instance) total() float64 { return float64(q.Slots) }

// isFull reports whether no slot is left at the moment.
func (q *instance) isFull() bool { return q.slotsUse.now >= q.total() }

func (r *run) build() {
	s := r.snapshot
	w := &r.world
	w.complex = newComplex(s.Resources)
	w.slots = w.complex[slotsName]
	w.standards = map[*attr]*request{}
	w.groups, w.usersets = match.NewHosts(s.HostGroups), match.NewUsersets(s.Usersets)
	w.formula = formula.Parse(s.Policy.LoadFormula)
	r.oneSlot = request{attr: w.slots, name: slotsName, text: "1", amount: 1}
	r.buildHosts()
	r.buildInstances()
	for i := range s.PEs {
		p := &pe{PE: &s.PEs[i], layer: layer{level: levelPE, name: s.PEs[i].Name}}
		p.rule = allocationRule(p.AllocationRule)
		p.use = &use{attr: w.slots, total: float64(p.Slots), level: levelPE, object: p.Name, resource: slotsName}
		w.pes = append(w.pes, p)
	}
	r.buildQuotas()
	r.buildAdvance()
}

func (r *run) buildHosts() {
	w, s := &r.world, r.snapshot
	w.hostNames = make(map[string]*host, len(s.Hosts))
	for i := range s.Hosts {
		r.addHost(&s.Hosts[i])
	}
	if w.hostNames[model.GlobalHost] == nil {
		r.addHost(&model.Host{Name: model.GlobalHost})
	}
	w.global = w.hostNames[model.GlobalHost]
	for i := range s.Instances { // a host that the bundle does not describe has no resources of its own
		if w.hostNames[match.Host(s.Instances[i].Host)] == nil {
			r.addHost(&model.Host{Name: s.Instances[i].Host})
		}
	}
}

func (r *run) addHost(m *model.Host) {
	w := &r.world
	h := &host{Host: m, id: len(w.hosts), layer: layer{level: levelHost, name: m.Name}}
	if m.Name == model.GlobalHost {
		h.level = levelGlobal
	}
	h.configure(w.complex, m.Capacity)
	r.addLoad(h)
	w.hosts = append(w.hosts, h)
	w.hostNames[match.Host(m.Name)] = h
}

func (r *run) buildInstances() {
	w, s := &r.world, r.snapshot
	clusters := numberClusters(s)
	w.clusters = len(clusters)
	w.instances = make([]*instance, len(s.Instances))
	w.instanceNames = make(map[string]*instance, len(s.Instances))
	all := make([]instance, len(s.Instances))
	for i := range s.Instances {
		m, q := &s.Instances[i], &all[i]
		*q = instance{QueueInstance: m, id: i, host: w.hostNames[match.Host(m.Host)], cluster: clusters[m.Queue],
			seqNo: int64(min(max(m.SeqNo, math.MinInt32), math.MaxInt32)), layer: layer{level: levelQueue, name: m.Name}}
		r.configureInstance(q)
		w.instances[i] = q
		w.instanceNames[m.Name] = q
	}
}

// numberClusters numbers the cluster queues in the order of the master's list.
func numberClusters(s *model.Snapshot) map[string]int {
	numbers := make(map[string]int, len(s.Queues))
	number := func(name string) {
		if _, known := numbers[name]; !known {
			numbers[name] = len(numbers)
		}
	}
	for i := range s.Queues {
		number(s.Queues[i].Name)
	}
	for i := range s.Instances {
		number(s.Instances[i].Queue)
	}
	return numbers
}

// configureInstance reads what queue_conf(5) sets for a queue instance, slots among it.
func (r *run) configureInstance(q *instance) {
	w := &r.world
	q.configure(w.complex, q.Capacity)
	if q.configured(w.slots) == nil {
		q.add(w.slots, "")
	}
	q.slotsUse = q.used(w.slots)
	q.slotsUse.total = q.total()
	q.configured(w.slots).amount = q.total()
	q.rank = r.rankOf(q, 0)
	q.limits = w.complex.values(q.Limits)
	q.loadThresholds, q.suspendThresholds = w.complex.thresholds(q.LoadThresholds), w.complex.thresholds(q.SuspendThresholds)
	q.fixed = q.builtIn
	q.setState(q.QueueInstance)
}

// setState reads the letters of qstat.
func (q *instance) setState(m *model.QueueInstance) {
	has := func(letters string) bool { return strings.ContainsAny(m.State, letters) }
	q.suspended = has("sS")
	q.calendarSuspended, q.calendarOff = has("C"), has("D")
	q.disabled = has("d")
	q.broken = has("uEc") || !m.Listed && len(m.Ambiguous) > 0
	q.orphaned = has("o")
}

// builtIn are the attributes that every queue instance has by its configuration, queue_conf(5).
func (q *instance) builtIn(a *attr) (value, bool) {
	text := ""
	switch a.Name {
	case slotsName:
		return value{kind: fromFixed, amount: q.total()}, true
	case "seq_no":
		return value{kind: fromFixed, amount: float64(q.seqNo)}, true
	case "qname":
		text = q.Queue
	case "hostname":
		text = q.Host()
	case "calendar":
		text = q.Calendar
	case "rerun":
		return value{kind: fromFixed, amount: truth(q.Rerun)}, true
	default:
		for i := range q.limits {
			if q.limits[i].attr == a {
				return q.limits[i].value, true
			}
		}
		return value{}, false
	}
	return value{kind: fromFixed, amount: number(text), text: text}, true
}

// A limitValue is a limit that a queue sets, as the attribute of the same name.
type limitValue struct {
	attr *attr
	value
}

func (c complex) values(limits []model.Setting) []limitValue {
	list := make([]limitValue, 0, len(limits))
	for _, l := range limits {
		if a := c[l.Name]; a != nil {
			list = append(list, limitValue{a, value{kind: fromFixed, amount: number(l.Value), text: l.Value}})
		}
	}
	return list
}

// Host is the name of the instance's host.
func (q *instance) Host() string { return q.QueueInstance.Host }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// standard is what stands in for a job that does not ask for a consumable.
func (r *run) standard(a *attr) *request {
	req := r.world.standards[a]
	if req == nil {
		made := a.standardRequest()
		req = &made
		r.world.standards[a] = req
	}
	return req
}

// isOpen reports whether a queue instance belongs to those that can start jobs, before thresholds are looked at.
func (q *instance) isOpen() bool { return !q.suspended && !q.calendarSuspended && !q.broken }

// isReservable reports whether a calendar suspended instance can be reserved.
func (q *instance) isReservable() bool {
	return q.calendarSuspended && !q.calendarOff && !q.suspended && !q.broken && !q.disabled
}

// runLength is how long a job that asks for these limits is expected to run, without the offset: the smaller one where
// it asks for both (D7).
func (r *run) runLength(hard []request) seconds {
	length, asked := seconds(0), false
	for i := range hard {
		if q := &hard[i]; q.attr != nil && (q.attr.Name == "h_rt" || q.attr.Name == "s_rt") {
			t := secondsOf(q.text)
			if asked && (t < length) != r.quirks.ShorterLimit {
				t = length
			}
			length, asked = t, true
		}
	}
	if !asked {
		return r.standardLength
	}
	return length
}

func secondsOf(text string) seconds {
	d, err := model.ParseInterval(text)
	if err != nil {
		return 0
	}
	return whole(d)
}
