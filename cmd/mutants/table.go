package main

// A mutant is one small fault, planted in one file of the engine.
type mutant struct {
	kind kind
	file string // below engine
	old  string // occurs once
	new  string
}

// A kind says which results a fault can change.
type kind string

const (
	priorities kind = "priorities" // numbers that the master prints: the audit must tell
	// numbers of a run, computed from the bundle before it; compared with the master's numbers
	predictions kind = "predictions"
	dispatch    kind = "dispatch" // plans; compared with the starts of a master
	cycles      kind = "cycles"   // cycles of PBS: the audit of recorded ones must tell
)

const (
	urgencyGo    = "gridengine/urgency/urgency.go"
	priorityGo   = "gridengine/priority/priority.go"
	ticketGo     = "gridengine/ticket/ticket.go"
	functionalGo = "gridengine/ticket/functional.go"
	overrideGo   = "gridengine/ticket/override.go"
	treeGo       = "gridengine/ticket/tree.go"
	usageGo      = "gridengine/ticket/usage.go"
	splitGo      = "gridengine/split/split.go"
	slotsGo      = "gridengine/split/slots.go"
)

// mutants are the faults, small ones that a person could make.
var mutants = []mutant{
	{priorities, priorityGo, "float64(p+1024), 0, 2048)", "float64(p+1024), 0, 2047)"},
	{priorities, priorityGo, "float64(p+1024), 0, 2048)", "float64(p+1023), 0, 2048)"},
	{priorities, priorityGo, "return weighted(w.Urgency, urgency) + weighted(w.Ticket, tickets) + " +
		"weighted(w.Priority, posix)",
		"return weighted(w.Urgency, urgency) + weighted(w.Ticket, tickets) + weighted(w.Priority, posix) + 1e-5"},
	{priorities, priorityGo, "t.NTckts = urgency.Normalize(t.Total, 0, r.Tickets.Maximum)",
		"t.NTckts = urgency.Normalize(t.Total, 0, r.Tickets.Maximum+1)"},
	{priorities, priorityGo, "		*j.Urgency = urgency.Value{Norm: 0.5}", "		*j.Urgency = urgency.Value{Norm: 0}"},
	{priorities, priorityGo, "		j.NPPrior = 0.5\n", "		j.NPPrior = 0\n"},

	{priorities, urgencyGo, "const Epsilon = 0.00001", "const Epsilon = 1.5"},
	{priorities, urgencyGo, "return (v - lo) / (hi - lo)", "return (v - lo) / (hi - lo + 1)"},
	{priorities, urgencyGo, "return float64(uint32(run.Unix() - submitted.Unix()))",
		"return float64(uint32(run.Unix() - submitted.Unix() + 1))"},
	{priorities, urgencyGo, "return float64(m.policy.WeightWaitingTime * Waited(m.at, j.Submitted, m.quirks))",
		"return float64(m.policy.WeightWaitingTime * (Waited(m.at, j.Submitted, m.quirks) - 0.5))"},
	{priorities, urgencyGo, "max(int32(deadline.Unix()-run.Unix()), 1)", "max(int32(deadline.Unix()-run.Unix()+1), 1)"},
	{priorities, urgencyGo, "sum += m.slots * n", "sum += m.slots"},
	{priorities, urgencyGo, "		return r.Amount * w.urgency\n	}", "		return r.Amount * w.urgency * n\n	}"},
	{priorities, urgencyGo, "	return r.Amount * w.urgency * n\n", "	return r.Amount * w.urgency\n"},
	{priorities, urgencyGo, "		return w.urgency\n", "		return 2 * w.urgency\n"},
	{priorities, urgencyGo, "		return int(last.Max)\n", "		return int(last.Min)\n"},
	{priorities, urgencyGo, "scale.Lo, scale.Hi = math.Min(scale.Lo, v.Total), math.Max(scale.Hi, v.Total)",
		"scale.Lo, scale.Hi = math.Min(scale.Lo, v.Resource), math.Max(scale.Hi, v.Total)"},

	{priorities, ticketGo, "int(min(r.policy.MaxPendingTasks, in.FreeSlots+1))",
		"int(min(r.policy.MaxPendingTasks, in.FreeSlots))"},
	{priorities, ticketGo, "t.Total = (t.ShareTree + t.Function) + t.Override",
		"t.Total = (t.ShareTree + t.Function) + t.Override + 1"},
	{priorities, ticketGo, "t.Share = t.Total / pending", "t.Share = t.Total / (pending + running)"},
	{priorities, ticketGo, "t.Share = t.Total / running", "t.Share = t.Total / (running + 1)"},
	{priorities, ticketGo, "r.givePolicy(letter, true)", "r.givePolicy(letter, false)"},
	{priorities, functionalGo, "return float64(a.FunctionalShares) / float64(a.jobs)",
		"return float64(a.FunctionalShares) / float64(a.jobs+1)"},
	{priorities, functionalGo, "k := w.user + w.department + w.project + w.job", "k := w.user + w.department + w.project"},
	{priorities, functionalGo, "return shares * all / sum", "return shares * all / (sum + 1)"},
	{priorities, functionalGo, "*shares /= float64(a.jobs + 1)", "*shares /= float64(a.jobs + 2)"},
	{priorities, functionalGo, "key > most || key == most && head.older(categories[best].refs[0])", "key > most"},
	{priorities, functionalGo, "	pending.job += float64(t.jobShare)\n",
		"	pending.job += 2 * float64(t.jobShare)\n"},
	{priorities, functionalGo, "if !shared || a.jobs <= 1 {", "if !shared || a.jobs <= 2 {"},
	{priorities, overrideGo, "part, jobs = float64(a.OverrideTickets)/float64(a.jobs), a.jobs",
		"part, jobs = float64(a.OverrideTickets)/float64(a.jobs+1), a.jobs"},
	{priorities, overrideGo, "float64(t.override))\n	return o + " +
		"float64(t.override)\n}\n\n// parties",
		"float64(t.override))\n	return o\n}\n\n// parties"},
	{priorities, overrideGo, "return a > b || a == b && t.", "return a > b || a > b && t."},
	{priorities, treeGo, "const minimumUsage = 1.0", "const minimumUsage = 2.0"},
	{priorities, treeGo, "c.shr = float64(c.Shares) * float64(c.Shares) / c.floorUsage()",
		"c.shr = float64(c.Shares) / c.floorUsage()"},
	{priorities, treeGo, "if c.shortTermOfTree > factor*c.longTermOfTree {",
		"if c.shortTermOfTree > factor*c.longTermOfTree*2 {"},
	{priorities, treeGo, "share := node / float64(t.node.Jobs)", "share := node / float64(t.node.Jobs+1)"},
	{priorities, treeGo, "ahead += float64(t.least)", "ahead++"},
	{priorities, treeGo, "share := &d.run.refs[i], target/ahead", "share := &d.run.refs[i], target/(ahead+1)"},
	{priorities, treeGo, "t.sort = t.gained + float64(0.01*float64(t.jobShare))", "t.sort = t.gained"},
	{predictions, usageGo, "usage += float64(u.Value * (w / sum))", "usage += float64(u.Value * w)"},
	{predictions, usageGo, "list[i].Value *= power(c, float64(seconds)/60)",
		"list[i].Value *= power(c, float64(seconds)/61)"},
	{predictions, usageGo, "return 1 - -math.Log(0.5)/(minutes*60)*60", "return power(0.5, 1/minutes)"},
	{priorities, splitGo, "return !t.Started.IsZero() && !t.Started.Before(at)",
		"return !t.Started.IsZero() && t.Started.After(at)"},
	{priorities, splitGo, "return j.ExecutionTime.After(sp.at) || len(j.Predecessors) > 0",
		"return j.ExecutionTime.After(sp.at)"},
	{priorities, splitGo, "		case has(state, 'E'):\n", "		case has(state, 'Z'):\n"},

	{dispatch, "gridengine/cluster/open.go", `if r.Snapshot.Policy.QueueSort == "seqno" {`,
		`if r.Snapshot.Policy.QueueSort != "seqno" {`},
	{dispatch, "gridengine/place/order.go", "if h.SortLoad > previous {", "if h.SortLoad < previous {"},
	{dispatch, "gridengine/cluster/load.go", "compare := func(a, b *Host) int { return " +
		"cmp.Compare(a.SortLoad, b.SortLoad) }",
		"compare := func(a, b *Host) int { return cmp.Compare(b.SortLoad, a.SortLoad) }"},
	{dispatch, "gridengine/cluster/load.go", "if age > decay || t.Suspended {", "if age > decay/2 || t.Suspended {"},
	{dispatch, "gridengine/priority/priority.go", "return cmp.Or(cmp.Compare(prioB, prioA), ", "return cmp.Or("},
	{dispatch, "gridengine/priority/priority.go",
		"cmp.Compare(a.Submitted.Unix(), b.Submitted.Unix()),",
		"cmp.Compare(b.Submitted.Unix(), a.Submitted.Unix()),"},
	{dispatch, "gridengine/place/fit.go", "if need <= total-most {", "if need < total-most {"},
	{dispatch, "gridengine/place/fit.go", "case start == utilization.AtEnd && total-need < 0:",
		"case start == utilization.AtEnd && total-need <= 0:"},
	{dispatch, "gridengine/cluster/cluster.go", "return q.SlotsUse.Now >= q.Total()",
		"return q.SlotsUse.Now+1 >= q.Total()"},
	{dispatch, "gridengine/place/sequential.go", "if q.Avail < soonest || a.Soft && q.Avail == soonest " +
		"&& q.Violations < broken {",
		"if q.Avail <= soonest || a.Soft && q.Avail == soonest && q.Violations < broken {"},
	{dispatch, "gridengine/place/barrier.go", "cmp.Compare(x.Modified, y.Modified)",
		"cmp.Compare(y.Modified, x.Modified)"},
	{dispatch, "gridengine/parallel/parallel.go", "return a.Slots > o.Slots || a.broken < o.broken",
		"return a.Slots >= o.Slots || a.broken < o.broken"},
	{dispatch, "model/queue.go", "return used >= float64(s.Threshold)", "return used > float64(s.Threshold)"},
	{dispatch, "gridengine/cluster/running.go", "if utilization.Later(t.Start, length) <= r.Now {",
		"if utilization.Later(t.Start, length) < r.Now {"},
	{dispatch, "gridengine/place/quota.go", "if c.Result != resource.Fits && c.Result != resource.NotThere {",
		"if c.Result == resource.Fits && c.Result != resource.NotThere {"},
	{dispatch, "gridengine/match/usersets.go", "return len(acl) == 0 || u.inAny(acl, user, group)",
		"return u.inAny(acl, user, group)"},
	{dispatch, "gridengine/match/filter.go", "return !anyHost(f.exclude, host) && (len(f.include) == 0 " +
		"|| anyHost(f.include, host))",
		"return len(f.include) == 0 || anyHost(f.include, host)"},
	{dispatch, "gridengine/calendar/look.go", "if t.From <= clock && clock <= t.To {",
		"if t.From < clock && clock <= t.To {"},
	{dispatch, "gridengine/calendar/limit.go", "if wait <= 0 {", "if wait < 0 {"},

	{cycles, "pbs/fairshare/compare.go", "func (n *Node) ratio() float64 { return n.Temporary / float64(n.Perc) }",
		"func (n *Node) ratio() float64 { return n.Temporary * float64(n.Perc) }"},
	{cycles, "pbs/fairshare/memory.go", "steps := int((since - 1) / every)", "steps := int(since / every)"},
	{cycles, "pbs/fairshare/memory.go", "if every <= 0 || since <= every {", "if every <= 0 || since < every {"},
	{cycles, "pbs/fairshare/mergesort.go", "if compare(left[0], right[0]) <= 0 {", "if compare(left[0], right[0]) < 0 {"},
	{cycles, "pbs/fairshare/share.go", "own := float32(c.Usage / all)", "own := float32(c.Usage / (all + 1))"},
	{cycles, "pbs/cycle/order/order.go", "return cmp.Compare(b.level, a.level)", "return cmp.Compare(a.level, b.level)"},
	{cycles, "pbs/cycle/order/order.go", "case a.formula > b.formula:", "case a.formula < b.formula:"},
	{cycles, "pbs/cycle/order/order.go", "if l.Policy.FairShare && a.entity != b.entity {",
		"if !l.Policy.FairShare && a.entity != b.entity {"},
	{cycles, "pbs/cycle/clock/clock.go", "return from <= at && at < to\n", "return from < at && at <= to\n"},
	{cycles, "pbs/cycle/cluster/calendar.go", "if have.At < e.At || have.At == e.At && e.Kind != EndEvent {",
		"if have.At < e.At || have.At == e.At && e.Kind == EndEvent {"},
	{cycles, "pbs/cycle/preempt/preempt.go", "if r.low <= left && left <= r.high {",
		"if r.low < left && left <= r.high {"},
	{cycles, "formula/job.go", "if p.AccrueType == model.Eligible {", "if p.AccrueType != model.Eligible {"},
	{cycles, "formula/number.go", "if next < 1 || next >= 999 {", "if next < 1 || next >= 1000 {"},
}
