package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// queueList is the resource that says on which nodes the jobs of a queue run.
const queueList = "qlist"

// translateQueues makes an execution queue of every cluster queue. Queue instances are the nodes that its
// jobs may use, and how many slots they may have there. Where there are several queues one more takes the
// jobs that name none: in Grid Engine these may run in all queues.
func translateQueues(t *Translation) {
	instances := map[string][]*model.QueueInstance{}
	for i := range t.From.Instances {
		instance := &t.From.Instances[i]
		instances[instance.Queue] = append(instances[instance.Queue], instance)
	}
	for i := range t.From.Queues {
		q := &t.From.Queues[i]
		t.queue(q, instances[q.Name])
	}
	t.associate(instances)
	for i := range t.From.Queues {
		t.queueSlots(&t.From.Queues[i], instances[t.From.Queues[i].Name])
	}
	t.defaultQueue()
	t.prefixes()
	t.nodeOrder()
}

// queue makes a queue, with what its own attributes say.
func (t *Translation) queue(q *model.Queue, instances []*model.QueueInstance) {
	to := model.Queue{Name: t.spell(queueSpelling, q.Name), PBS: &model.PBSQueue{}}
	setQueue(&to, "queue_type", "Execution")
	t.sayQueue(q, "qname", Exact, "create queue "+to.Name, "")
	t.queueAttributes(q, &to, instances)
	for _, s := range [][2]string{{"enabled", "True"}, {"started", "True"}} {
		setQueue(&to, s[0], s[1])
	}
	t.initialState(q, &to)
	t.To.Queues = append(t.To.Queues, to)
}

func (t *Translation) sayQueue(q *model.Queue, key string, v Verdict, into, note string) {
	t.say(place{kind: "queue", object: q.Name, key: key}, v, into, note)
}

// attributeOf is an attribute of a cluster queue; every one is there in what qconf prints.
func attributeOf(q *model.Queue, key string) (model.QueueAttribute, bool) {
	for _, a := range q.Attributes {
		if a.Name == key {
			return a, true
		}
	}
	return model.QueueAttribute{}, false
}

// queueAttributes translates those attributes that are not tables' business.
func (t *Translation) queueAttributes(q *model.Queue, to *model.Queue, instances []*model.QueueInstance) {
	t.runTimes(q, to)
	t.parallel(q, to, instances)
	t.queueComplex(q, to)
	t.subordinates(q, to, instances)
	t.queueAccess(q, to)
	t.rerun(q, to)
	if a, ok := attributeOf(q, "seq_no"); ok {
		if t.From.Policy.QueueSort == "seqno" {
			t.sayQueue(q, "seq_no", Approximate, "set node … Priority",
				"nodes come in the order of the least seq_no of their queues")
		} else {
			t.sayQueue(q, "seq_no", NoEffect, "", "queue_sort_method is load"+overridden(a))
		}
	}
}

// rerun says whether jobs of a queue run again after their node failed. qsub says "-r y" for everybody who
// says nothing.
func (t *Translation) rerun(q *model.Queue, to *model.Queue) {
	a, ok := attributeOf(q, "rerun")
	if !ok || !strings.EqualFold(a.Default, "FALSE") || len(a.Overrides) > 0 {
		return // see the tables
	}
	t.Submit.Once = append(t.Submit.Once, to.Name)
	t.sayQueue(q, "rerun", Approximate, "hook: Rerunable = False",
		"PBS does not see whether a user gave qsub -r y or no -r; use qalter -r y for such a job; arrays are always rerunnable")
}

func overridden(a model.QueueAttribute) string {
	if len(a.Overrides) > 0 {
		return ", also for its hosts"
	}
	return ""
}

// initialState says whether a queue starts jobs.
func (t *Translation) initialState(q *model.Queue, to *model.Queue) {
	a, ok := attributeOf(q, "initial_state")
	switch {
	case !ok:
	case a.Default == "disabled":
		setQueue(to, "started", "False")
		t.sayQueue(q, "initial_state", Exact, "set queue "+to.Name+" started = False", "")
	case len(a.Overrides) > 0:
		t.sayQueue(q, "initial_state", Lost, "", "of single hosts: pbsnodes -o takes a node out of use, for all queues")
	default:
		t.sayQueue(q, "initial_state", NoEffect, "", "as PBS has it")
	}
}

