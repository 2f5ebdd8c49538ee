package cycle

import (
	"strings"

	"qprism/engine/model"
)

// A status says how final a failure is.
type status uint8

const (
	unknown  status = iota // nothing failed
	notRun                 // another time the job may run
	neverRun               // not with the resources that are configured
)

// A failure is why a job does not run: a condition, and what it failed by.
type failure struct {
	status           status
	code             code
	res              int // the resource of codes that name one
	arg1, arg2, arg3 string
}

func (f *failure) failed() bool { return f.status != unknown }

func fails(c code, args ...string) failure {
	f := failure{status: notRun, code: c}
	for i, a := range args {
		switch i {
		case 0:
			f.arg1 = a
		case 1:
			f.arg2 = a
		case 2:
			f.arg3 = a
		}
	}
	return f
}

// A code names a condition of the scheduler.
type code uint8

const (
	noFailure code = iota
	schedError
	notQueued
	queueNotStarted
	queueNotExec
	queueJobLimit
	serverJobLimit
	serverUserLimit
	queueUserLimit
	serverGroupLimit
	queueGroupLimit
	dedicatedTime
	crossDedicated
	primeOnly
	nonPrimeOnly
	crossPrime
	noNodeResources
	queueUserResLimit
	serverUserResLimit
	queueGroupResLimit
	serverGroupResLimit
	noFairshares
	nodeNotExcl
	nodeJobLimit
	nodeUserLimit
	nodeGroupLimit
	nodeNoMultiJobs
	insufficient
	reservedAhead
	strictOrdering
	queueInsufficient
	serverInsufficient
	queueByGroupLimit
	queueByUserLimit
	serverByGroupLimit
	serverByUserLimit
	serverByGroupResLimit
	serverByUserResLimit
	queueByGroupResLimit
	queueByUserResLimit
	queueResLimit
	serverResLimit
	setTooSmall
	cantSpanSets
	noFreeNodes
	serverProjectLimit
	serverProjectResLimit
	serverByProjectResLimit
	serverByProjectLimit
	queueProjectLimit
	queueProjectResLimit
	queueByProjectResLimit
	queueByProjectLimit
	noTotalNodes
	underThreshold
	maxRunSubjobs
	invalidReservation
	nodeNotReservable
)

// A wording is what the scheduler writes about a condition: into its log, and as the job's comment where that differs.
// $1 to $3 are the failure's arguments, $R its resource.
type wording struct {
	log, comment string
	kind         model.ReasonKind
}

