package load

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// A loader reads a snapshot into a world.
type loader struct {
	*cluster.World
	from Source
	// preemptions has the last one of each job by log and accounting; the zero time where it was started again
	preemptions map[string]time.Time
}

// A Source is the input of Read.
type Source struct {
	At       time.Time
	Qrun     string            // job of qrun, empty for none
	Refused  map[string]string // refusals of the server, by job; nil to use comments
	Tree     *fairshare.Memory // nil for the tree of the files
	LastHost *string           // the last vnode that round_robin used
}

// Read reads the cluster in the scheduler's order.
func Read(s *model.Snapshot, from Source) *cluster.World {
	w := newLoader(s, from)
	w.loadPolicy()
	w.loadServer()
	w.loadVnodes()
	w.SortVnodes(w.Order)
	w.loadQueues()
	w.assignVnodes()
	w.loadJobs()
	w.loadReservations()
	w.listJobs()
	w.collectChecks()
	w.planEnds()
	w.countRunningJobs()
	w.placeJobs()
	w.signVnodes()
	w.makeSets()
	return w.World
}

func newLoader(s *model.Snapshot, from Source) *loader {
	tree := from.Tree
	if tree == nil {
		tree = fairshare.Start(s.PBS.Fairshare, from.At)
	}
	w := &cluster.World{Now: from.At.Unix(), Setting: &cluster.Setting{
		Snapshot: s, PBS: s.PBS, Sched: s.PBS.Scheduler(), Config: &s.PBS.SchedConfig,
		Res: resource.New(s.Resources, s.PBS.SchedConfig.Resources), VnodeIndex: map[string]int{},
		Qrun: from.Qrun, LastHost: from.LastHost, Tree: tree, Hours: clock.New(s, from.At),
	}}
	w.Server.Counts = limit.NewCounts()
	return &loader{World: w, from: from}
}

// mine reports whether the scheduler looks after a partition of vnodes or queues.
func (w *loader) mine(partition string) bool { return w.Sched.Serves(partition) }

