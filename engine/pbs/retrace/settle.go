package retrace

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/resource"
)

// settle brings everything that follows from jobs and reservations to a moment: eligible time, what is
// assigned of vnodes, queues and the server.
func (x *state) settle(at time.Time) {
	x.list()
	by := x.TakenAt.Sub(at.Truncate(time.Second))
	for i := range x.Jobs {
		if id := x.Jobs[i].PBS.ID; x.Jobs[i].PBS.AccrueType == 2 {
			p := x.job(id).PBS
			p.EligibleTime = max(0, p.EligibleTime-by)
		}
	}
	x.TakenAt = at
	x.assignHosts()
	x.assignSums()
}

// A load is what runs on a vnode.
type load struct {
	jobs    []string
	amounts map[string]float64
	alone   bool // a job that wants the vnode for itself
	hidden  bool // such a job that the vnode does not list: it came or ended since
}

// assignHosts recomputes what is assigned of every vnode.
func (x *state) assignHosts() {
	loads := x.loads()
	x.Hosts = slices.Clone(x.Hosts)
	for i := range x.Hosts {
		h := &x.Hosts[i]
		if h.PBS == nil {
			continue
		}
		own, l := *h.PBS, loads[h.Name]
		h.PBS = &own
		if l == nil {
			l = &load{}
		}
		l.alone = l.alone || x.alone != nil && !x.alone[h.Name] // if no listed job made it job-exclusive, it was before
		stuck := slices.Contains(own.State, "job-busy") && !isFull(h, shownAmount(h, "ncpus"))
		own.Jobs, own.Assigned = slices.Concat(l.jobs, x.unknownJobs[h.Name]), nil
		for _, name := range slices.Sorted(maps.Keys(l.amounts)) {
			own.Assigned = append(own.Assigned, model.Setting{Name: name, Value: amountText(name, l.amounts[name])})
		}
		exclusive := l.hidden || l.alone && slices.Contains(own.State, "job-exclusive")
		own.State = vnodeState(own.State, stuck || len(l.jobs) > 0 && isFull(h, l.amounts["ncpus"]), exclusive)
	}
}

// isFull reports whether this many cpus are all that a vnode has.
func isFull(h *model.Host, assigned float64) bool {
	text, _ := model.Text(h.Capacity, "ncpus")
	total, ok := model.PBSAmount(text)
	return ok && assigned >= total
}

// shownAmount is what a vnode shows as assigned of a resource.
func shownAmount(h *model.Host, resource string) float64 {
	text, _ := model.Text(h.PBS.Assigned, resource)
	amount, _ := model.PBSAmount(text)
	return amount
}

// vnodeState is the state of a vnode by what runs on it: on all its cpus, or alone.
func vnodeState(state []string, busy, alone bool) []string {
	state = slices.DeleteFunc(slices.Clone(state), func(s string) bool {
		return s == "free" || s == "job-busy" || s == "job-exclusive"
	})
	if busy {
		state = append(state, "job-busy")
	}
	if alone {
		state = append(state, "job-exclusive")
	}
	if len(state) == 0 {
		return []string{"free"}
	}
	return state
}

// loads adds up what jobs and reservations in force have of each vnode.
func (x *state) loads() map[string]*load {
	loads, hosts := map[string]*load{}, map[string]*model.PBSHost{}
	for i := range x.Hosts {
		hosts[x.Hosts[i].Name] = x.Hosts[i].PBS
	}
	for i := range x.Jobs {
		j := &x.Jobs[i]
		if p := j.PBS; p != nil && p.ExecVnode != "" && (p.State == "R" || p.State == "E") && p.Reservation == "" {
			for _, name := range addUp(loads, p.ExecVnode) {
				l := loads[name]
				l.jobs = append(l.jobs, p.ID)
				if h := hosts[name]; h != nil && alone(p.Place, h.Sharing) {
					l.alone, l.hidden = true, l.hidden || !lists(h, p.ID)
				}
			}
		}
	}
	for i := range x.PBS.Reservations {
		if r := &x.PBS.Reservations[i]; r.State == "RESV_RUNNING" {
			addUp(loads, r.Nodes)
		}
	}
	return loads
}

// lists reports whether a vnode lists a job, as "12.s" or "12.s/0".
func lists(h *model.PBSHost, id string) bool {
	return slices.ContainsFunc(h.Jobs, func(entry string) bool { return entry == id || strings.HasPrefix(entry, id+"/") })
}

// alone reports whether a job wants a vnode for itself, by its place and the vnode's sharing.
func alone(place, sharing string) bool {
	p, _ := resource.ParsePlace(place)
	return cluster.Exclusive(p, cluster.ParseSharing(sharing))
}

// addUp adds what exec_vnode has of vnodes, and lists these.
func addUp(loads map[string]*load, execVnode string) (vnodes []string) {
	for _, a := range accounting.PerVnode(execVnode) {
		if loads[a.Vnode] == nil {
			loads[a.Vnode] = &load{amounts: map[string]float64{}}
		}
		vnodes = append(vnodes, a.Vnode)
		for resource, amount := range a.Of {
			loads[a.Vnode].amounts[resource] += amount
		}
	}
	return vnodes
}

// sizes are the resources whose amounts are printed in kilobytes.
var sizes = []string{"mem", "vmem", "pmem", "pvmem", "file"}

func amountText(resource string, amount float64) string {
	text := strconv.FormatFloat(amount, 'f', -1, 64)
	if slices.Contains(sizes, resource) {
		text += "kb"
	}
	return text
}

// assignSums recomputes what is assigned of queues and the server, as far as they show it.
func (x *state) assignSums() {
	all, queues := map[string]float64{}, map[string]map[string]float64{}
	for i := range x.Jobs {
		j := &x.Jobs[i]
		if j.PBS == nil || j.PBS.State != "R" {
			continue
		}
		if queues[j.PBS.Queue] == nil {
			queues[j.PBS.Queue] = map[string]float64{}
		}
		for _, r := range j.Hard {
			if amount, ok := model.PBSAmount(r.Value); ok {
				all[r.Resource] += amount
				queues[j.PBS.Queue][r.Resource] += amount
			}
		}
	}
	x.PBS.Server.Assigned = assigned(x.PBS.Server.Assigned, all)
	for i := range x.Queues {
		if q := x.Queues[i].PBS; q != nil {
			own := *q
			own.Assigned = assigned(q.Assigned, queues[x.Queues[i].Name])
			x.Queues[i].PBS = &own
		}
	}
}

func assigned(shown []model.Setting, amounts map[string]float64) (list []model.Setting) {
	for _, s := range shown {
		list = append(list, model.Setting{Name: s.Name, Value: amountText(s.Name, amounts[s.Name])})
	}
	return list
}