var wordings = map[code]wording{
	schedError:              {"A scheduling error has occurred", "Internal Scheduling Error", model.ReasonError},
	queueNotStarted:         {"Queue not started", "Queue not started.", model.ReasonQueueState},
	queueNotExec:            {"Queue not an execution queue", "Queue not an execution queue.", model.ReasonQueueType},
	queueJobLimit:           {"Queue $1 job limit reached", "Queue $1 job limit has been reached.", model.ReasonLimit},
	serverJobLimit:          {"Server job limit reached", "Server job limit has been reached.", model.ReasonLimit},
	serverUserLimit:         {"Server per-user job limit reached", "User has reached server running job limit.", model.ReasonLimit},
	queueUserLimit:          {"Queue $1 per-user job limit reached", "User has reached queue $1 running job limit.", model.ReasonLimit},
	serverGroupLimit:        {"Server per-group limit reached", "Group has reached server running limit.", model.ReasonLimit},
	queueGroupLimit:         {"Queue $1 per-group job limit reached", "Group has reached queue $1 running limit.", model.ReasonLimit},
	dedicatedTime:           {"Dedicated Time", "Dedicated time conflict", model.ReasonDedicated},
	crossDedicated:          {"Job would not finish before dedicated time", "Job would cross dedicated time boundary", model.ReasonDedicated},
	primeOnly:               {"Job only runs in primetime", "Job will run in primetime only", model.ReasonPrime},
	nonPrimeOnly:            {"Job only runs in nonprimetime", "Job will run in nonprimetime only", model.ReasonPrime},
	crossPrime:              {"Job would cross into $1", "Job will cross into $1", model.ReasonPrime},
	noNodeResources:         {"No available resources on nodes", "", model.ReasonFull},
	queueUserResLimit:       {"Queue $1 per-user limit reached on resource $R", "", model.ReasonLimit},
	serverUserResLimit:      {"Server per-user limit reached on resource $R", "", model.ReasonLimit},
	queueGroupResLimit:      {"Queue $1 per-group limit reached on resource $R", "", model.ReasonLimit},
	serverGroupResLimit:     {"Server per-group limit reached on resource $R", "", model.ReasonLimit},
	noFairshares:            {"Job has zero shares for fairshare", "", model.ReasonShares},
	nodeNotExcl:             {"$1 is requesting an exclusive node and node is in use", "", model.ReasonExclusive},
	nodeJobLimit:            {"Node has reached job run limit", "", model.ReasonLimit},
	nodeUserLimit:           {"Node has reached user run limit", "", model.ReasonLimit},
	nodeGroupLimit:          {"Node has reached group run limit", "", model.ReasonLimit},
	nodeNoMultiJobs:         {"Node can't satisfy a multi-node job", "", model.ReasonQueueState},
	insufficient:            {"Insufficient amount of resource: $R $1", "", model.ReasonResource},
	reservedAhead:           {"Job would conflict with reservation or top job", "", model.ReasonReserved},
	strictOrdering:          {"Job would break strict sorted order", "", model.ReasonStrictOrder},
	queueInsufficient:       {"Insufficient amount of queue resource: $R $1", "", model.ReasonResource},
	serverInsufficient:      {"Insufficient amount of server resource: $R $1", "", model.ReasonResource},
	queueByGroupLimit:       {"Queue $1 job limit reached for group $2", "", model.ReasonLimit},
	queueByUserLimit:        {"Queue $1 job limit reached for user $2", "", model.ReasonLimit},
	serverByGroupLimit:      {"Server job limit reached for group $1", "", model.ReasonLimit},
	serverByUserLimit:       {"Server job limit reached for user $1", "", model.ReasonLimit},
	serverByGroupResLimit:   {"would exceed group $1's limit on resource $R in complex", "", model.ReasonLimit},
	serverByUserResLimit:    {"would exceed user $1's limit on resource $R in complex", "", model.ReasonLimit},
	queueByGroupResLimit:    {"would exceed group $2's limit on resource $R in queue $1", "", model.ReasonLimit},
	queueByUserResLimit:     {"would exceed user $2's limit on resource $R in queue $1", "", model.ReasonLimit},
	queueResLimit:           {"would exceed overall limit on resource $R in queue $1", "", model.ReasonLimit},
	serverResLimit:          {"would exceed overall limit on resource $R in complex", "", model.ReasonLimit},
	setTooSmall:             {"$1 set $2 has too few free resources or is too small", "$1 set $2 has too few free resources", model.ReasonPlacementSet},
	cantSpanSets:            {"Can't fit in the largest placement set, and can't span placement sets", "can't fit in the largest placement set, and can't span psets", model.ReasonPlacementSet},
	noFreeNodes:             {"Not enough free nodes available", "", model.ReasonFull},
	serverProjectLimit:      {"Server per-project limit reached", "Project has reached server running limit.", model.ReasonLimit},
	serverProjectResLimit:   {"Server per-project limit reached on resource $R", "", model.ReasonLimit},
	serverByProjectResLimit: {"would exceed project $1's limit on resource $R in complex", "", model.ReasonLimit},
	serverByProjectLimit:    {"Server job limit reached for project $1", "", model.ReasonLimit},
	queueProjectLimit:       {"Queue $1 per-project job limit reached", "Project has reached queue $1's running limit.", model.ReasonLimit},
	queueProjectResLimit:    {"Queue $1 per-project limit reached on resource $R", "", model.ReasonLimit},
	queueByProjectResLimit:  {"would exceed project $2's limit on resource $R in queue $1", "", model.ReasonLimit},
	queueByProjectLimit:     {"Queue $1 job limit reached for project $2", "", model.ReasonLimit},
	noTotalNodes:            {"Not enough total nodes available", "", model.ReasonFull},
	underThreshold:          {"Job is under job_sort_formula threshold value", "", model.ReasonThreshold},
	maxRunSubjobs:           {"Number of concurrent running subjobs limit reached", "", model.ReasonTaskLimit},
	nodeNotReservable:       {"Node not eligible for advance reservation", "", model.ReasonAdvance},
	invalidReservation:      {"Reservation is in an invalid state", "", model.ReasonAdvance},
}

// text is what the scheduler logs about a failure; empty where it logs nothing.
func (r *resources) text(f *failure) string { return r.fill(wordings[f.code].log, f) }

// comment is what the scheduler writes into the job's comment about it.
func (r *resources) comment(f *failure) string {
	w := wordings[f.code]
	if w.comment == "" {
		w.comment = w.log
	}
	if f.status == neverRun {
		return "Can Never Run: " + r.fill(w.comment, f)
	}
	return "Not Running: " + r.fill(w.comment, f)
}

func (r *resources) fill(format string, f *failure) string {
	if !strings.Contains(format, "$") {
		return format
	}
	return strings.NewReplacer("$1", f.arg1, "$2", f.arg2, "$3", f.arg3, "$R", r.list[f.res].name).Replace(format)
}
