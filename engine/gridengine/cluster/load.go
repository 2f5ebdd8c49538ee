package cluster

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// addLoad reads what a host reported last, scaled as configured.
func (r *Cluster) addLoad(h *Host) {
	report := h.Host.LoadReport
	if len(report) == 0 {
		report = shownLoad(h.Host)
	}
	for _, s := range report {
		a := r.Complex[s.Name]
		if a == nil || h.Loaded(a) != nil {
			continue
		}
		v := resource.LoadValue{Attr: a, Text: s.Value, Amount: resource.Number(s.Value)}
		for _, scale := range h.Host.LoadScaling {
			if scale.Name == s.Name && a.Numeric {
				v.Text = strconv.FormatFloat(v.Amount*scale.Value, 'f', 3, 64)
				v.Amount = resource.Number(v.Text)
			}
		}
		if text, ok := model.Text(r.Snapshot.Policy.LoadAdjustments, s.Name); ok {
			v.Adjust = resource.Number(text)
		}
		h.Loads = append(h.Loads, v)
	}
	if v := h.Loaded(r.Complex["num_proc"]); v != nil && r.Complex["num_proc"] != nil {
		h.NumProc = v.Amount
	}
}

// shownLoad are the load values that qhost or qstat -F printed, where the configuration does not show them.
func shownLoad(h *model.Host) (list []model.Setting) {
	for _, v := range h.Load {
		if len(v.Dominance) == 2 && (v.Dominance[1] == 'l' || v.Dominance[1] == 'L') {
			list = append(list, model.Setting{Name: v.Name, Value: v.Value})
		}
	}
	return list
}

// Adjusts reports whether load is corrected for jobs that started recently (job_load_adjustments).
func (r *Cluster) Adjusts() bool {
	p := &r.Snapshot.Policy
	return p.LoadAdjustmentDecay > 0 && len(p.LoadAdjustments) > 0
}

// AddCorrection counts starting jobs on a host; 100 is one job.
func (h *Host) AddCorrection(jobs float64) {
	h.Correction = float64(uint32(jobs*100+h.Correction*100)) / 100
}

// CorrectLoad counts jobs that started so recently that the load does not show them in full.
func (r *Cluster) CorrectLoad() {
	decay := r.Snapshot.Policy.LoadAdjustmentDecay.Seconds()
	if decay <= 0 {
		return
	}
	for _, t := range r.Running {
		age := float64(r.Now - t.Start)
		if age > decay || t.Suspended {
			continue
		}
		fraction, everywhere := 1-age/decay, 0.0
		for _, g := range t.Grants {
			if g.Queue.IsOpen() {
				g.Queue.ExecHost.AddCorrection(fraction * float64(g.Slots))
				everywhere += fraction
			}
		}
		r.Global.AddCorrection(everywhere)
	}
}

// CorrectCapacities subtracts the amounts that programs outside of jobs use, for a consumable that the host
// also reports as load.
func (r *Cluster) CorrectCapacities() {
	for _, h := range r.Hosts {
		for i := range h.Loads {
			v := &h.Loads[i]
			c, u := h.Configured(v.Attr), h.UseOf(v.Attr)
			if c == nil || u == nil || !v.Attr.SmallerCounts() || v.Attr.Exclusive {
				continue
			}
			if others := c.Amount - u.Now - (v.Amount - v.Adjust*h.Correction); others > 0 {
				c.Amount -= others
				u.Total = c.Amount
			}
		}
	}
}

// valueAt is the value of an attribute at a host: of the cluster as a whole, or the host's, whichever counts more.
func (r *Cluster) valueAt(h *Host, name string) (float64, bool) {
	a := r.Complex[name]
	if a == nil {
		return 0, false
	}
	v, ok := r.Combined(a, &r.Global.Layer, &h.Layer)
	return v.Amount, ok
}

// Combined is the value of an attribute now, over several layers, the global host first.
func (r *Cluster) Combined(a *resource.Attribute, layers ...*resource.Layer) (v resource.Value, ok bool) {
	for _, l := range layers {
		o, has := l.Offer(a, false, utilization.RightNow, 0)
		if !has {
			continue
		}
		lower := o.PerSlot
		if o.PerJob.Set() {
			lower = o.PerJob
		}
		if !ok || !a.Prior(v.Amount, lower.Amount) {
			v, ok = lower, true
		}
	}
	return v, ok
}

// RankByLoad computes load_formula for every host and sorts the hosts by it.
func (r *Cluster) RankByLoad() {
	for _, h := range r.Hosts {
		if h != r.Global {
			r.ComputeLoad(h)
		}
	}
	r.SortHosts()
}

// ComputeLoad computes load_formula for a host.
func (r *Cluster) ComputeLoad(h *Host) {
	h.SortLoad = r.formula.Load(func(name string) (float64, bool) { return r.valueAt(h, name) })
}

// SortHosts sorts the hosts by load_formula.
func (r *Cluster) SortHosts() {
	compare := func(a, b *Host) int { return cmp.Compare(a.SortLoad, b.SortLoad) }
	if !slices.IsSortedFunc(r.Hosts, compare) {
		slices.SortStableFunc(r.Hosts, compare)
	}
}

// MoveHost puts a host that got a job before the hosts of equal load (D56).
func (r *Cluster) MoveHost(h *Host) {
	from := slices.Index(r.Hosts, h)
	to := slices.IndexFunc(r.Hosts, func(o *Host) bool { return h.SortLoad <= o.SortLoad }) // only NaN is never found
	if 0 <= to && to < from {
		copy(r.Hosts[to+1:], r.Hosts[to:from])
		r.Hosts[to] = h
		return
	}
	for to = from; to+1 < len(r.Hosts) && !(h.SortLoad <= r.Hosts[to+1].SortLoad); to++ {
		r.Hosts[to] = r.Hosts[to+1]
	}
	r.Hosts[to] = h
}

// IsStatic reports whether an attribute is a fixed property of the hardware, such as the number of
// processors.
func IsStatic(name string) bool {
	switch name {
	case "arch", "num_proc", "mem_total", "swap_total", "virtual_total", "m_topology", "m_socket", "m_core", "m_thread":
		return true
	}
	return false
}

// LoosenLoad assumes the best values of changing load: only configured values count, free memory may be all
// memory, and all other values have no bound.
func (h *Host) LoosenLoad() {
	h.Loads = slices.DeleteFunc(h.Loads, func(v resource.LoadValue) bool {
		return !IsStatic(v.Attr.Name) && h.Configured(v.Attr) != nil
	})
	for i := range h.Loads {
		v := &h.Loads[i]
		if IsStatic(v.Attr.Name) {
			continue
		}
		if whole := h.wholeOf(v.Attr.Name); whole != nil {
			v.Text, v.Amount = whole.Text, whole.Amount
		} else {
			v.Loose = true
		}
	}
}

// wholeOf is what there is at most of a load value that is a part of another one: of mem_free, mem_total.
func (h *Host) wholeOf(name string) *resource.LoadValue {
	of, isPart := strings.CutSuffix(name, "_free")
	if !isPart {
		return nil
	}
	for i := range h.Loads {
		if h.Loads[i].Attr.Name == of+"_total" {
			return &h.Loads[i]
		}
	}
	return nil
}
