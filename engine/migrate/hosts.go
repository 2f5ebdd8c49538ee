package migrate

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// translateHosts makes a node of every execution host that a queue is on, and gives it what it has. What
// the global host has is for all jobs together, and becomes the server's.
func translateHosts(t *Translation) {
	on := map[string][]*model.QueueInstance{}
	for i := range t.From.Instances {
		instance := &t.From.Instances[i]
		on[strings.ToLower(instance.Host)] = append(on[strings.ToLower(instance.Host)], instance)
	}
	for i := range t.From.Hosts {
		h := &t.From.Hosts[i]
		if h.Name == model.GlobalHost {
			t.globalHost(h)
			continue
		}
		t.host(h, on[strings.ToLower(h.Name)])
	}
	for i := range t.To.Hosts {
		for _, s := range t.made.everywhere {
			if _, has := model.Text(t.To.Hosts[i].Capacity, s.Name); !has {
				t.To.Hosts[i].Capacity = append(t.To.Hosts[i].Capacity, s)
			}
		}
	}
}

// host makes a node.
func (t *Translation) host(h *model.Host, instances []*model.QueueInstance) {
	name := place{kind: "host", object: h.Name, key: "hostname"}
	switch {
	case len(instances) == 0:
		t.tell(name, "no_queue")
	case !plainWord(h.Name):
		t.tell(name, "no_name")
		return
	default:
		t.tell(name, "node", "{host}", h.Name)
	}
	n := model.Host{Name: h.Name, PBS: &model.PBSHost{}}
	n.Capacity = []model.Setting{{Name: "ncpus", Value: strconv.Itoa(t.hostSlots(h, instances))}}
	t.made.nodes[h.Name] = len(t.To.Hosts)
	t.capacities(h, &n)
	if len(instances) > 0 {
		t.instanceCapacities(instances, &n)
		t.To.Hosts = append(t.To.Hosts, n)
	} else {
		delete(t.made.nodes, h.Name)
	}
}

// plainWord reports whether a name can stand in a qmgr command as it is.
func plainWord(name string) bool {
	legal := wordByte("_-.")
	for i := range len(name) {
		if !legal(name[i]) {
			return false
		}
	}
	return name != "" && len(name) < 256
}

// hostSlots is how many slots a host can have in use at once: what its own complex_values say, else those
// of all its queue instances together. Queues that suspend each other use the same cpus, one after the
// other.
func (t *Translation) hostSlots(h *model.Host, instances []*model.QueueInstance) int {
	sum := 0
	for _, group := range sharedCPUs(instances) {
		most := 0
		for _, i := range group {
			most = max(most, i.Slots)
		}
		sum += most
	}
	slots := model.Resource{Name: "slots", Shortcut: "s"}
	if v, ok := capacity(h.Capacity, slots); ok {
		if n, err := model.ParseNumber(v); err == nil && n >= 0 && n < float64(sum) {
			return int(n)
		}
	}
	return sum
}

// sharedCPUs groups the instances of a host: those that subordination connects are together.
func sharedCPUs(instances []*model.QueueInstance) [][]*model.QueueInstance {
	group := map[string]string{}
	find := func(q string) string {
		for group[q] != "" && group[q] != q {
			q = group[q]
		}
		return q
	}
	for _, i := range instances {
		for _, s := range i.Subordinates {
			if a, b := find(i.Queue), find(s.Queue); a != b {
				group[b] = a
			}
		}
	}
	var order []string
	members := map[string][]*model.QueueInstance{}
	for _, i := range instances {
		q := find(i.Queue)
		if members[q] == nil {
			order = append(order, q)
		}
		members[q] = append(members[q], i)
	}
	var groups [][]*model.QueueInstance
	for _, q := range order {
		groups = append(groups, members[q])
	}
	return groups
}

// capacities are a host's complex_values.
func (t *Translation) capacities(h *model.Host, n *model.Host) {
	p := place{kind: "host", object: h.Name, key: "complex_values"}
	if len(h.Capacity) == 0 {
		t.tell(p, "none")
	}
	for _, s := range h.Capacity {
		r, known := t.entryOf(s.Name)
		value, ok := amount(r.kind, s.Value)
		found := "node"
		switch {
		case known && r.ge.Name == "slots":
			value = n.Capacity[0].Value
		case !known || r.name == "" || !ok:
			t.tell(p, "no_resource", "{name}", s.Name, "{value}", strconv.Quote(s.Value))
			continue
		case r.ge.Consumable == model.ConsumeNo && numeric(r.kind):
			found = "fixed"
		}
		n.Capacity = put(n.Capacity, r.name, value)
		t.tell(p, found, "{host}", h.Name, "{resource}", r.name, "{value}", value, "{name}", s.Name)
	}
}

