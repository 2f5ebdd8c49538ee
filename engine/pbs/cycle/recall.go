package cycle

import (
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/fairshare"
)

// recall gives groups of the fairshare tree the usage that the scheduler remembers. It needs a log of all
// cycles since the scheduler read the usage file.
func (r *run) recall(f *formula.Job) {
	w := r.world
	if r.opts.Memory != nil || !w.Policy.FairShare {
		return
	}
	if past, known := r.past(f); known {
		w.Tree.Recall(w.PBS.Fairshare, past)
	}
}

// past is what the log tells of the time since the scheduler read the usage file last.
func (r *run) past(f *formula.Job) (p fairshare.Past, known bool) {
	for _, read := range r.world.PBS.FairReads {
		if read.At.Unix() < r.world.Now {
			p.Read, known = read, true
		}
	}
	if !known {
		return p, false
	}
	for i := range r.world.PBS.Cycles {
		c := &r.world.PBS.Cycles[i]
		ours := c.Start.Equal(r.opts.At) && r.opts.Charged != nil // the files have its charges
		if !c.Start.Before(p.Read.At) && (c.Start.Before(r.opts.At) || ours) {
			p.Cycles = append(p.Cycles, fairshare.PastCycle{At: c.Start, Decays: decays(c)})
		}
	}
	p.Spells = r.spells(f)
	return p, len(p.Cycles) > 0
}

func decays(c *model.SchedCycle) (n int) {
	for _, e := range c.Events {
		if e.Kind == model.EventFairshare && e.Text == "Decaying Fairshare Tree" {
			n++
		}
	}
	return n
}

// spells are the times in which jobs ran: those that run, and those that ended by the accounting log.
func (r *run) spells(f *formula.Job) (list []fairshare.Spell) {
	for _, c := range r.world.Running {
		ran := r.usedOf(c, "walltime")
		if c.Entity == nil || c.Started == clock.Never || ran <= 0 {
			continue
		}
		used := f.Usage(r.usedBy(c, usage{ran, r.usedOf(c, "cput")}))
		list = append(list, fairshare.Spell{Entity: c.Entity.Name, From: time.Unix(c.Started, 0), Rate: used / ran, Most: used})
	}
	for i := range r.world.PBS.Accounting {
		if s, ok := r.ended(f, &r.world.PBS.Accounting[i]); ok {
			list = append(list, s)
		}
	}
	return list
}

// ended is the spell of a job that ended.
func (r *run) ended(f *formula.Job, a *model.AccountingRecord) (s fairshare.Spell, ok bool) {
	used, asked := amountsOf(a, "resources_used."), amountsOf(a, "Resource_List.")
	ran, _ := model.PBSAmount(a.Value("resources_used.walltime"))
	if a.Type != "E" || ran <= 0 {
		return s, false
	}
	names := map[string]string{"euser": "user", "egroup": "group", "Account_Name": "account", "project": "project"}
	attribute := func(name string) string { return a.Value(names[name]) }
	all := f.Usage(append(used, asked...))
	return fairshare.Spell{
		Entity: fairshare.EntityName(r.world.Tree.Policy.Entity, attribute, a.Value("queue")),
		From:   model.PBSTime(a.Value("start")), To: model.PBSTime(a.Value("end")),
		Rate: all / ran, Most: all,
	}, true
}

// amountsOf are the numbers of a record's fields whose name begins so.
func amountsOf(a *model.AccountingRecord, prefix string) (list []model.Amount) {
	for _, field := range a.Fields {
		if name, is := strings.CutPrefix(field.Name, prefix); is {
			if value, ok := model.PBSAmount(field.Value); ok {
				list = append(list, model.Amount{Name: name, Value: value})
			}
		}
	}
	return list
}