// timeLimits are limits of a queue that PBS keeps for jobs: they refuse a job that asks for more, and hold
// for one that asks for none.
var timeLimits = []struct{ key, resource string }{{"h_rt", "walltime"}, {"h_cpu", "cput"}}

func (t *Translation) runTimes(q *model.Queue, to *model.Queue) {
	for _, l := range timeLimits {
		a, ok := attributeOf(q, l.key)
		if !ok {
			continue
		}
		longest, finite := longestOf(a)
		switch {
		case !finite && len(a.Overrides) == 0:
			t.sayQueue(q, l.key, NoEffect, "", "no limit")
			continue
		case !finite:
			t.sayQueue(q, l.key, Lost, "", "some hosts have a limit and others none: make a queue of "+
				"its own for those that have")
			continue
		}
		text := clockText(int64(longest / time.Second))
		setQueue(to, "resources_max."+l.resource, text)
		setQueue(to, "resources_default."+l.resource, text)
		if l.resource == "walltime" {
			t.Submit.Timed = append(t.Submit.Timed, to.Name)
		}
		into := fmt.Sprintf("set queue %s resources_max.%s = %s\nset queue %s resources_default.%s = %s",
			to.Name, l.resource, text, to.Name,
			l.resource, text)
		if len(a.Overrides) > 0 {
			t.sayQueue(q, l.key, Approximate, into, "the longest of its hosts' limits")
			continue
		}
		t.sayQueue(q, l.key, Exact, into, "")
	}
}

// longestOf is the longest of an attribute's values; finite says that none is infinite.
func longestOf(a model.QueueAttribute) (longest time.Duration, finite bool) {
	values := []string{a.Default}
	for _, o := range a.Overrides {
		values = append(values, o.Value)
	}
	for _, v := range values {
		d, err := model.ParseInterval(v)
		if v == "" {
			continue
		}
		if err != nil || d == model.Forever {
			return 0, false
		}
		longest = max(longest, d)
	}
	return longest, longest > 0
}

// parallel keeps parallel jobs out of queues without parallel environments.
func (t *Translation) parallel(q *model.Queue, to *model.Queue, instances []*model.QueueInstance) {
	a, ok := attributeOf(q, "pe_list")
	if !ok {
		return
	}
	some := slices.ContainsFunc(instances, func(i *model.QueueInstance) bool { return len(i.PEs) > 0 })
	switch {
	case !some:
		setQueue(to, "resources_max.ncpus", "1")
		t.sayQueue(q, "pe_list", Exact, "set queue "+to.Name+" resources_max.ncpus = 1", "")
	case t.offersAll(instances):
		t.sayQueue(q, "pe_list", NoEffect, "", "it offers all parallel environments")
	default:
		t.sayQueue(q, "pe_list", Approximate, "",
			"PBS takes any shape of job in any queue: that it is not for the others has to be said to users"+overridden(a))
	}
}

func (t *Translation) offersAll(instances []*model.QueueInstance) bool {
	return !slices.ContainsFunc(instances, func(i *model.QueueInstance) bool {
		return slices.ContainsFunc(t.From.PEs, func(p model.PE) bool { return !slices.Contains(i.PEs, p.Name) })
	})
}

// queueComplex says where what a queue has is now.
func (t *Translation) queueComplex(q *model.Queue, to *model.Queue) {
	a, ok := attributeOf(q, "complex_values")
	if !ok {
		return
	}
	any := false
	for _, value := range append([]model.Setting{{Value: a.Default}}, a.Overrides...) {
		for _, s := range splitSettings(value.Value) {
			any = true
			r, known := t.entryOf(s.Name)
			_, valid := amount(r.kind, s.Value)
			switch {
			case known && r.ge.Name == "slots":
				t.sayQueue(q, "complex_values", Exact, "", "slots: see the queue's slots")
			case !known || r.name == "" || !valid:
				t.sayQueue(q, "complex_values", Lost, "", fmt.Sprintf("%s: PBS has nothing for the value %q", s.Name, s.Value))
			case t.choosesQueue(r):
				t.choice(q, to, r)
			case r.global:
				t.sayQueue(q, "complex_values", Approximate, "", s.Name+": only the server counts it")
			default:
				t.sayQueue(q, "complex_values", Approximate, "set node … resources_available."+r.name,
					s.Name+": on the hosts of the queue, where jobs of other queues can have it too")
			}
		}
	}
	if !any {
		t.sayQueue(q, "complex_values", NoEffect, "", "none")
	}
}

