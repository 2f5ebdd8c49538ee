package migrate

import (
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
	t.tell(ofQueue(q, "qname"), "made", "{queue}", to.Name)
	t.queueAttributes(q, &to, instances)
	setQueue(&to, "enabled", "True")
	setQueue(&to, "started", "True")
	t.initialState(q, &to)
	t.To.Queues = append(t.To.Queues, to)
}

// ofQueue is the line of an attribute of a cluster queue.
func ofQueue(q *model.Queue, key string) place { return place{kind: "queue", object: q.Name, key: key} }

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
	t.userAccess(q, to)
	t.projectAccess(q, to)
	t.rerun(q, to)
	if a, ok := attributeOf(q, "seq_no"); ok {
		found := "ignored"
		if t.From.Policy.QueueSort == "seqno" {
			found = "sorted"
		}
		t.tell(ofQueue(q, "seq_no"), found, "{also}", overridden(a))
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
	t.tell(ofQueue(q, "rerun"), "off")
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
		t.tell(ofQueue(q, "initial_state"), "disabled", "{queue}", to.Name)
	case len(a.Overrides) > 0:
		t.tell(ofQueue(q, "initial_state"), "of_hosts")
	default:
		t.tell(ofQueue(q, "initial_state"), "usual")
	}
}

// timeLimits are limits of a queue that PBS keeps for jobs: they refuse a job that asks for more, and hold
// for one that asks for none.
var timeLimits = []struct{ key, resource string }{{"h_rt", "walltime"}, {"h_cpu", "cput"}}

func (t *Translation) runTimes(q *model.Queue, to *model.Queue) {
	for _, l := range timeLimits {
		a, ok := attributeOf(q, l.key)
		longest, finite := longestOf(a)
		found := "set"
		switch {
		case !ok:
			continue
		case !finite && len(a.Overrides) == 0:
			t.tell(ofQueue(q, l.key), "no_limit")
			continue
		case !finite:
			t.tell(ofQueue(q, l.key), "no_limit_of_some")
			continue
		case len(a.Overrides) > 0:
			found = "of_hosts"
		}
		text := clockText(int64(longest / time.Second))
		setQueue(to, "resources_max."+l.resource, text)
		setQueue(to, "resources_default."+l.resource, text)
		if l.resource == "walltime" {
			t.Submit.Timed = append(t.Submit.Timed, to.Name)
		}
		t.tell(ofQueue(q, l.key), found, "{queue}", to.Name, "{time}", text)
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
	some := slices.ContainsFunc(instances, func(i *model.QueueInstance) bool { return len(i.PEs) > 0 })
	found := "some"
	switch {
	case !ok:
		return
	case !some:
		setQueue(to, "resources_max.ncpus", "1")
		found = "serial"
	case t.offersAll(instances):
		found = "all"
	}
	t.tell(ofQueue(q, "pe_list"), found, "{queue}", to.Name, "{also}", overridden(a))
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
	settings := splitSettings(a.Default)
	for _, o := range a.Overrides {
		settings = append(settings, splitSettings(o.Value)...)
	}
	if len(settings) == 0 {
		t.tell(ofQueue(q, "complex_values"), "none")
	}
	for _, s := range settings {
		r, known := t.entryOf(s.Name)
		_, valid := amount(r.kind, s.Value)
		found := "hosts"
		switch {
		case known && r.ge.Name == "slots":
			found = "slots"
		case !known || r.name == "" || !valid:
			found = "no_resource"
		case t.choosesQueue(r):
			t.choice(q, to, r)
			continue
		case r.global:
			found = "server"
		}
		t.tell(ofQueue(q, "complex_values"), found, "{name}", s.Name, "{value}", strconv.Quote(s.Value),
			"{resource}", r.name)
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
	found := "choice"
	if forced {
		found = "forced_choice"
	}
	t.tell(ofQueue(q, "complex_values"), found, "{resource}", r.name, "{queue}", to.Name)
}

// splitSettings reads "name=value,…".
func splitSettings(text string) (list []model.Setting) {
	for _, piece := range words(text) {
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
		t.tell(ofQueue(q, "subordinate_list"), "none")
		return
	}
	express := strconv.Itoa(expressPriority)
	setQueue(to, "Priority", express)
	t.setSched("preemptive_sched", "True")
	t.setScheduler("preempt_order", "S")
	t.setScheduler("preempt_queue_prio", express)
	t.setServer("restrict_res_to_release_on_suspend", "ncpus")
	found := "queues"
	if slotwise {
		found = "slots"
	}
	t.tell(ofQueue(q, "subordinate_list"), found, "{queue}", to.Name, "{priority}", express,
		"{others}", strings.Join(names, " "))
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
			t.tell(ofQueue(&t.From.Queues[i], "hostlist"), "every_node")
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
		t.tell(ofQueue(&t.From.Queues[i], "hostlist"), "nodes", "{queue}", q.Name)
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
		t.tell(ofQueue(q, "slots"), "cpus")
		return
	}
	name := t.newResourceName("slots_" + t.queueName(q.Name))
	t.addResource(model.Resource{Name: name, Type: model.TypePBSLong, Flags: "hn"})
	for _, i := range instances {
		if n := t.nodeNamed(i.Host); n != nil {
			n.Capacity = put(n.Capacity, name, strconv.Itoa(i.Slots))
		}
	}
	t.Submit.Slots = append(t.Submit.Slots, model.PBSQueueSlots{Queue: t.queueName(q.Name), Resource: name})
	t.tell(ofQueue(q, "slots"), "counted", "{resource}", name)
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
	setQueue(&q, "queue_type", "Execution")
	setQueue(&q, "enabled", "True")
	setQueue(&q, "started", "True")
	if !slices.ContainsFunc(t.From.Instances, func(i model.QueueInstance) bool { return len(i.PEs) > 0 }) {
		setQueue(&q, "resources_max.ncpus", "1")
	}
	if t.made.anyNodes {
		setQueue(&q, "default_chunk."+queueList, q.Name)
	}
	setACL(&q, "acl_user", "acl_users", acl(nil, t.deniedEverywhere()))
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
	if t.From.Policy.QueueSort != "seqno" {
		t.setSched("node_sort_key", `ncpus HIGH unused`)
		t.tell(setting("queue_sort_method"), "load")
		return
	}
	t.setSched("node_sort_key", `sort_priority HIGH`)
	t.tell(setting("queue_sort_method"), "seqno")
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
