package cluster

import (
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// seconds count from 1970.
type seconds = utilization.Seconds

// A Cluster is the scheduler's copy of the cluster in one run.
type Cluster struct {
	Snapshot *model.Snapshot
	Lists    split.Lists
	Quirks   model.Quirks
	Plan     *model.Plan
	settings

	Complex   resource.Complex
	Slots     *resource.Attribute
	Global    *Host
	Hosts     []*Host     // with the global host, by load
	Queues    []*Instance // those that can start jobs, in the order of the search
	closed    []*Instance // full or closed ones: jobs can be reserved for there
	Instances []*Instance // all
	Clusters  int         // number of their cluster queues
	PEs       []*PE
	Quotas    []*QuotaSet
	Advance   []*Advance
	OneSlot   resource.Request

	HostNames     map[string]*Host
	InstanceNames map[string]*Instance
	ClusterQueues map[string]*model.Queue
	standards     map[*resource.Attribute]*resource.Request
	Groups        match.Hosts
	Usersets      match.Usersets
	formula       formula.Formula

	Begun          []*model.Job // jobs of which a task has started or ended
	Running        []*RunningTask
	RanBefore      []Place         // places of tasks that ran or started in the last run, in that order
	Oversubscribed bool            // a queue instance has more slots in use than configured
	booked         []*resource.Use // in order of first booking
	demand
}

// MaxReserved is max_reservation of sched_conf(5).
func (r *Cluster) MaxReserved() int { return r.Snapshot.Policy.MaxReservation }

// settings are what the policy and the snapshot lay down for the whole run.
type settings struct {
	Now            seconds
	offset         seconds // DURATION_OFFSET
	standardLength seconds // default_duration
	Empty          bool    // the cluster is an idle one
	OverTime       bool    // resources are looked at over time: max_reservation is above 0
	lines          bool    // what MONITOR records is known
	Quiet          int     // above 0 nobody asks for reasons
}

// demand is what jobs ask for.
type demand struct {
	Categories    map[string]*Category
	categoryAt    []*Category              // of the jobs of the snapshot
	ofRunning     map[*model.Job]*Category // of those in Begun
	key           []byte                   // of a category, while it is made
	asked         []model.Request          // of a job, in order, while the key of its category is made
	access        map[Owner]string
	Forced        []*resource.Attribute
	listsInUse    []string
	projectsInUse bool
	register      *Register       // nil for a run alone
	Rejected      map[string]bool // categories for which earlier runs found no reservation possible (D6)
}

// NewCluster copies the cluster of a snapshot. No job runs in it yet.
func NewCluster(s *model.Snapshot, lists split.Lists, at time.Time, quirks model.Quirks) *Cluster {
	p := &s.Policy
	cl := &Cluster{Snapshot: s, Lists: lists, Quirks: quirks, Plan: &model.Plan{RunAt: at},
		settings: settings{Now: utilization.Unix(at), offset: offsetOf(p),
			standardLength: utilization.Whole(p.DefaultDuration), OverTime: p.MaxReservation > 0},
		demand: demand{Categories: map[string]*Category{}, access: map[Owner]string{}}}
	cl.ClusterQueues = make(map[string]*model.Queue, len(s.Queues))
	for i := range s.Queues {
		cl.ClusterQueues[s.Queues[i].Name] = &s.Queues[i]
	}
	cl.build()
	cl.findListsInUse()
	cl.findForced()
	return cl
}

// A Host is an execution host, or the global host.
type Host struct {
	resource.Layer
	*model.Host
	Id        int
	SortLoad  float64     // by load_formula; less is better
	Seq       int         // rank by sort, as last given to the instances
	Order     int         // of the first usable instance, in a parallel search
	Version   int         // counts its bookings and those of its queue instances
	Instances []*Instance // those that can start jobs, in the order of the search
	Granted   int         // slots, in a parallel search
}

// An Instance is a queue instance.
type Instance struct {
	resource.Layer
	*model.QueueInstance
	Id       int
	ExecHost *Host
	Cluster  int // number of its cluster queue
	Seq      int64
	Rank     int64 // by the load of its host and seqNo; less is better
	Place    int   // in the sorted list
	SlotsUse *resource.Use
	limits   []limitValue // those of queue_conf(5), h_rt and its like

	LoadLimits, SuspendLimits []Threshold
	Watched                   bool    // a consumable is one of loadThresholds
	Modified                  int     // how recently it changed, as far as known; 0 for never
	ChangedAt                 seconds // the second of its last change, if only that is known

	Violations uint32
	Granted    int   // slots, in a parallel search
	Tag        int64 // marked in the current attempt: chosen, or its slots
	// when it is free; in a parallel search AtLast, for releases that keep both in one variable (D2)
	Avail    seconds
	AtLast   int64        // slots that are free when all bookings have ended, for the other releases
	Master   uint8        // for the master task: 2 now, 1 later, 0 never
	Excluded model.Reason // the threshold that excludes it
	full     bool         // it is among the closed ones for want of slots
	Alarmed  bool         // closed because of its load threshold

	Suspended, CalendarOff, CalendarSuspended, Disabled, broken, Orphaned bool
	Subordinated                                                          bool   // by a start of this run,
	SuspendedBy                                                           uint32 // the start of this job
}

func (q *Instance) Total() float64 { return float64(q.Slots) }

// IsFull reports whether no slot is free now.
func (q *Instance) IsFull() bool { return q.SlotsUse.Now >= q.Total() }

func (r *Cluster) build() {
	s := r.Snapshot
	r.Complex = resource.NewComplex(s.Resources)
	r.Slots = r.Complex[resource.SlotsName]
	r.standards = map[*resource.Attribute]*resource.Request{}
	r.Groups, r.Usersets = match.NewHosts(s.HostGroups), match.NewUsersets(s.Usersets)
	r.formula = formula.Parse(s.Policy.LoadFormula)
	r.OneSlot = resource.Request{Attr: r.Slots, Name: resource.SlotsName, Text: "1", Amount: 1}
	r.buildHosts()
	r.buildInstances()
	for i := range s.PEs {
		p := &PE{PE: &s.PEs[i], Layer: resource.Layer{Level: resource.LevelPE, Object: s.PEs[i].Name}}
		p.rule = allocationRule(p.AllocationRule)
		p.Use = &resource.Use{Attr: r.Slots, Total: float64(p.Slots), Level: resource.LevelPE,
			Object: p.Name, Resource: resource.SlotsName}
		r.PEs = append(r.PEs, p)
	}
	r.buildQuotas()
	r.buildAdvance()
}

func (r *Cluster) buildHosts() {
	s := r.Snapshot
	r.HostNames = make(map[string]*Host, len(s.Hosts))
	for i := range s.Hosts {
		r.addHost(&s.Hosts[i])
	}
	if r.HostNames[model.GlobalHost] == nil {
		r.addHost(&model.Host{Name: model.GlobalHost})
	}
	r.Global = r.HostNames[model.GlobalHost]
	for i := range s.Instances { // a host that the bundle does not describe has no resources of its own
		if r.HostNames[match.Host(s.Instances[i].Host)] == nil {
			r.addHost(&model.Host{Name: s.Instances[i].Host})
		}
	}
}

func (r *Cluster) addHost(m *model.Host) {
	h := &Host{Host: m, Id: len(r.Hosts), Layer: resource.Layer{Level: resource.LevelHost, Object: m.Name}}
	if m.Name == model.GlobalHost {
		h.Level = resource.LevelGlobal
	}
	h.Configure(r.Complex, m.Capacity)
	r.addLoad(h)
	r.Hosts = append(r.Hosts, h)
	r.HostNames[match.Host(m.Name)] = h
}

func (r *Cluster) buildInstances() {
	s := r.Snapshot
	clusters := numberClusters(s)
	r.Clusters = len(clusters)
	r.Instances = make([]*Instance, len(s.Instances))
	r.InstanceNames = make(map[string]*Instance, len(s.Instances))
	all := make([]Instance, len(s.Instances))
	for i := range s.Instances {
		m, q := &s.Instances[i], &all[i]
		*q = Instance{QueueInstance: m, Id: i, ExecHost: r.HostNames[match.Host(m.Host)], Cluster: clusters[m.Queue],
			Seq:   int64(min(max(m.SeqNo, math.MinInt32), math.MaxInt32)),
			Layer: resource.Layer{Level: resource.LevelQueue, Object: m.Name}}
		if i > 0 && slices.Equal(m.Limits, s.Instances[i-1].Limits) { // usually the same queue
			q.limits = all[i-1].limits
		} else {
			q.limits = limitValues(r.Complex, m.Limits)
		}
		r.configureInstance(q)
		r.Instances[i] = q
		r.InstanceNames[m.Name] = q
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
func (r *Cluster) configureInstance(q *Instance) {
	q.Configure(r.Complex, q.Capacity)
	if q.Configured(r.Slots) == nil {
		q.Add(r.Slots, "")
	}
	q.SlotsUse = q.UseOf(r.Slots)
	q.SlotsUse.Total = q.Total()
	q.Configured(r.Slots).Amount = q.Total()
	q.Rank = r.RankOf(q, 0)
	q.LoadLimits, q.SuspendLimits = thresholdsOf(r.Complex, q.LoadThresholds), thresholdsOf(r.Complex, q.SuspendThresholds)
	q.Fixed = q.BuiltIn
	q.setState(q.QueueInstance)
}

// setState reads the letters of qstat.
func (q *Instance) setState(m *model.QueueInstance) {
	has := func(letters string) bool { return strings.ContainsAny(m.State, letters) }
	q.Suspended = has("sS")
	q.CalendarSuspended, q.CalendarOff = has("C"), has("D")
	q.Disabled = has("d")
	q.broken = has("uEc") || !m.Listed && len(m.Ambiguous) > 0
	q.Orphaned = has("o")
}

// BuiltIn is the value of an attribute that every queue instance has by its configuration, queue_conf(5).
func (q *Instance) BuiltIn(a *resource.Attribute) (resource.Value, bool) {
	text := ""
	switch a.Name {
	case resource.SlotsName:
		return resource.Value{Kind: resource.FromFixed, Amount: q.Total()}, true
	case "seq_no":
		return resource.Value{Kind: resource.FromFixed, Amount: float64(q.Seq)}, true
	case "qname":
		text = q.Queue
	case "hostname":
		text = q.Host
	case "calendar":
		text = q.Calendar
	case "rerun":
		return resource.Value{Kind: resource.FromFixed, Amount: Truth(q.Rerun)}, true
	default:
		for i := range q.limits {
			if q.limits[i].attr == a {
				return q.limits[i].Value, true
			}
		}
		return resource.Value{}, false
	}
	return resource.Value{Kind: resource.FromFixed, Amount: resource.Number(text), Text: text}, true
}

// A limitValue is a limit that a queue sets, as the attribute of the same name.
type limitValue struct {
	attr *resource.Attribute
	resource.Value
}

func limitValues(c resource.Complex, limits []model.Setting) []limitValue {
	list := make([]limitValue, 0, len(limits))
	for _, l := range limits {
		if a := c[l.Name]; a != nil {
			list = append(list, limitValue{a, resource.Value{Kind: resource.FromFixed,
				Amount: resource.Number(l.Value), Text: l.Value}})
		}
	}
	return list
}

// Truth is 1 for true, 0 for false.
func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Standard is the default request, for jobs that do not ask for a consumable.
func (r *Cluster) Standard(a *resource.Attribute) *resource.Request {
	req := r.standards[a]
	if req == nil {
		made := a.StandardRequest()
		req = &made
		r.standards[a] = req
	}
	return req
}

// IsOpen reports whether a queue instance can start jobs, before thresholds are checked.
func (q *Instance) IsOpen() bool { return !q.Suspended && !q.CalendarSuspended && !q.broken }

// isReservable reports whether a calendar suspended instance can be reserved.
func (q *Instance) isReservable() bool {
	return q.CalendarSuspended && !q.CalendarOff && !q.Suspended && !q.broken && !q.Disabled
}

// runLength is how long a job that asks for these limits is expected to run, without the offset: the smaller one where
// it asks for both (D7).
func (r *Cluster) runLength(hard []resource.Request) seconds {
	length, asked := seconds(0), false
	for i := range hard {
		if q := &hard[i]; q.Attr != nil && (q.Attr.Name == "h_rt" || q.Attr.Name == "s_rt") {
			t := secondsOf(q.Text)
			if asked && (t < length) != r.Quirks.ShorterLimit {
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
	return utilization.Whole(d)
}

// DurationOffset is the time that the scheduler adds to the run time when it books a job (params
// DURATION_OFFSET).
func DurationOffset(p *model.Policy) time.Duration { return time.Duration(offsetOf(p)) * time.Second }

func offsetOf(p *model.Policy) seconds {
	if text, ok := model.Text(p.Params, "DURATION_OFFSET"); ok {
		return secondsOf(text)
	}
	return standardOffset
}

// standardOffset is DURATION_OFFSET where params does not say: how long a job may take beside its run time.
const standardOffset = 60

// bounded is a run time as the scheduler counts it: it has no end where that is beyond 32 bits, or ends all the same.
func (r *Cluster) bounded(d seconds) seconds {
	switch {
	case r.Quirks.InfinityEnds:
		return min(d, utilization.EndOf32)
	case r.Now+d > utilization.EndOf32:
		return utilization.Forever
	}
	return d
}