// choice sends jobs that ask for what one queue alone has to that queue, which lets in no others where it is forced.
func (t *Translation) choice(q *model.Queue, to *model.Queue, r resource) {
	forced := r.ge.Requestable == model.RequestForced
	c := model.PBSChoice{Resource: r.name, Queue: to.Name, Forced: forced}
	if slices.Contains(t.Submit.Choices, c) {
		return
	}
	t.Submit.Choices = append(t.Submit.Choices, c)
	setQueue(to, "resources_available."+r.name, "True")
	into := "hook: jobs that ask for " + r.name + " go to queue " + to.Name
	if forced {
		into += ", and no others"
	}
	t.sayQueue(q, "complex_values", Exact, "set queue "+to.Name+" resources_available."+r.name+" = True\n"+into, "")
}

// splitSettings reads "name=value,…".
func splitSettings(text string) (list []model.Setting) {
	for _, piece := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(", \t\r", c) }) {
		if strings.EqualFold(piece, "none") {
			continue
		}
		name, value, _ := strings.Cut(piece, "=")
		list = append(list, model.Setting{Name: name, Value: value})
	}
	return list
}

// queueName is the PBS name of a cluster queue.
func (t *Translation) queueName(name string) string { return t.spell(queueSpelling, name) }

// subordinates makes a queue that suspends others express.
func (t *Translation) subordinates(q *model.Queue, to *model.Queue, instances []*model.QueueInstance) {
	if _, ok := attributeOf(q, "subordinate_list"); !ok {
		return
	}
	var names []string
	slotwise := false
	for _, i := range instances {
		slotwise = slotwise || i.SlotwiseSum > 0
		for _, s := range i.Subordinates {
			names = appendNew(names, s.Queue)
		}
	}
	if len(names) == 0 {
		t.sayQueue(q, "subordinate_list", NoEffect, "", "none")
		return
	}
	setQueue(to, "Priority", strconv.Itoa(expressPriority))
	t.setSched("preemptive_sched", "True")
	t.setScheduler("preempt_order", "S")
	t.setScheduler("preempt_queue_prio", strconv.Itoa(expressPriority))
	t.setServer("restrict_res_to_release_on_suspend", "ncpus")
	note := "a job of it that finds no room suspends as many others as it needs, of any queue that is " +
		"not express, and its jobs come before all others; " +
		"Grid Engine suspends all of " + strings.Join(names, " ") + " on a host as soon as the threshold is reached"
	if slotwise {
		note += "; slot-wise limits are not kept"
	}
	t.sayQueue(q, "subordinate_list", Approximate,
		fmt.Sprintf(
			"set queue %s Priority = %d\nsched_config: preemptive_sched: True\nset sched preempt_order = S",
			to.Name, expressPriority),
		note)
}

