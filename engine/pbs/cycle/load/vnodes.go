package load

import (
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/resource"
)

// loadVnodes reads the vnodes in the server's order.
func (w *loader) loadVnodes() {
	hosts := w.Snapshot.Hosts
	w.Vnodes = make([]cluster.Vnode, 0, len(hosts))
	for i := range hosts {
		if h := &hosts[i]; h.PBS != nil {
			// of another scheduler's too: it reads them before it passes over them
			w.MultiVnode = w.MultiVnode || h.PBS.MultiVnode
		}
		if h := &hosts[i]; h.PBS != nil && w.mine(h.PBS.Partition) {
			w.VnodeIndex[h.Name] = len(w.Vnodes)
			w.Vnodes = append(w.Vnodes, w.loadVnode(h))
		}
	}
	w.findHosts()
	w.growStocks()
	for i := range w.Vnodes {
		w.resolveLender(&w.Vnodes[i])
		w.Order = append(w.Order, i)
	}
	w.Marks = make([]uint8, len(w.Vnodes))
}

func (w *loader) loadVnode(h *model.Host) cluster.Vnode {
	p := h.PBS
	v := cluster.Vnode{
		Name: h.Name, Priority: p.Priority, Queue: p.Queue, SharesHost: p.MultiVnode,
		Sharing:    cluster.ParseSharing(p.Sharing),
		MaxRunning: countOr(p.MaxRunning), MaxUserRun: countOr(p.MaxUserRun), MaxGroupRun: countOr(p.MaxGroupRun),
		LastUsed: unix(p.LastUsed), Reservable: true, Rank: w.Res.NextRank(),
	}
	v.Stock = resource.NewStock(len(w.Res.List))
	v.Stock.Fill(w.Res, h.Capacity, p.Assigned)
	if m := &v.Held[w.Res.Mem]; m.Set {
		m.Total -= float64(resource.ToLong(m.Total) % 1024)
	}
	for _, s := range p.State {
		known, ok := cluster.StateNames[s]
		if v.States |= known; !ok {
			v.States |= cluster.NotFree
		}
	}
	if v.MaxUserRun >= 0 || v.MaxGroupRun >= 0 {
		v.Users, v.Groups = map[string]int{}, map[string]int{}
	}
	for _, a := range p.Attributes {
		switch {
		case a.Name == "no_multinode_jobs":
			v.NoMultiNode = a.Value == "True"
		case a.Name == "resv_enable":
			v.Reservable = a.Value == "True"
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
func (w *loader) findHosts() {
	vnodes := map[string]int{}
	for i := range w.Vnodes {
		v := &w.Vnodes[i]
		if h := v.Held[w.Res.Host]; len(h.Values) > 0 {
			v.Host = h.Values[0]
		}
		vnodes[v.Host]++
	}
	for i := range w.Vnodes {
		v := &w.Vnodes[i]
		v.SharesHost = v.SharesHost || v.Host != "" && vnodes[v.Host] > 1
		w.MultiVnode = w.MultiVnode || v.SharesHost
		w.QueueVnodes = w.QueueVnodes || v.Queue != ""
	}
}

// resolveLender follows "@vnode" to the vnode that has a resource. Chains that do not end resolveLender nothing.
func (w *loader) resolveLender(v *cluster.Vnode) {
	for r := range v.Held {
		at := v
		for range 10 {
			if len(at.Held[r].Values) == 0 || !strings.HasPrefix(at.Held[r].Values[0], "@") {
				break
			}
			next, ok := w.VnodeIndex[at.Held[r].Values[0][1:]]
			if !ok {
				break
			}
			at = &w.Vnodes[next]
			v.Held[r].From = next + 1
		}
	}
}

// growStocks gives every stock room for all resources known by now.
func (w *loader) growStocks() {
	n := len(w.Res.List)
	w.Server.Stock.Grow(n)
	for _, q := range w.Queues {
		q.Stock.Grow(n)
	}
	for i := range w.Vnodes {
		w.Vnodes[i].Stock.Grow(n)
	}
}
