package slurm

import (
	"math"
	"strconv"

	"qprism/engine/migrate"
	"qprism/engine/model"
)

// plenty is more licenses than all jobs ask for.
const plenty = 1_000_000_000

// furthest is how far a site factor may be from 0.
const furthest = 1<<31 - 8

// weighRequests makes the site factor of -p and requests.
func (t *Translation) weighRequests() {
	p := &t.From.Policy
	site := &t.Config.Site
	site.Offset, site.Step = most, t.scale*p.WeightPriority/2048
	taken := map[string]bool{}
	for _, r := range t.From.Resources {
		urgency, err := model.ParseNumber(r.Urgency)
		if err != nil || urgency == 0 || p.WeightUrgency == 0 {
			continue
		}
		if r.Name == "slots" {
			site.Slot = t.urgent() * urgency
			t.say("complex", r.Name, migrate.Approximate, "site factor: job_submit.lua",
				"as exact as the frozen range of urgency")
			continue
		}
		site.Licenses = append(site.Licenses, t.license(r, urgency, taken))
	}
}

// license is what stands for a resource.
func (t *Translation) license(r model.Resource, urgency float64, taken map[string]bool) model.SlurmLicense {
	l := model.SlurmLicense{Resource: r.Name, Shortcut: r.Shortcut, Name: slurmName(r.Name, taken),
		Unit: 1, Count: plenty}
	l.Counted = r.Type.Numeric() && r.Type != model.TypeBool
	l.PerSlot = l.Counted && r.Consumable != model.ConsumeJob
	if r.Type == model.TypeMemory {
		l.Unit = 1 << 20
	}
	if all, limited := t.capacity(r); limited {
		l.Count = uint32(min(all/l.Unit, plenty))
	}
	l.Each = t.urgent() * urgency * l.Unit
	if l.Name != r.Name {
		t.Names = append(t.Names, migrate.Renaming{Kind: "license", From: r.Name, To: l.Name,
			Why: "names have small letters, digits and marks"})
	}
	t.say("complex", r.Name, migrate.Approximate, "license "+l.Name+", site factor: job_submit.lua",
		"as exact as the frozen range of urgency; counted in the whole cluster, in whole numbers ("+
			strconv.FormatFloat(l.Unit, 'f', 0, 64)+
			" each), not host by host")
	return l
}

// capacity is how much there is of a consumable in the cluster: that of the global host, else of all hosts.
func (t *Translation) capacity(r model.Resource) (sum float64, limited bool) {
	if r.Consumable == model.ConsumeNo {
		return 0, false
	}
	for i := range t.From.Hosts {
		h := &t.From.Hosts[i]
		for _, c := range h.Capacity {
			v, err := model.ParseNumber(c.Value)
			if c.Name != r.Name || err != nil {
				continue
			}
			if h.Name == model.GlobalHost {
				return v, true
			}
			sum, limited = sum+v, true
		}
	}
	return sum, limited
}

// asks is the amount of a license that a job with this number of slots requests.
func asks(l *model.SlurmLicense, j *model.Job, slots int) (n float64) {
	for _, r := range j.Hard {
		switch {
		case r.Resource != l.Resource:
		case !l.Counted:
			n = 1
		case l.PerSlot:
			n += math.Ceil(r.Amount * float64(slots) / l.Unit)
		default:
			n += math.Ceil(r.Amount / l.Unit)
		}
	}
	return max(0, n)
}

// factor is the site factor of a job, as the script computes it, and whether the cluster takes the job: one
// that asks for more licenses than there are is refused (M12).
func (t *Translation) factor(j *model.Job, slots int) (site int64, taken bool) {
	s, nice := &t.Config.Site, -float64(j.PosixPriority)
	sum, taken := s.Offset-(s.Step-1)*nice+s.Slot*float64(slots), true
	for i := range s.Licenses {
		l := &s.Licenses[i]
		n := asks(l, j, slots)
		sum += l.Each * n
		taken = taken && n <= float64(l.Count)
	}
	return int64(max(-furthest, min(math.Floor(sum+0.5), furthest))), taken
}