// associate says on which nodes the jobs of each queue run, unless every queue is on every node. Nodes of
// queues alone that not everybody may use are not for jobs that name no queue.
func (t *Translation) associate(instances map[string][]*model.QueueInstance) {
	open, some := t.openNodes()
	partial := some
	lists := map[string][]string{}
	for _, q := range t.From.Queues {
		for _, i := range instances[q.Name] {
			lists[i.Host] = appendNew(lists[i.Host], t.queueName(q.Name))
		}
	}
	for _, n := range t.To.Hosts {
		partial = partial || len(lists[n.Name]) < len(t.From.Queues)
	}
	if !partial {
		for i := range t.From.Queues {
			t.sayQueue(&t.From.Queues[i], "hostlist", Exact, "", "every node, as for every queue")
		}
		return
	}
	t.addResource(model.Resource{Name: queueList, Type: model.TypePBSStringArray, Flags: "h"})
	for i := range t.To.Hosts {
		n := &t.To.Hosts[i]
		if some && open[n.Name] {
			lists[n.Name] = append(lists[n.Name], t.queueName(anyQueue))
			t.made.anyNodes = true
		}
		n.Capacity = put(n.Capacity, queueList, strings.Join(lists[n.Name], ","))
	}
	for i := range t.From.Queues {
		q := t.queueNamed(t.queueName(t.From.Queues[i].Name))
		setQueue(q, "default_chunk."+queueList, q.Name)
		t.sayQueue(&t.From.Queues[i], "hostlist", Exact, "set queue "+q.Name+" default_chunk."+queueList+" = "+q.Name+
			"\nset node … resources_available."+queueList, "")
	}
}

// openNodes are those that have a queue for everybody; some says that there are others beside them, and
// more queues than one.
func (t *Translation) openNodes() (open map[string]bool, some bool) {
	open = map[string]bool{}
	for k := range t.From.Instances {
		i := &t.From.Instances[k]
		if t.nodeNamed(i.Host) != nil && len(i.ACL)+len(i.Projects) == 0 && !t.forcedIn(i) {
			open[i.Host] = true
		}
	}
	return open, len(t.From.Queues) > 1 && len(open) > 0 && len(open) < len(t.To.Hosts)
}

// forcedIn reports whether jobs have to ask for something to run in a queue instance.
func (t *Translation) forcedIn(i *model.QueueInstance) bool {
	return slices.ContainsFunc(i.Capacity, func(c model.Setting) bool {
		r, known := t.entryOf(c.Name)
		return known && r.ge.Requestable == model.RequestForced
	})
}

// queueSlots keeps the slots of a queue on each host, where the node has more cpus than that: by a resource
// that the hook at submission makes each chunk ask for, as much as it asks for cpus.
func (t *Translation) queueSlots(q *model.Queue, instances []*model.QueueInstance) {
	less := false
	for _, i := range instances {
		if n := t.nodeNamed(i.Host); n != nil {
			cpus, _ := strconv.Atoi(n.Capacity[0].Value)
			less = less || i.Slots < cpus
		}
	}
	if !less {
		t.sayQueue(q, "slots", Exact, "set node … resources_available.ncpus", "")
		return
	}
	name := t.coin("slots_" + t.queueName(q.Name))
	t.addResource(model.Resource{Name: name, Type: model.TypePBSLong, Flags: "hn"})
	for _, i := range instances {
		if n := t.nodeNamed(i.Host); n != nil {
			n.Capacity = put(n.Capacity, name, strconv.Itoa(i.Slots))
		}
	}
	t.Submit.Slots = append(t.Submit.Slots, model.PBSQueueSlots{Queue: t.queueName(q.Name), Resource: name})
	t.sayQueue(q, "slots", Exact, "set node … resources_available."+name+"\nhook: each chunk asks for as much "+
		name+" as for ncpus", "")
}

// anyQueue is the name of the queue of jobs that name none. Every new server has a workq of its own.
const anyQueue = "anyq"

// defaultQueue says where jobs go that name no queue.
func (t *Translation) defaultQueue() {
	if len(t.To.Queues) == 1 {
		t.setServer("default_queue", t.To.Queues[0].Name)
		t.Submit.Default = t.To.Queues[0].Name
		return
	}
	q := model.Queue{Name: t.spell(queueSpelling, anyQueue), PBS: &model.PBSQueue{}}
	for _, s := range [][2]string{{"queue_type", "Execution"}, {"enabled", "True"}, {"started", "True"}} {
		setQueue(&q, s[0], s[1])
	}
	if !slices.ContainsFunc(t.From.Instances, func(i model.QueueInstance) bool { return len(i.PEs) > 0 }) {
		setQueue(&q, "resources_max.ncpus", "1")
	}
	if t.made.anyNodes {
		setQueue(&q, "default_chunk."+queueList, q.Name)
	}
	if denied := t.deniedEverywhere(); len(denied) > 0 {
		setACL(&q, "acl_user", "acl_users", acl(nil, denied))
	}
	t.To.Queues = append(t.To.Queues, q)
	t.setServer("default_queue", q.Name)
	t.Submit.Default = q.Name
	if len(t.Submit.Once) > 0 && len(t.Submit.Once) == len(t.From.Queues) {
		t.Submit.Once = append(t.Submit.Once, q.Name)
	}
	t.explainAny(q.Name)
}