// entryOf is the resource that a name or shortcut of the complex became.
func (t *Translation) entryOf(name string) (resource, bool) {
	if r, ok := t.made.resources[name]; ok {
		return r, true
	}
	r, ok := t.made.resources[t.made.shortcuts[name]]
	return r, ok
}

// instanceCapacities adds to a node what its queue instances have: of consumables all together, but no more
// than the host itself has.
func (t *Translation) instanceCapacities(instances []*model.QueueInstance, n *model.Host) {
	sums := map[string]float64{}
	for _, i := range instances {
		for _, s := range i.Capacity {
			r, known := t.entryOf(s.Name)
			number, err := model.ParseNumber(s.Value)
			value, ok := amount(r.kind, s.Value)
			switch {
			case !known || r.name == "" || !ok || r.ge.Name == "slots" || t.choosesQueue(r):
				continue // the queue's own line says so
			case err == nil && numeric(r.kind) && r.ge.Consumable != model.ConsumeNo:
				sums[r.name] += number
				value, _ = amount(r.kind, strconv.FormatFloat(sums[r.name], 'f', -1, 64))
			}
			if own, has := t.ownAmount(n.Name, r.ge); !has || own > sums[r.name] {
				n.Capacity = put(n.Capacity, r.name, value)
			}
		}
	}
}

// ownAmount is what a host itself has of a consumable.
func (t *Translation) ownAmount(host string, r model.Resource) (amount float64, has bool) {
	for i := range t.From.Hosts {
		if h := &t.From.Hosts[i]; h.Name == host {
			value, ok := capacity(h.Capacity, r)
			n, err := model.ParseNumber(value)
			return n, ok && err == nil && r.Consumable != model.ConsumeNo
		}
	}
	return 0, false
}

// choosesQueue reports whether one queue alone has a boolean, on all its hosts: asking for it is choosing the queue.
func (t *Translation) choosesQueue(r resource) bool {
	if known, ok := t.made.chooses[r.ge.Name]; ok {
		return known
	}
	queues := map[string]int{} // how many instances of each queue that has it have it not
	for i := range t.From.Instances {
		if value, has := capacity(t.From.Instances[i].Capacity, r.ge); has && isTrue(value) {
			queues[t.From.Instances[i].Queue] = 0
		}
	}
	for i := range t.From.Instances {
		instance := &t.From.Instances[i]
		if value, has := capacity(instance.Capacity, r.ge); !has || !isTrue(value) {
			if _, other := queues[instance.Queue]; other {
				queues[instance.Queue]++
			}
		}
	}
	ok := r.ge.Type == model.TypeBool && len(t.From.Queues) > 1 && !t.onAnyHost(r.ge) && len(queues) == 1
	for _, without := range queues {
		ok = ok && without == 0
	}
	t.made.chooses[r.ge.Name] = ok
	return ok
}

// onAnyHost reports whether a host, or the global one, has an entry.
func (t *Translation) onAnyHost(r model.Resource) bool {
	return slices.ContainsFunc(t.From.Hosts, func(h model.Host) bool {
		_, has := capacity(h.Capacity, r)
		return has
	})
}

// globalHost gives the server what all hosts share.
func (t *Translation) globalHost(h *model.Host) {
	t.tell(place{kind: "host", object: h.Name, key: "hostname"}, "global")
	p := place{kind: "host", object: h.Name, key: "complex_values"}
	if len(h.Capacity) == 0 {
		t.tell(p, "none")
	}
	for _, s := range h.Capacity {
		r, known := t.entryOf(s.Name)
		value, ok := amount(r.kind, s.Value)
		switch {
		case !known || r.name == "" || !ok:
			t.tell(p, "no_resource", "{name}", s.Name, "{value}", strconv.Quote(s.Value))
		case r.global && r.ge.Consumable != model.ConsumeNo:
			t.setServer("resources_available."+r.name, value)
			t.tell(p, "server", "{resource}", r.name, "{value}", value)
		case r.ge.Consumable != model.ConsumeNo:
			t.tell(p, "limit", "{limit}", t.limitServer(newLimit("max_run_res", r.name, "o", "PBS_ALL", value)))
		default:
			t.made.everywhere = append(t.made.everywhere, model.Setting{Name: r.name, Value: value})
			t.tell(p, "every_node", "{resource}", r.name, "{value}", value)
		}
	}
}
