package retrace

import (
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// Substates of jobs.
const (
	queued              = 10
	heldForOthers       = 22
	starting            = 41
	runs                = 42
	suspendedByTheSched = 45
)

// recorded makes a waiting job of an accounting record: what its submitter asked for is in it, but its priority is not.
func recorded(r *model.AccountingRecord) model.Job {
	_, server, _ := strings.Cut(r.ID, ".")
	p := &model.PBSJob{ID: r.ID, State: "Q", Substate: queued, Queue: r.Value("queue"), Server: server,
		User:   r.Value("user") + "@" + server,
		Queued: model.PBSTime(r.Value("qtime")), Eligible: model.PBSTime(r.Value("etime")),
		Depend: r.Value("depend"), AccrueType: 2}
	j := model.Job{Name: r.Value("jobname"), Owner: r.Value("user"), Group: r.Value("group"), Project: r.Value("project"),
		Account: r.Value("account"), Submitted: model.PBSTime(r.Value("ctime")), PBS: p}
	id, _ := model.ParsePBSID(r.ID)
	j.Number, p.Index = id.Number, id.Index
	p.QueueRank = p.Queued.UnixMicro()
	for _, f := range r.Fields {
		if name, ok := strings.CutPrefix(f.Name, "Resource_List."); ok {
			ask(&j, name, f.Value)
		}
	}
	switch {
	case p.Index > 0:
		p.Array = model.PBSArrayOf(r.ID)
	case strings.Contains(r.ID, "[]"):
		p.ArrayRemaining = ranges(r.Value("array_indices"))
		j.Array, j.Structure = true, p.ArrayRemaining
	}
	if p.Eligible.IsZero() && p.Depend != "" {
		p.State, p.Substate, p.Holds, p.AccrueType = "H", heldForOthers, "s", 1
	}
	return j
}

// ask changes what a job asks for.
func ask(j *model.Job, name, value string) {
	switch name {
	case "select":
		j.PBS.Select, j.PBS.SchedSelect = value, ""
		return
	case "place":
		j.PBS.Place = value
		return
	}
	amount, ok := model.PBSAmount(value)
	if !ok {
		amount = 0
	}
	asked := model.Request{Resource: name, Value: value, Amount: amount}
	hard := make([]model.Request, 0, len(j.Hard)+1)
	for _, r := range j.Hard {
		if r.Resource != name {
			hard = append(hard, r)
		}
	}
	j.Hard = append(hard, asked)
}

// start makes a job run, as an accounting record tells.
func start(j *model.Job, r *model.AccountingRecord) {
	p := j.PBS
	p.State, p.Substate, p.AccrueType, p.Preempted = "R", runs, 3, time.Time{}
	p.ExecVnode, p.ExecHost = r.Value("exec_vnode"), r.Value("exec_host")
	if p.Started = model.PBSTime(r.Value("start")); p.Started.IsZero() {
		p.Started = r.At
	}
}

// wait makes a job wait that ran, as it did before it started.
func wait(j *model.Job) {
	p := j.PBS
	p.State, p.Substate, p.AccrueType = "Q", queued, 2
	p.ExecVnode, p.ExecHost, p.Started, p.Used, p.Released = "", "", time.Time{}, nil, ""
}

// suspend makes a job suspended that ran, to be resumed by the scheduler.
func suspend(j *model.Job, r *model.AccountingRecord) {
	p := j.PBS
	p.State, p.Substate, p.AccrueType, p.Preempted = "S", suspendedByTheSched, 2, r.At
	var used []model.Request
	for _, f := range r.Fields {
		if name, ok := strings.CutPrefix(f.Name, "resources_used."); ok {
			used = append(used, model.Request{Resource: name, Value: f.Value})
		}
	}
	if len(used) > 0 {
		p.Used = used
	}
}

// alter changes an attribute of a job by its name in an accounting record; ok is false for one that is not known here.
func alter(j *model.Job, name, value string) (ok bool) {
	resource, isRequest := strings.CutPrefix(name, "Resource_List.")
	switch {
	case isRequest:
		ask(j, resource, value)
	case name == "Priority":
		n, err := strconv.Atoi(value)
		j.PosixPriority, ok = n, err == nil
		return ok
	case name == "eligible_time":
		seconds, known := model.PBSAmount(value)
		j.PBS.EligibleTime = time.Duration(seconds) * time.Second
		return known
	case name == "topjob_ineligible":
		j.PBS.NoTopJob = strings.EqualFold(value, "true")
	case name == "Account_Name":
		j.Account = value
	case name == "project":
		j.Project = value
	case name == "Job_Name":
		j.Name = value
	default:
		return false
	}
	return true
}

// ranges reads indices, "3-9:2,12"; what makes no sense is left out.
func ranges(text string) (list []model.Range) {
	for _, part := range strings.Split(text, ",") {
		span, step, stepped := strings.Cut(part, ":")
		low, high, isRange := strings.Cut(span, "-")
		a, err1 := strconv.ParseUint(low, 10, 32)
		b, err2 := a, error(nil)
		if isRange {
			b, err2 = strconv.ParseUint(high, 10, 32)
		}
		s, err3 := uint64(1), error(nil)
		if stepped {
			s, err3 = strconv.ParseUint(step, 10, 32)
		}
		if err1 == nil && err2 == nil && err3 == nil && b >= a && s > 0 {
			list = append(list, model.Range{Min: uint32(a), Max: uint32(b), Step: uint32(s)})
		}
	}
	return list
}