func unix(t time.Time) clock.Seconds {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// unixOr is never for the zero time.
func unixOr(t time.Time) clock.Seconds {
	if t.IsZero() {
		return clock.Never
	}
	return t.Unix()
}

func (w *loader) loadPolicy() {
	w.SetPolicy(w.Hours.Prime(w.Now))
	w.Policy.End = w.Hours.Ends(w.Now)
	w.Policy.BackfillDepth = -1
	w.Levels, w.Normal = cluster.ParseLevels(w.Sched.PreemptPrio)
	w.Fuzz = fuzz(w.Sched.Fuzzy)
}

// fuzz is opt_backfill_fuzzy in seconds.
func fuzz(text string) clock.Seconds {
	switch strings.ToLower(text) {
	case "off":
		return 0
	case "med", "medium":
		return 600
	case "high":
		return 3600
	}
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && n >= 0 {
		return n
	}
	return 60
}

func (w *loader) loadServer() {
	s := &w.PBS.Server
	w.Server.Stock = resource.NewStock(len(w.Res.List))
	w.Server.Stock.Fill(w.Res, s.Available, s.Assigned)
	w.Server.HasStock = len(s.Available)+len(s.Assigned) > 0
	for i := range s.Limits {
		w.Server.Limits.Add(&s.Limits[i], w.Res, &w.Limited)
	}
	if s.BackfillDepth.Set {
		w.Policy.BackfillDepth = s.BackfillDepth.N
		w.Policy.Backfill = w.Policy.Backfill && s.BackfillDepth.N != 0
	}
	if v, ok := model.Text(s.Attributes, "restrict_res_to_release_on_suspend"); ok {
		w.Releases = make([]bool, len(w.Res.List))
		for _, name := range resource.SplitValues(v) {
			if r, known := w.Res.Index[name]; known && r < len(w.Releases) {
				w.Releases[r] = true
			}
		}
	}
}

// loadQueues reads the queues. Those of equal priority keep the server's order.
func (w *loader) loadQueues() {
	for i := range w.Snapshot.Queues {
		if q := &w.Snapshot.Queues[i]; q.PBS != nil && w.mine(q.PBS.Partition) {
			w.Queues = append(w.Queues, w.loadQueue(q))
		}
	}
	expresses := 0
	for _, q := range w.Queues {
		if q.Priority >= w.Sched.PreemptQueuePrio {
			expresses++
		}
	}
	w.SeveralExpress = expresses > 1
}

func (w *loader) loadQueue(s *model.Queue) *cluster.Queue {
	p := s.PBS
	q := &cluster.Queue{
		Name: s.Name, Priority: p.Priority, Execution: p.Type == "Execution", Started: p.Started,
		BackfillDepth: countOr(p.BackfillDepth),
		OwnVnodes:     p.HasNodes, GroupKey: resource.SplitValues(p.NodeGroupKey), LimitsResources: len(p.Available) > 0,
		Prime:     strings.HasPrefix(s.Name, w.Config.PrimetimePrefix),
		NonPrime:  strings.HasPrefix(s.Name, w.Config.NonprimetimePrefix),
		Dedicated: strings.HasPrefix(s.Name, w.Config.DedicatedPrefix),
	}
	q.Stock, q.Counts = resource.NewStock(len(w.Res.List)), limit.NewCounts()
	q.Stock.Fill(w.Res, p.Available, p.Assigned)
	q.HasStock = len(p.Available)+len(p.Assigned) > 0
	for i := range p.Limits {
		q.Limits.Add(&p.Limits[i], w.Res, &w.Limited)
	}
	w.Policy.Backfill = w.Policy.Backfill || q.BackfillDepth > 0
	q.Open = w.Opens(q)
	return q
}

// assignVnodes finds the vnodes of queues that have their own, and those that are for all.
func (w *loader) assignVnodes() {
	w.Common = w.Order
	if w.QueueVnodes {
		w.Common = slices.DeleteFunc(slices.Clone(w.Order), func(v int) bool { return w.Vnodes[v].Queue != "" })
	}
	for _, q := range w.Queues {
		if q.OwnVnodes {
			q.Vnodes = slices.DeleteFunc(slices.Clone(w.Order), func(v int) bool { return w.Vnodes[v].Queue != q.Name })
		}
	}
}

// listJobs puts the jobs of all queues into one list, and finds the entities that they are charged to.
func (w *loader) listJobs() {
	if p := &w.Policy; p.RoundRobin || p.ByQueue {
		slices.SortStableFunc(w.Queues, func(a, b *cluster.Queue) int { return b.Priority - a.Priority })
	}
	names := []string{}
	w.Jobs = []*cluster.Claim{}
	byID := map[string]*cluster.Claim{}
	for i, q := range w.Queues {
		q.Index = i
		for _, c := range q.Jobs {
			w.Jobs = append(w.Jobs, c)
			names = append(names, EntityName(w.World, c))
			byID[c.ID] = c
		}
	}
	for i, n := range w.Tree.Entities(names) {
		w.Jobs[i].Entity = n
	}
	for _, c := range w.Jobs {
		if a := byID[c.ArrayID]; a != nil && c.ArrayID != "" && c.Running() {
			c.Array = a
			a.RunSubjobs++
		}
		if c.Running() {
			w.Running = append(w.Running, c)
		}
	}
}

// EntityName is the entity that fairshare charges for a job.
func EntityName(w *cluster.World, c *cluster.Claim) string {
	return fairshare.EntityName(w.Tree.Policy.Entity, func(name string) string {
		switch name {
		case "euser":
			return c.User
		case "egroup":
			return c.Group
		case "project":
			return c.Project
		case "Account_Name":
			return c.Source.Account
		}
		v, _ := model.Text(c.Source.PBS.Other, name)
		return v
	}, c.Queue.Name)
}

// collectChecks finds the resources that some job or reservation asks for: no others are looked at.
func (w *loader) collectChecks() {
	w.growStocks()
	n := len(w.Res.List)
	w.Checked, w.CheckedOnVnode, w.CheckedInSums = make([]bool, n), make([]bool, n), make([]bool, n)
	w.UnsetInfinite = make([]bool, n)
	for _, name := range append([]string{"mpiprocs", "ompthreads"}, w.Config.UnsetInfinite...) {
		if r, ok := w.Res.Index[name]; ok {
			w.UnsetInfinite[r] = true
		}
	}
	for _, c := range slices.Concat(w.Jobs, w.Reserved) {
		w.Check(c.Selection)
		if c.Runnable() && !c.IsReservation || c.IsReservation && c.ResvState == cluster.BeingAltered {
			w.Check(c.Exact)
		}
		for _, a := range c.Asked {
			w.Checked[a.Res] = w.Checked[a.Res] || w.Res.Checked[w.Res.List[a.Res].Name]
		}
	}
	for r := range w.Checked {
		d := &w.Res.List[r]
		w.CheckedOnVnode[r] = w.Checked[r] && r != w.Res.Host && r != w.Res.Vnode
		w.CheckedInSums[r] = w.Checked[r] && d.Assigned && d.InSelect
	}
}

// planEnds makes the calendar: the ends of what has vnodes, the starts of reservations, dedicated time.
func (w *loader) planEnds() {
	for _, c := range slices.Concat(w.Jobs, w.Reserved) {
		if c.Start == clock.Never || c.End == clock.Never {
			continue
		}
		if c.Runnable() {
			w.Calendar.Insert(&cluster.Event{At: c.Start, Kind: cluster.StartEvent, Claim: c})
		}
		w.Calendar.Insert(&cluster.Event{At: c.End, Kind: cluster.EndEvent, Claim: c})
	}
	w.Calendar.First = w.Calendar.FindStart(0)
	for _, d := range w.Hours.Dedicated {
		w.Calendar.Add(&cluster.Event{At: d.Start.Unix(), Kind: cluster.DedicatedStart}, w.Now)
		w.Calendar.Add(&cluster.Event{At: d.End.Unix(), Kind: cluster.DedicatedEnd}, w.Now)
	}
}

// countRunningJobs counts what runs against limits.
func (w *loader) countRunningJobs() {
	for _, c := range w.Running {
		w.CountRunning(c, 1)
	}
}

// placeJobs counts the jobs on each vnode. A vnode that shows jobs which do not run is added up anew.
func (w *loader) placeJobs() {
	on := map[int][]*cluster.Claim{}
	here := map[string]*cluster.Claim{}
	for _, c := range w.Jobs {
		if c.Inside == nil && (c.Running() || c.Exiting() || c.State == 'U') && c.Given != nil {
			here[c.ID] = c
			for _, v := range c.Vnodes {
				on[v] = append(on[v], c)
			}
		}
	}
	for i := range w.Snapshot.Hosts {
		h := &w.Snapshot.Hosts[i]
		v, ok := w.VnodeIndex[h.Name]
		if !ok || h.PBS == nil {
			continue
		}
		w.countOn(v, h.PBS.Jobs, here, on[v])
	}
}

// countOn counts the jobs that a vnode shows.
func (w *loader) countOn(v int, shown []string, here map[string]*cluster.Claim, really []*cluster.Claim) {
	n, seen, ghost := &w.Vnodes[v], map[string]bool{}, false
	for _, id := range shown {
		id, _, _ = strings.Cut(id, "/")
		c := here[id]
		if ghost = ghost || c == nil; c == nil || seen[id] {
			continue
		}
		seen[id] = true
		n.Jobs++
		if n.Users != nil {
			n.Users[c.User]++
			n.Groups[c.Group]++
		}
	}
	if ghost {
		w.addUpJobs(v, really)
	}
}

// addUpJobs recomputes what is assigned of a vnode from the jobs and reservations on it.
func (w *loader) addUpJobs(v int, jobs []*cluster.Claim) {
	n := &w.Vnodes[v]
	for r := range n.Assigned {
		n.Assigned[r] = 0
	}
	for _, r := range w.Reserved {
		if r.InForce {
			jobs = append(jobs, r)
		}
	}
	for _, c := range jobs {
		if p := resource.OnVnode(c.Given, v); p != nil {
			n.Stock.Add(p.Gives, 1, w.Res)
		}
	}
	if h := n.Held[w.Res.Ncpus]; h.Known && n.Assigned[w.Res.Ncpus] < h.Total {
		n.States &^= cluster.JobBusy
	}
}

// signVnodes gives vnodes of equal resources, as far as these are looked at, equal signatures.
func (w *loader) signVnodes() {
	index := map[string]int{}
	for v := range w.Vnodes {
		var b strings.Builder
		for r := range w.Res.List {
			if h, _ := w.LookUp(&w.Vnodes[v].Stock, r); h.Set &&
				(w.CheckedOnVnode[r] || w.Res.List[r].Kind == resource.Boolean) {
				sorted := slices.Sorted(slices.Values(h.Values))
				b.WriteString(strconv.Itoa(r) + "=" + strconv.FormatFloat(h.Total, 'g', -1, 64) + "=")
				if w.Res.List[r].Kind == resource.Text {
					b.WriteString(strings.Join(sorted, ",") + "\x00")
				}
			}
		}
		i, known := index[b.String()]
		if !known {
			i = len(index)
			index[b.String()] = i
		}
		w.Vnodes[v].Signature = i
	}
}

// makeSets makes the sets that every try looks at.
func (w *loader) makeSets() {
	w.All = w.NewSet("all", "none", w.Common, true)
	if w.MultiVnode {
		w.Hosts = w.Partition(w.Order, []string{"host"}, true)
	}
	grouped := w.PBS.Server.NodeGroupEnable
	serverKey := resource.SplitValues(w.PBS.Server.NodeGroupKey)
	if grouped && len(serverKey) > 0 {
		w.Groups = w.Partition(w.Common, serverKey, true)
		w.SortSets(w.Groups)
	}
	for _, q := range w.Queues {
		vnodes := w.Common
		if q.OwnVnodes {
			q.All, vnodes = w.NewSet("all", "none", q.Vnodes, true), q.Vnodes
		}
		if key := cmpOr(q.GroupKey, serverKey); grouped && len(key) > 0 && (q.OwnVnodes || len(q.GroupKey) > 0) {
			q.Groups = w.Partition(vnodes, key, true)
			w.SortSets(q.Groups)
		}
	}
}

func cmpOr(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}
