package cycle

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// Ended are the jobs and subjobs that have ended, as accounting records tell of them.
func Ended(records []model.AccountingRecord) (list []model.EndedTask) {
	for i := range records {
		r := &records[i]
		if r.Type != "E" || strings.Contains(r.ID, "[]") {
			continue
		}
		t := model.EndedTask{Name: r.Value("jobname"), Owner: r.Value("user"), Group: r.Value("group"), Project: r.Value("project"), Account: r.Value("account"),
			Queue: r.Value("queue"), Submitted: epoch(r.Value("ctime")), Started: epoch(r.Value("start")), Ended: epoch(r.Value("end"))}
		t.Job, t.Task = numbers(r.ID)
		t.Array = strings.Contains(r.ID, "[")
		t.ExitStatus, _ = strconv.Atoi(r.Value("Exit_status"))
		slots, _ := strconv.ParseUint(r.Value("Resource_List.ncpus"), 10, 31)
		t.Slots = int(slots)
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

// length is a time such as 01:30:00 or 5400, 0 for none and for one that is none.
func length(text string) time.Duration {
	if amount, ok := model.PBSAmount(text); ok && amount > 0 && amount < float64(fiveYear) {
		return time.Duration(amount) * time.Second
	}
	return 0
}

// epoch is a time in seconds since 1970, zero for none.
func epoch(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// numbers are the sequence number of an id, and the index of a subjob, 1 for others.
func numbers(id string) (job, task uint32) {
	short, _, _ := strings.Cut(id, ".")
	sequence, index, isArray := strings.Cut(strings.TrimSuffix(short, "]"), "[")
	n, _ := strconv.ParseUint(sequence, 10, 32)
	k := uint64(1)
	if isArray {
		k, _ = strconv.ParseUint(index, 10, 32)
	}
	return uint32(n), uint32(k)
}

// Grants are the processors that exec_vnode has of each vnode, in its order.
func Grants(execVnode string) (list []model.Grant) {
	sums := amountsOf(execVnode)
	for _, part := range strings.FieldsFunc(execVnode, func(r rune) bool { return r == '(' || r == ')' || r == '+' }) {
		name, _, _ := strings.Cut(part, ":")
		if !slices.ContainsFunc(list, func(g model.Grant) bool { return g.Instance == name }) {
			list = append(list, model.Grant{Instance: name, Slots: int(math.Min(sums[name]["ncpus"], math.MaxInt32))})
		}
	}
	return list
}
