package cycle

import (
	"qprism/engine/model"
	"strings"
)

// loadVnodes reads the vnodes in the server's order.
func (w *world) loadVnodes() {
	hosts := w.snapshot.Hosts
	w.vnodes = make([]vnode, 0, len(hosts))
	for i := range hosts {
		if h := &hosts[i]; h.PBS != nil {
			w.multiVnode = w.multiVnode || h.PBS.MultiVnode // of another scheduler's too: it reads them before it passes over them
		}
		if h := &hosts[i]; h.PBS != nil && w.mine(h.PBS.Partition) {
			w.vnodeIndex[h.Name] = len(w.vnodes)
			w.vnodes = append(w.vnodes, w.loadVnode(h))
		}
	}
	w.findHosts()
	w.growStocks()
	for i := range w.vnodes {
		w.lend(&w.vnodes[i])
		w.order = append(w.order, i)
	}
	w.scratch = make([]uint8, len(w.vnodes))
}

func (w *world) loadVnode(h *model.Host) vnode {
	p := h.PBS
	v := vnode{
		name: h.Name, priority: p.Priority, queue: p.Queue, several: p.MultiVnode, sharing: parseSharing(p.Sharing),
		maxRunning: countOr(p.MaxRunning), maxUserRun: countOr(p.MaxUserRun), maxGroupRun: countOr(p.MaxGroupRun),
		lastUsed: unix(p.LastUsed), reservable: true, rank: w.res.nextRank(),
	}
	v.stock = newStock(len(w.res.list))
	v.stock.fill(w.res, h.Capacity, p.Assigned)
	if m := &v.held[w.res.mem]; m.set {
		m.total -= float64(whole(m.total) % 1024)
	}
	for _, s := range p.State {
		known, ok := stateNames[s]
		if v.states |= known; !ok {
			v.states |= notFree
		}
	}
	if v.maxUserRun >= 0 || v.maxGroupRun >= 0 {
		v.users, v.groups = map[string]int{}, map[string]int{}
	}
	for _, a := range p.Attributes {
		switch {
		case a.Name == "no_multinode_jobs":
			v.single = a.Value == "True"
		case a.Name == "resv_enable":
			v.reservable = a.Value == "True"
		}
	}
	return v
}

func countOr(c model.Count) int64 {
	if !c.Set {
		return -1
	}
	return c.N
}

// findHosts finds the host of each vnode, and the hosts with several vnodes where the bundle does not name them.
func (w *world) findHosts() {
	vnodes := map[string]int{}
	for i := range w.vnodes {
		v := &w.vnodes[i]
		if h := v.held[w.res.host]; len(h.values) > 0 {
			v.host = h.values[0]
		}
		vnodes[v.host]++
	}
	for i := range w.vnodes {
		v := &w.vnodes[i]
		v.several = v.several || v.host != "" && vnodes[v.host] > 1
		w.multiVnode = w.multiVnode || v.several
		w.queueVnodes = w.queueVnodes || v.queue != ""
	}
}

// lend follows "@vnode" to the vnode that has a resource. Chains that do not end lend nothing.
func (w *world) lend(v *vnode) {
	for r := range v.held {
		at := v
		for range 10 {
			if len(at.held[r].values) == 0 || !strings.HasPrefix(at.held[r].values[0], "@") {
				break
			}
			next, ok := w.vnodeIndex[at.held[r].values[0][1:]]
			if !ok {
				break
			}
			at = &w.vnodes[next]
			v.held[r].from = next + 1
		}
	}
}

// growStocks gives every stock room for all resources known by now.
func (w *world) growStocks() {
	n := len(w.res.list)
	w.server.stock.grow(n)
	for _, q := range w.queues {
		q.stock.grow(n)
	}
	for i := range w.vnodes {
		w.vnodes[i].stock.grow(n)
	}
}
