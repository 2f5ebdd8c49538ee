package accounting

import (
	"fmt"
	"strconv"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
)

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
