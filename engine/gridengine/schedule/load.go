package schedule

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// addLoad reads what a host reported last, scaled as configured.
func (r *run) addLoad(h *host) {
	report := h.Host.LoadReport
	if len(report) == 0 {
		report = shownLoad(h.Host)
	}
	for _, s := range report {
		a := r.world.complex[s.Name]
		if a == nil || h.loaded(a) != nil {
			continue
		}
		v := loadValue{attr: a, text: s.Value, amount: number(s.Value)}
		for _, scale := range h.Host.LoadScaling {
			if scale.Name == s.Name && a.numeric {
				v.text = strconv.FormatFloat(v.amount*scale.Value, 'f', 3, 64)
				v.amount = number(v.text)
			}
		}
		if text, ok := model.Text(r.snapshot.Policy.LoadAdjustments, s.Name); ok {
			v.adjust = number(text)
		}
		h.load = append(h.load, v)
	}
	if v := h.loaded(r.world.complex["num_proc"]); v != nil && r.world.complex["num_proc"] != nil {
		h.processors = v.amount
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

// adjusts reports whether load is corrected for jobs that started lately.
func (r *run) adjusts() bool {
	p := &r.snapshot.Policy
	return p.LoadAdjustmentDecay > 0 && len(p.LoadAdjustments) > 0
}

// addCorrection counts starting jobs on a host; 100 is one job.
func (h *host) addCorrection(jobs float64) {
	h.correction = float64(uint32(jobs*100+h.correction*100)) / 100
}

// correctLoad counts jobs that started so lately that the load does not show them in full.
func (r *run) correctLoad() {
	decay := r.snapshot.Policy.LoadAdjustmentDecay.Seconds()
	if decay <= 0 {
		return
	}
	for _, t := range r.running {
		age := float64(r.now - t.start)
		if age > decay || t.suspended {
			continue
		}
		fraction, everywhere := 1-age/decay, 0.0
		for _, g := range t.grants {
			if g.queue.isOpen() {
				g.queue.host.addCorrection(fraction * float64(g.slots))
				everywhere += fraction
			}
		}
		r.world.global.addCorrection(everywhere)
	}
}

// correctCapacities takes off what others than jobs use of a consumable that the host also reports as load.
func (r *run) correctCapacities() {
	for _, h := range r.world.hosts {
		for i := range h.load {
			v := &h.load[i]
			c, u := h.configured(v.attr), h.used(v.attr)
			if c == nil || u == nil || !v.attr.smallerCounts() || v.attr.exclusive {
				continue
			}
			if others := c.amount - u.now - (v.amount - v.adjust*h.correction); others > 0 {
				c.amount -= others
				u.total = c.amount
			}
		}
	}
}

// valueAt is the value of an attribute at a host: of the cluster as a whole, or the host's, whichever counts more.
func (r *run) valueAt(h *host, name string) (float64, bool) {
	a := r.world.complex[name]
	if a == nil {
		return 0, false
	}
	v, ok := r.combined(a, &r.world.global.layer, &h.layer)
	return v.amount, ok
}

// combined is what several layers, from the cluster down, have of an attribute at the moment.
func (r *run) combined(a *attr, layers ...*layer) (v value, ok bool) {
	for _, l := range layers {
		o, has := l.offer(a, false, rightNow, 0)
		if !has {
			continue
		}
		lower := o.perSlot
		if o.perJob.set() {
			lower = o.perJob
		}
		if !ok || !a.prior(v.amount, lower.amount) {
			v, ok = lower, true
		}
	}
	return v, ok
}

// rankByLoad computes load_formula for every host, and sorts them by it.
func (r *run) rankByLoad() {
	for _, h := range r.world.hosts {
		if h != r.world.global {
			r.computeLoad(h)
		}
	}
	r.sortHosts()
}

func (r *run) computeLoad(h *host) {
	h.sort = r.world.formula.Load(func(name string) (float64, bool) { return r.valueAt(h, name) })
}

func (r *run) sortHosts() {
	compare := func(a, b *host) int { return cmp.Compare(a.sort, b.sort) }
	if !slices.IsSortedFunc(r.world.hosts, compare) {
		slices.SortStableFunc(r.world.hosts, compare)
	}
}

// moveHost puts a host that got a job before its equals (D56).
func (r *run) moveHost(h *host) {
	w := &r.world
	from := slices.Index(w.hosts, h)
	w.hosts = slices.Delete(w.hosts, from, from+1)
	to := slices.IndexFunc(w.hosts, func(o *host) bool { return h.sort <= o.sort })
	if to < 0 {
		to = len(w.hosts)
	}
	w.hosts = slices.Insert(w.hosts, to, h)
}

func print(amount float64) string {
	if amount == math.Trunc(amount) && math.Abs(amount) < 1<<53 {
		return strconv.FormatInt(int64(amount), 10)
	}
	return strconv.FormatFloat(amount, 'g', -1, 64)
}

func itoa(n int) string { return strconv.Itoa(n) }
