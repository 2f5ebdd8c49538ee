package reason

import (
	"strings"

	"qprism/engine/model"
)

// A Status says whether a failed job may run later or can never run.
type Status uint8

const (
	Unknown  Status = iota // nothing failed
	NotRun                 // the job may run at another time
	NeverRun               // the job cannot run with the configured resources
)

// A Failure is a condition that a job does not meet, with details.
type Failure struct {
	Status Status
	Code   model.Failure
	Res    int    // the resource, for codes that name one
	Object string // the queue, the placement set, or the obstacle
	Entity string // the user, group or project of a limit
	Place  string // the vnode or host of the request that does not match
	Amounts
}

// Amounts are the requested and the available amounts. The scheduler's log omits them if it is about many
// vnodes.
type Amounts struct {
	Asked, Available, Total string // total is empty for what is not consumed, such as a name
	Differs                 bool   // the value is not too small, but different
}

func (f *Failure) Failed() bool { return f.Status != Unknown }

// Or is the failure, or the other one if there is none.
func (f Failure) Or(other Failure) Failure {
	if f.Failed() {
		return f
	}
	return other
}

// Of is a failure that may end, with an optional object.
func Of(c model.Failure, object ...string) Failure {
	return Failure{Status: NotRun, Code: c, Object: strings.Join(object, " ")}
}

// text is what the log has of amounts, empty where they are left out.
func (a *Amounts) text() string {
	switch {
	case a.Differs:
		return "(" + a.Asked + " != " + a.Available + ")"
	case a.Total != "":
		return "(R: " + a.Asked + " A: " + a.Available + " T: " + a.Total + ")"
	}
	return ""
}

// A wording is what the scheduler writes about a condition: into its log, and as the job's comment where that differs.
// $O is the failure's object, $W who it is about, $R its resource, $A the amounts.
type wording struct {
	log, comment string
	kind         model.ReasonKind
}

