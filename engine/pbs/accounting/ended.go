package accounting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
)

// AmountsOf are the amounts that exec_vnode has of each vnode.
func AmountsOf(execVnode string) map[string]map[string]float64 {
	sums := map[string]map[string]float64{}
	for _, part := range strings.FieldsFunc(execVnode, func(r rune) bool { return r == '(' || r == ')' || r == '+' }) {
		fields := strings.Split(part, ":")
		if sums[fields[0]] == nil {
			sums[fields[0]] = map[string]float64{}
		}
		for _, f := range fields[1:] {
			name, value, _ := strings.Cut(f, "=")
			if amount, ok := model.PBSAmount(value); ok {
				sums[fields[0]][name] += amount
			}
		}
	}
	return sums
}

// Ended are the jobs and subjobs that have ended, as accounting records tell of them.
func Ended(records []model.AccountingRecord) (list []model.EndedTask) {
	for i := range records {
		r := &records[i]
		id, _ := model.ParsePBSID(r.ID) // a job whose number is too great has ended as well
		if r.Type != "E" || id.Array && !id.Subjob {
			continue
		}
		t := model.EndedTask{Name: r.Value("jobname"), Owner: r.Value("user"), Group: r.Value("group"),
			Project: r.Value("project"), Account: r.Value("account"),
			Queue: r.Value("queue"), Submitted: model.PBSTime(r.Value("ctime")), Started: model.PBSTime(r.Value("start")),
			Ended: model.PBSTime(r.Value("end"))}
		t.Job, t.Task, t.Array = id.Number, 1, id.Array
		if id.Subjob {
			t.Task = id.Index
		}
		t.ExitStatus, _ = strconv.Atoi(r.Value("Exit_status"))
		t.Slots = processors(r)
		t.MaxVMem = memory(r)
		t.CPU = length(r.Value("resources_used.cput")).Seconds()
		t.Wallclock = length(r.Value("resources_used.walltime"))
		if r.Value("resources_used.walltime") == "" && !t.Started.IsZero() {
			t.Wallclock = t.Ended.Sub(t.Started)
		}
		if asked := length(r.Value("Resource_List.walltime")); asked > 0 {
			t.Category = fmt.Sprintf("-l h_rt=%.0f", asked.Seconds())
		}
		list = append(list, t)
	}
	return list
}

// memory is what a job used of it at most, in bytes: 0 where the record does not tell.
func memory(r *model.AccountingRecord) float64 {
	const perUnit = 1024 // amounts of memory are in kilobytes
	for _, key := range []string{"resources_used.mem", "resources_used.vmem"} {
		if amount, ok := model.PBSAmount(r.Value(key)); ok && amount > 0 {
			return amount * perUnit
		}
	}
	return 0
}

// length is a time such as 01:30:00 or 5400, 0 for none and for one that is none.
func length(text string) time.Duration {
	if amount, ok := model.PBSAmount(text); ok && amount > 0 && amount < float64(clock.FiveYears) {
		return time.Duration(amount) * time.Second
	}
	return 0
}

// Grants are the processors that exec_vnode has of each vnode, in its order.
func Grants(execVnode string) (list []model.Grant) {
	sums := AmountsOf(execVnode)
	for _, part := range strings.FieldsFunc(execVnode, func(r rune) bool { return r == '(' || r == ')' || r == '+' }) {
		name, _, _ := strings.Cut(part, ":")
		if !slices.ContainsFunc(list, func(g model.Grant) bool { return g.Instance == name }) {
			list = append(list, model.Grant{Instance: name, Slots: int(math.Min(sums[name]["ncpus"], math.MaxInt32))})
		}
	}
	return list
}
