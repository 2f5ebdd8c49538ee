package words

import (
	"cmp"
	"strings"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// shortPBSReason is what the scheduler logs, which administrators know.
func shortPBSReason(r *model.Reason) string {
	if r.Never {
		return "never: " + r.Text
	}
	return r.Text
}

// pbsReasonText says in words what the scheduler logs about a job that it does not start.
func pbsReasonText(r *model.Reason) string {
	switch r.Kind {
	case model.ReasonResource:
		return pbsShortage(r)
	case model.ReasonLimit:
		return limitText(r)
	case model.ReasonQueueState:
		return "its queue is stopped (started = False)"
	case model.ReasonQueueType:
		return "its queue is no execution queue"
	case model.ReasonDedicated, model.ReasonPrime:
		return timeText(r)
	case model.ReasonFull:
		return fullText(r)
	case model.ReasonShares:
		return "its fairshare entity has no shares, and fairshare_enforce_no_shares keeps such jobs from running"
	case model.ReasonRefused:
		return "the server refused to start it (a hook or a host said: " + r.Object + "), and is expected to do so again"
	case model.ReasonThreshold:
		return "the value of job_sort_formula is not above job_sort_formula_threshold"
	case model.ReasonExclusive:
		return "it wants to be alone, and somebody is there"
	case model.ReasonReserved:
		return "it would use what a reservation or a top job needs before it ends"
	case model.ReasonStrictOrder:
		return "a job before it could not start, and strict order lets none pass"
	case model.ReasonPlacementSet:
		if r.Object != "" {
			return "placement set " + r.Object + " has too little free or is too small"
		}
		return "it is too large for every placement set, and may not span several"
	case model.ReasonTaskLimit:
		return "as many of its subjobs run as max_run_subjobs allows"
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
		return r.Resource + " does not match" + where + ": asks for " + r.Asked + ", there is " + cmp.Or(r.Offered, "none")
	case r.Never:
		return "there is not enough " + r.Resource + where + ", even if nothing ran" + askedOffered(r)
	}
	return "too little " + r.Resource + " is free" + where + askedOffered(r)
}

// counted are those whom a limit counts.
var counted = map[model.Whose]string{model.Everybody: "all jobs together", model.OneUser: "its owner", model.OneGroup: "its group",
	model.OneProject: "its project"}

// limitText says whose limit is reached, and of what.
func limitText(r *model.Reason) string {
	if r.Failure.OfVnode() {
		return "vnodes run as many jobs as they may (max_running, max_user_run, max_group_run)"
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

// timeText says what time of the day stands in the way.
func timeText(r *model.Reason) string {
	switch r.Failure {
	case model.FailDedicatedTime:
		return "in dedicated time only queues with the prefix for it run, and those run only then"
	case model.FailCrossDedicated:
		return "it would not end before dedicated time begins"
	case model.FailPrimeOnly:
		return "jobs of its queue run in primetime only"
	case model.FailNonPrimeOnly:
		return "jobs of its queue run outside primetime only"
	}
	return "it would run on into " + r.Object + ", which backfill_prime forbids"
}

func fullText(r *model.Reason) string {
	switch {
	case r.Never:
		return "there are fewer vnodes than it asks for"
	case r.Failure == model.FailNoFreeNodes:
		return "too few vnodes are free"
	}
	return "no vnode has free what it asks for"
}

// jobStateText says why the scheduler does not look at a job.
func jobStateText(r *model.Reason) string {
	switch r.Offered {
	case "H":
		return holdText(r)
	case "W":
		return "it may not start before " + r.Asked + " UTC (qsub -a)"
	case "S":
		return "somebody suspended it (qsig -s resume lets it go on)"
	case "U":
		return "it is suspended while its workstation is in use"
	case "T", "M":
		return "it is being moved"
	}
	return "queue " + r.Asked + " is no execution queue of the scheduler"
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
	return "it is held by " + show.Enumerated(who) + " (" + r.Asked + ")"
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
		return "has too little " + r.Resource + " even if nothing ran" + askedOffered(r)
	}
	return ReasonText(r)
}
