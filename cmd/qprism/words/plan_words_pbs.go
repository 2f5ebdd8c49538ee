package words

import (
	"cmp"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// shortPBSReason returns the text of the scheduler's log, which administrators know.
func shortPBSReason(r *model.Reason) string {
	if r.Never {
		return "never: " + r.Text
	}
	return r.Text
}

// pbsReasonText explains the scheduler's log message about a job that does not start.
func pbsReasonText(r *model.Reason) string {
	switch r.Kind {
	case model.ReasonResource:
		return pbsShortage(r)
	case model.ReasonLimit:
		return limitText(r)
	case model.ReasonQueueState:
		return "its queue is stopped (started = False)"
	case model.ReasonQueueType:
		return "its queue is not an execution queue"
	case model.ReasonDedicated, model.ReasonPrime:
		return timeText(r)
	case model.ReasonFull:
		return fullText(r)
	case model.ReasonShares:
		return "its fairshare entity has no shares, so its jobs never run (fairshare_enforce_no_shares)"
	case model.ReasonRefused:
		return "the server refused to start it (a hook or a host said: " + r.Object + "), and will probably refuse again"
	case model.ReasonThreshold:
		return "the value of job_sort_formula is not above job_sort_formula_threshold"
	case model.ReasonExclusive:
		return "it needs exclusive use, but other jobs run there"
	case model.ReasonReserved:
		return "a reservation or a top job needs the resources before this job would end"
	case model.ReasonStrictOrder:
		return "an earlier job cannot start, and strict ordering lets no job pass it"
	case model.ReasonPlacementSet:
		if r.Object != "" {
			return "placement set " + r.Object + " has too little room or is too small"
		}
		return "it is too large for each placement set, and must not span several"
	case model.ReasonTaskLimit:
		return "its running subjobs have reached max_run_subjobs"
	}
	return r.Text
}

// pbsShortage says what there is too little of, and where.
func pbsShortage(r *model.Reason) string {
	where := ""
	switch r.Failure {
	case model.FailQueueInsufficient:
		where = " in its queue (resources_available)"
	case model.FailServerInsufficient:
		where = " on the server (resources_available)"
	}
	switch {
	case r.Differs:
		return r.Resource + " does not match" + where + ": requested " + r.Asked + ", available " + cmp.Or(r.Offered, "none")
	case r.Never:
		return "there is not enough " + r.Resource + where + ", even on an empty cluster" + askedOffered(r)
	}
	return "too little " + r.Resource + " is free" + where + askedOffered(r)
}

// counted are those whom a limit counts.
var counted = map[model.Whose]string{model.Everybody: "all jobs together", model.OneUser: "its owner",
	model.OneGroup:   "its group",
	model.OneProject: "its project"}

// limitText says whose limit is reached, and for which resource.
func limitText(r *model.Reason) string {
	if r.Failure.OfVnode() {
		return "vnodes have reached a job limit (max_running, max_user_run, max_group_run)"
	}
	where, who := "the server allows", counted[r.Failure.Whose()]
	if r.Failure.OfQueue() {
		where = "queue " + r.Object + " allows"
	}
	switch {
	case r.Resource != "":
		return who + " would use more " + r.Resource + " than " + where + " (max_run_res." + r.Resource + ")"
	case r.Failure.Whose() == model.Everybody:
		return "as many jobs run as " + where + " (max_run)"
	}
	return who + " runs as many jobs as " + where + " (max_run)"
}

// timeText says which time of the day prevents a start.
func timeText(r *model.Reason) string {
	switch r.Failure {
	case model.FailDedicatedTime:
		return "in dedicated time, only dedicated queues (dedicated_prefix) run jobs, and these queues run no jobs " +
			"at other times"
	case model.FailCrossDedicated:
		return "it would not end before dedicated time begins"
	case model.FailPrimeOnly:
		return "its queue runs jobs only in primetime"
	case model.FailNonPrimeOnly:
		return "its queue runs jobs only outside primetime"
	}
	return "it would still run in " + r.Object + ", which backfill_prime forbids"
}

func fullText(r *model.Reason) string {
	switch {
	case r.Never:
		return "there are fewer vnodes than it requests"
	case r.Failure == model.FailNoFreeNodes:
		return "too few vnodes are free"
	}
	return "no vnode has the requested resources free"
}

// jobStateText says why the scheduler does not look at a job.
func jobStateText(r *model.Reason) string {
	switch r.Offered {
	case "H":
		return holdText(r)
	case "W":
		return "it must not start before " + r.Asked + " UTC (qsub -a)"
	case "S":
		return "somebody suspended it (\"qsig -s resume\" resumes it)"
	case "U":
		return "it is suspended because its workstation is in use"
	case "T", "M":
		return "it is being moved"
	}
	return "queue " + r.Asked + " is not an execution queue of the scheduler"
}

// shortJobState is the same in the width of a column.
func shortJobState(r *model.Reason) string {
	switch {
	case r.Resource == "depend":
		return "depends " + r.Asked
	case r.Offered == "H":
		return "held"
	case r.Offered == "W":
		return "not before " + r.Asked
	case r.Offered == "S", r.Offered == "U":
		return "suspended"
	}
	return "not the scheduler's"
}

func holdText(r *model.Reason) string {
	if r.Resource == "depend" {
		return "it waits for other jobs: " + r.Asked
	}
	who := []string{}
	for _, h := range []struct{ letter, words string }{{"u", "its owner"}, {"o", "an operator"}, {"s", "the system"},
		{"p", "a bad password"}} {
		if strings.Contains(r.Asked, h.letter) {
			who = append(who, h.words)
		}
	}
	if len(who) == 0 {
		return "it is held"
	}
	return "it is held by " + show.JoinAnd(who) + " (" + r.Asked + ")"
}

// vnodeText says why a vnode has no room.
func vnodeText(r *model.Reason) string {
	switch {
	case r.Kind == model.ReasonQueueState && r.Later:
		return "is full (" + r.Offered + ")"
	case r.Kind == model.ReasonQueueState:
		return "is " + strings.ReplaceAll(r.Offered, ",", ", ")
	case r.Kind == model.ReasonResource && r.Later:
		return "has too little " + r.Resource + " free" + askedOffered(r)
	case r.Differs:
		return "has " + r.Resource + " " + cmp.Or(r.Offered, "none") + ", not " + r.Asked
	case r.Kind == model.ReasonResource:
		return "has too little " + r.Resource + " even on an empty cluster" + askedOffered(r)
	}
	return ReasonText(r)
}