var wordings = map[model.Failure]wording{
	model.FailSchedError:      {"A scheduling error has occurred", "Internal Scheduling Error", model.ReasonError},
	model.FailQueueNotStarted: {"Queue not started", "Queue not started.", model.ReasonQueueState},
	model.FailQueueNotExec:    {"Queue not an execution queue", "Queue not an execution queue.", model.ReasonQueueType},
	model.FailQueueJobLimit:   {"Queue $O job limit reached", "Queue $O job limit has been reached.", model.ReasonLimit},
	model.FailServerJobLimit:  {"Server job limit reached", "Server job limit has been reached.", model.ReasonLimit},
	model.FailServerUserLimit: {"Server per-user job limit reached", "User has reached server running job limit.",
		model.ReasonLimit},
	model.FailQueueUserLimit: {"Queue $O per-user job limit reached", "User has reached queue $O running job limit.",
		model.ReasonLimit},
	model.FailServerGroupLimit: {"Server per-group limit reached", "Group has reached server running limit.",
		model.ReasonLimit},
	model.FailQueueGroupLimit: {"Queue $O per-group job limit reached", "Group has reached queue $O running limit.",
		model.ReasonLimit},
	model.FailDedicatedTime: {"Dedicated Time", "Dedicated time conflict", model.ReasonDedicated},
	model.FailCrossDedicated: {"Job would not finish before dedicated time", "Job would cross dedicated time boundary",
		model.ReasonDedicated},
	model.FailPrimeOnly: {"Job only runs in primetime", "Job will run in primetime only", model.ReasonPrime},
	model.FailNonPrimeOnly: {"Job only runs in nonprimetime", "Job will run in nonprimetime only",
		model.ReasonPrime},
	model.FailCrossPrime:            {"Job would cross into $O", "Job will cross into $O", model.ReasonPrime},
	model.FailNoNodeResources:       {"No available resources on nodes", "", model.ReasonFull},
	model.FailQueueUserResLimit:     {"Queue $O per-user limit reached on resource $R", "", model.ReasonLimit},
	model.FailServerUserResLimit:    {"Server per-user limit reached on resource $R", "", model.ReasonLimit},
	model.FailQueueGroupResLimit:    {"Queue $O per-group limit reached on resource $R", "", model.ReasonLimit},
	model.FailServerGroupResLimit:   {"Server per-group limit reached on resource $R", "", model.ReasonLimit},
	model.FailNoFairshares:          {"Job has zero shares for fairshare", "", model.ReasonShares},
	model.FailNodeNotExcl:           {"$O is requesting an exclusive node and node is in use", "", model.ReasonExclusive},
	model.FailNodeJobLimit:          {"Node has reached job run limit", "", model.ReasonLimit},
	model.FailNodeUserLimit:         {"Node has reached user run limit", "", model.ReasonLimit},
	model.FailNodeGroupLimit:        {"Node has reached group run limit", "", model.ReasonLimit},
	model.FailNodeNoMultiJobs:       {"Node can't satisfy a multi-node job", "", model.ReasonQueueState},
	model.FailInsufficient:          {"Insufficient amount of resource: $R $A", "", model.ReasonResource},
	model.FailReservedAhead:         {"Job would conflict with reservation or top job", "", model.ReasonReserved},
	model.FailStrictOrdering:        {"Job would break strict sorted order", "", model.ReasonStrictOrder},
	model.FailQueueInsufficient:     {"Insufficient amount of queue resource: $R $A", "", model.ReasonResource},
	model.FailServerInsufficient:    {"Insufficient amount of server resource: $R $A", "", model.ReasonResource},
	model.FailQueueByGroupLimit:     {"Queue $O job limit reached for group $W", "", model.ReasonLimit},
	model.FailQueueByUserLimit:      {"Queue $O job limit reached for user $W", "", model.ReasonLimit},
	model.FailServerByGroupLimit:    {"Server job limit reached for group $W", "", model.ReasonLimit},
	model.FailServerByUserLimit:     {"Server job limit reached for user $W", "", model.ReasonLimit},
	model.FailServerByGroupResLimit: {"would exceed group $W's limit on resource $R in complex", "", model.ReasonLimit},
	model.FailServerByUserResLimit:  {"would exceed user $W's limit on resource $R in complex", "", model.ReasonLimit},
	model.FailQueueByGroupResLimit:  {"would exceed group $W's limit on resource $R in queue $O", "", model.ReasonLimit},
	model.FailQueueByUserResLimit:   {"would exceed user $W's limit on resource $R in queue $O", "", model.ReasonLimit},
	model.FailQueueResLimit:         {"would exceed overall limit on resource $R in queue $O", "", model.ReasonLimit},
	model.FailServerResLimit:        {"would exceed overall limit on resource $R in complex", "", model.ReasonLimit},
	model.FailSetTooSmall: {"Placement set $O has too few free resources or is too small",
		"Placement set $O has too few free resources", model.ReasonPlacementSet},
	model.FailCantSpanSets: {"Can't fit in the largest placement set, and can't span placement sets",
		"can't fit in the largest placement set, and can't span psets", model.ReasonPlacementSet},
	model.FailNoFreeNodes: {"Not enough free nodes available", "", model.ReasonFull},
	model.FailServerProjectLimit: {"Server per-project limit reached",
		"Project has reached server running limit.", model.ReasonLimit},
	model.FailServerProjectResLimit: {"Server per-project limit reached on resource $R", "", model.ReasonLimit},
	model.FailServerByProjectResLimit: {"would exceed project $W's limit on resource $R in complex",
		"", model.ReasonLimit},
	model.FailServerByProjectLimit: {"Server job limit reached for project $W", "", model.ReasonLimit},
	model.FailQueueProjectLimit: {"Queue $O per-project job limit reached",
		"Project has reached queue $O's running limit.", model.ReasonLimit},
	model.FailQueueProjectResLimit: {"Queue $O per-project limit reached on resource $R", "", model.ReasonLimit},
	model.FailQueueByProjectResLimit: {"would exceed project $W's limit on resource $R in queue $O",
		"", model.ReasonLimit},
	model.FailQueueByProjectLimit: {"Queue $O job limit reached for project $W", "", model.ReasonLimit},
	model.FailNoTotalNodes:        {"Not enough total nodes available", "", model.ReasonFull},
	model.FailUnderThreshold:      {"Job is under job_sort_formula threshold value", "", model.ReasonThreshold},
	model.FailMaxRunSubjobs:       {"Number of concurrent running subjobs limit reached", "", model.ReasonTaskLimit},
	model.FailRefused:             {"Failed to run: $O", "PBS Error: $O", model.ReasonRefused},
	model.FailNodeNotReservable:   {"Node not eligible for advance reservation", "", model.ReasonAdvance},
	model.FailInvalidReservation:  {"Reservation is in an invalid state", "", model.ReasonAdvance},
}

// text is what the scheduler logs about a failure; empty where it logs nothing.
func (f *Failure) text(resource string) string { return f.fill(wordings[f.Code].log, resource) }

// comment is what the scheduler writes into the job's comment about it.
func (f *Failure) comment(resource string) string {
	w := wordings[f.Code]
	if w.comment == "" {
		w.comment = w.log
	}
	if f.Status == NeverRun {
		return "Can Never Run: " + f.fill(w.comment, resource)
	}
	return "Not Running: " + f.fill(w.comment, resource)
}

// Reason converts a failure to data, with the name of its resource.
func (f *Failure) Reason(resource string) model.Reason {
	w := wordings[f.Code]
	m := model.Reason{Kind: w.kind, Failure: f.Code, Text: f.text(resource), Comment: f.comment(resource),
		Never: f.Status == NeverRun,
		Later: f.Status == NotRun, Reserved: f.Code == model.FailReservedAhead, Object: f.Object,
		Who: f.Entity, Asked: f.Asked, Offered: f.Available, Differs: f.Differs}
	if strings.Contains(w.log, "$R") {
		m.Resource = resource
	}
	return m
}

func (f *Failure) fill(format, resource string) string {
	if !strings.Contains(format, "$") {
		return format
	}
	return strings.NewReplacer("$O", f.Object, "$W", f.Entity, "$A", f.Amounts.text(), "$R", resource).Replace(format)
}
