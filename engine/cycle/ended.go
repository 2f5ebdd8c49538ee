package cycle

import (
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
		t.ExitStatus, _ = strconv.Atoi(r.Value("Exit_status"))
		if used, ok := model.PBSAmount(r.Value("resources_used.walltime")); ok && r.Value("resources_used.walltime") != "" {
			t.Wallclock = time.Duration(used) * time.Second
		} else if !t.Started.IsZero() {
			t.Wallclock = t.Ended.Sub(t.Started)
		}
		list = append(list, t)
	}
	return list
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