// deniedEverywhere are the users whom every queue keeps out.
func (t *Translation) deniedEverywhere() (denied []string) {
	for i := range t.From.Queues {
		lists, _, _ := sameEverywhere(&t.From.Queues[i], "xuser_lists")
		users, _ := t.entriesOf(lists)
		if i == 0 {
			denied = users
		}
		denied = slices.DeleteFunc(denied, func(name string) bool { return !slices.Contains(users, name) })
	}
	return denied
}

// explainAny says what the queue of jobs that name none does, and how to have it otherwise.
func (t *Translation) explainAny(name string) {
	if len(t.From.Queues) == 0 {
		return
	}
	nodes := "every node"
	if t.made.anyNodes {
		nodes = "every node that has a queue for everybody"
	}
	var names []string
	for i := range t.From.Queues {
		names = append(names, t.queueName(t.From.Queues[i].Name))
	}
	t.Steps = append(t.Steps, Step{What: "Queue " + name + " is for jobs that name no queue. As in Grid Engine, they may start on " + nodes +
		", if it has room. Limits of single queues (time, slots, users) do not hold for these jobs. " +
		"If you need these limits, make a routing queue instead. At submission, it sends each job " +
		"to the first queue that takes it. The job stays in that queue, even if other queues are idle. " +
		"Slots and quotas by queue then count only jobs that name a queue.",
		Command: "# instead of queue " + name +
			", if limits matter more than idle nodes:\nqmgr -c 'create queue route queue_type=Route, route_destinations=\"" +
			strings.Join(names, ",") + "\"'\n" +
			"qmgr -c 'set queue route enabled=True' -c 'set queue route started=True' -c 'set server default_queue=route'"})
}

// prefixes chooses prefixes of prime, non-prime and dedicated queues that no queue has. An option that is
// missing is the empty prefix, which every queue has (quirk P26).
func (t *Translation) prefixes() {
	for _, p := range [][2]string{{"primetime_prefix", "p_"}, {"nonprimetime_prefix", "np_"},
		{"dedicated_prefix", "ded"}} {
		prefix := p[1]
		for slices.ContainsFunc(t.To.Queues, func(q model.Queue) bool { return strings.HasPrefix(q.Name, prefix) }) {
			prefix = "x" + prefix
		}
		t.setSched(p[0], prefix)
	}
}

// nodeOrder says in which order nodes are tried.
func (t *Translation) nodeOrder() {
	p := place{kind: "sched_conf", key: "queue_sort_method"}
	if t.From.Policy.QueueSort != "seqno" {
		t.setSched("node_sort_key", `ncpus HIGH unused`)
		t.say(p, Approximate, "sched_config: node_sort_key: \"ncpus HIGH unused\"",
			"nodes with most free cpus first, where Grid Engine goes by their load")
		return
	}
	t.setSched("node_sort_key", `sort_priority HIGH`)
	t.say(p, Approximate, "sched_config: node_sort_key: \"sort_priority HIGH\"\nset node … Priority",
		"nodes in the order of the least seq_no of their queues; where queues of one node have several, "+
			"the others do not count")
	least := map[string]int{}
	var all []int
	for _, i := range t.From.Instances {
		if n, ok := least[i.Host]; !ok || i.SeqNo < n {
			least[i.Host] = i.SeqNo
		}
	}
	for _, n := range least {
		all = append(all, n)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i := range t.To.Hosts {
		n := &t.To.Hosts[i]
		rank, _ := slices.BinarySearch(all, least[n.Name])
		n.PBS.Priority = max(1000-rank, -1000)
	}
}
