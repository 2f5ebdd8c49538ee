package retrace_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/model"
	"qprism/engine/pbs/retrace"
)

// TestNoRecordMakesAnAuditPanic audits with logs and records that no server would write.
func TestNoRecordMakesAnAuditPanic(t *testing.T) {
	base, before := find(t, "preemption", "after1"), find(t, "preemption", "before")
	ids := []string{"", "x", "[]", "1[", "]1[2", "99999999999.srv", "896[7].pbsvm", "620.pbsvm",
		"621[].pbsvm", "R1.pbsvm", "\x00"}
	for i := range base.Jobs {
		ids = append(ids, base.Jobs[i].PBS.ID)
	}
	rapid.Check(t, func(r *rapid.T) {
		s := *base
		p := *base.PBS
		s.PBS = &p
		id := rapid.SampledFrom(ids)
		at := rapid.Map(rapid.IntRange(-30, 30), func(n int) time.Time {
			return s.TakenAt.Add(time.Duration(n) * time.Second)
		})
		p.Accounting = rapid.SliceOfN(rapid.Custom(func(r *rapid.T) model.AccountingRecord {
			return anyRecord(r, id, at)
		}), 0, 30).Draw(r, "records")
		c := model.SchedCycle{Start: at.Draw(r, "cycle")}
		for range rapid.IntRange(0, 12).Draw(r, "events") {
			kinds := []model.EventKind{model.EventConsidered, model.EventRun, model.EventNotRun,
				model.EventTopJob, model.EventPreempted, model.EventQrun,
				model.EventFormula, model.EventReservation, model.EventFairshare, model.EventOther}
			c.Events = append(c.Events, model.CycleEvent{Kind: rapid.SampledFrom(kinds).Draw(r, "kind"),
				Object: id.Draw(r, "object"), Text: rapid.String().Draw(r, "text")})
		}
		p.Cycles = []model.SchedCycle{c}
		opts := retrace.Options{}
		if rapid.Bool().Draw(r, "before") {
			opts.Before = before
		}
		report := retrace.Run(&s, opts)
		if sum := report.Sum(); sum.Agree+sum.Stale+sum.Missing+sum.Unexplained != sum.Reported ||
			len(report.Disagreements) != sum.Reported-sum.Agree {
			r.Errorf("%+v, %d disagreements", sum, len(report.Disagreements))
		}
		report.Recorded(&s)
	})
}

func anyRecord(r *rapid.T, id *rapid.Generator[string], at *rapid.Generator[time.Time]) model.AccountingRecord {
	a := model.AccountingRecord{At: at.Draw(r, "at"), ID: id.Draw(r, "id"),
		Type: rapid.SampledFrom([]string{"Q", "S", "E", "D", "A", "R", "z", "r", "a", "U",
			"Y", "B", "F", "K", "k", "", "?"}).Draw(r, "type")}
	values := []string{"", "0", "-1", "1795248631", "(pbsn1:ncpus=4)", "(((", "+:=", "1-4",
		"9-1:0", "x", fmt.Sprint(uint64(1) << 63)}
	for _, name := range []string{"user", "group", "queue", "ctime", "qtime", "etime", "start",
		"exec_vnode", "array_indices", "depend", "nodes", "Priority",
		"Resource_List.ncpus", "Resource_List.select", "Resource_List.place", "resources_used.walltime", "eligible_time"} {
		if rapid.Bool().Draw(r, name) {
			a.Fields = append(a.Fields, model.Setting{Name: name, Value: rapid.SampledFrom(values).Draw(r, "value")})
		}
	}
	return a
}
