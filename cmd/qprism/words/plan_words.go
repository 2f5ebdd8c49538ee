package words

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// A ReasonGroup is a reason that several places share.
type ReasonGroup struct {
	model.Reason // its Object is empty
	Objects      []string
	Count        int
}

// GroupReasons joins reasons that differ only by place, in order of first appearance.
func GroupReasons(why []model.Reason) []ReasonGroup {
	type place struct {
		group  int
		object string
	}
	var list []ReasonGroup
	places, seen := map[model.Reason]int{}, map[place]bool{}
	for _, r := range why {
		object := r.Object
		if Placed(r.Kind) && r.Failure == model.NoFailure {
			r.Object = ""
		}
		i, known := places[r]
		if !known {
			i = len(list)
			places[r] = i
			list = append(list, ReasonGroup{Reason: r})
		}
		if at := (place{i, object}); !seen[at] {
			seen[at] = true
			list[i].Count++
			if object != "" {
				list[i].Objects = append(list[i].Objects, object)
			}
		}
	}
	return list
}

// Placed reports whether the object of a reason is a place. Other objects are part of the reason's text.
func Placed(kind model.ReasonKind) bool {
	switch kind {
	case model.ReasonDependency, model.ReasonUserLimit, model.ReasonAdvance, model.ReasonQuota, model.ReasonReservations:
		return false
	}
	return true
}

// Summary says in a few words why a job does not start. It lists the most frequent reasons, each with its
// number of places. Reasons that end with time come first.
func Summary(why []model.Reason) string {
	const said = 2
	groups := shortGroups(why)
	var parts []string
	for i, g := range groups {
		if i == said {
			parts = append(parts, show.Plural(len(groups)-said, "more reason"))
			break
		}
		parts = append(parts, WithCount(g.text, g.count))
	}
	return strings.Join(parts, "; ")
}

// WithCount adds the number of places to a text, if there are several.
func WithCount(text string, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s (%d)", text, n)
	}
	return text
}

type shortGroup struct {
	text  string
	later bool
	count int
}

// shortGroups counts reasons by their short names.
func shortGroups(why []model.Reason) []shortGroup {
	var list []shortGroup
	places := map[shortGroup]int{}
	for _, r := range GroupReasons(why) {
		if r.Kind == model.ReasonStopped && len(why) > 1 { // each place says why it was closed
			continue
		}
		g := shortGroup{text: ShortReason(&r.Reason), later: r.Later}
		at, known := places[g]
		if !known {
			at = len(list)
			places[g] = at
			list = append(list, g)
		}
		list[at].count += r.Count
	}
	slices.SortStableFunc(list, func(a, b shortGroup) int {
		if a.later != b.later {
			if a.later {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.count, a.count)
	})
	return list
}

// ShortReason describes a reason in the width of a column.
func ShortReason(r *model.Reason) string {
	if r.Failure != model.NoFailure {
		return shortPBSReason(r)
	}
	switch r.Kind {
	case model.ReasonJobState:
		return shortJobState(r)
	case model.ReasonDependency:
		return "after " + r.Object
	case model.ReasonResource:
		return shortage(r)
	case model.ReasonPESlots:
		return "too few slots together"
	case model.ReasonFull:
		return "no slot free"
	case model.ReasonQueueList:
		return "not in -q"
	case model.ReasonPE:
		return "PE not offered"
	case model.ReasonHold:
		return "held"
	case model.ReasonQueueState:
		return "queue " + stateText(r.Offered)
	case model.ReasonStopped:
		return "every queue full or closed"
	case model.ReasonExecutionTime:
		return "not before " + readable(r.Asked)
	case model.ReasonAccess:
		return "no access (user lists)"
	case model.ReasonProject:
		return "no access (projects)"
	case model.ReasonForced:
		return "must request" + orElse(r.Resource, "a FORCED resource")
	case model.ReasonUnknown, model.ReasonNoRequest, model.ReasonExclusive, model.ReasonLoad:
		return show.Joined(" ", string(r.Kind), r.Resource)
	case model.ReasonQuota:
		return show.Joined(" ", string(r.Kind), r.Object)
	case model.ReasonReservations:
		return ReasonText(r)
	}
	return string(r.Kind)
}

// shortage names a resource of which there is too little.
func shortage(r *model.Reason) string {
	switch {
	case r.Reserved:
		return r.Resource + " reserved"
	case r.Later:
		return "short of " + r.Resource
	}
	return "no " + show.Joined("=", r.Resource, r.Asked)
}

// ReasonText describes a reason in words, without its place.
func ReasonText(r *model.Reason) string {
	switch {
	case r.Failure != model.NoFailure:
		return pbsReasonText(r)
	case r.Scope != "":
		return "-scope " + string(r.Scope) + ": " + gridEngineReasonText(r)
	}
	return gridEngineReasonText(r)
}

func gridEngineReasonText(r *model.Reason) string {
	switch r.Kind {
	case model.ReasonJobState:
		return jobStateText(r)
	case model.ReasonHold:
		return "held (qsub -h, qhold, or -hold_jid_ad)"
	case model.ReasonError:
		return "in error state (Eqw)"
	case model.ReasonDependency:
		return "waits for the end of " + r.Object + " (-hold_jid)"
	case model.ReasonExecutionTime:
		return "may not start before " + readable(r.Asked) + " UTC (-a)"
	case model.ReasonTaskLimit:
		if r.Asked == "" || r.Asked == "0" {
			return "its running tasks have reached max_aj_instances"
		}
		return "-tc " + r.Asked + " limits its running tasks"
	case model.ReasonFilter:
		return "hidden from the run: JC_FILTER shows only as many jobs of this kind as slots are free"
	case model.ReasonUserLimit:
		return r.Object + " has reached maxujobs " + r.Offered
	case model.ReasonAdvance:
		return advanceText(r)
	case model.ReasonQueueState:
		return "the queue instance is " + stateText(r.Offered) + startedBy(r.Asked)
	case model.ReasonLoad:
		return loadText(r)
	case model.ReasonFull:
		return "no slot is free"
	case model.ReasonCalendar:
		return "closed by calendar " + r.Asked
	case model.ReasonQueueList:
		return "not in the queue list of the job" + Quoted(r.Asked)
	case model.ReasonQueueType:
		return "the queue's type does not fit the job" + Quoted(r.Offered)
	case model.ReasonAccess:
		return "the user lists do not admit" + orElse(r.Asked, "the owner")
	case model.ReasonProject:
		if r.Asked == "" {
			return "only certain projects are admitted, and the job has no project"
		}
		return "project " + r.Asked + " is not admitted"
	case model.ReasonPE:
		return "parallel environment" + orElse(r.Asked, "asked for") + " is not offered"
	case model.ReasonPESlots:
		return "too few slots together" + ruled(r)
	case model.ReasonCheckpoint:
		return "checkpointing environment" + orElse(r.Asked, "asked for") + " is not offered"
	case model.ReasonForced:
		return "the job must request" + orElse(r.Resource, "a resource that is FORCED there") + " (-l)"
	case model.ReasonUnknown:
		return "there is no resource " + r.Resource
	case model.ReasonNoRequest:
		return "nobody may request " + r.Resource
	case model.ReasonResource:
		return resourceText(r)
	case model.ReasonExclusive:
		return "it needs the whole host" + Quoted(r.Resource) + ", but other jobs run there"
	case model.ReasonQuota:
		return "quota " + r.Object + UsageKey(r.Resource) + " is used up"
	case model.ReasonReschedule:
		return "the host is still cleaning up after the task"
	case model.ReasonReservations:
		return reservationText(r)
	case model.ReasonStopped:
		return "the run ended before it tried this job: every queue instance is full or closed"
	case model.ReasonStale:
		return "did not exist at the time of the run"
	}
	return string(r.Kind)
}

// readable is a moment in RFC 3339 as people read it.
func readable(moment string) string {
	t, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return moment
	}
	return t.UTC().Format(time.DateTime)
}

func Quoted(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// UsageKey says whose usage a quota counts, as "user/project/pe/queue/host/". A part is empty if the quota adds
// up all its values.
func UsageKey(key string) string {
	return Quoted(strings.Join(strings.FieldsFunc(key, func(r rune) bool { return r == '/' }), ", "))
}

func orElse(text, other string) string {
	return " " + cmp.Or(text, other)
}

// startedBy names the job whose start in this run suspends a queue instance.
func startedBy(job string) string {
	if job == "" {
		return ""
	}
	return ", by the start of " + job
}

func advanceText(r *model.Reason) string {
	switch {
	case r.Level == "Q":
		return "not in advance reservation " + r.Asked
	case r.Object != "":
		return "advance reservation " + r.Object + " is not running" + Quoted(r.Offered)
	}
	return "its advance reservation does not exist" + Quoted(r.Asked)
}

func loadText(r *model.Reason) string {
	text := "over the load threshold"
	if r.Resource != "" {
		text += " " + r.Resource + "=" + r.Asked
	}
	if r.Offered != "" {
		text += ", at " + r.Offered
	}
	return text
}

func resourceText(r *model.Reason) string {
	switch {
	case r.Reserved && r.Resource == "slots":
		return "slots are free now, but reserved for other jobs"
	case r.Reserved:
		return r.Resource + " is free now, but reserved for other jobs"
	case r.Later && r.Resource == "slots":
		return "too few slots are free" + askedOffered(r)
	case r.Later:
		return "too little " + r.Resource + " is free" + askedOffered(r)
	}
	return r.Resource + " does not fit" + askedOffered(r)
}

// ruled says what the PE's allocation rule needs. The free slots of several hosts may be enough, but the rule
// does not allow this combination.
func ruled(r *model.Reason) string {
	asked := *r
	if asked.Offered == "0" {
		asked.Offered = ""
	}
	if r.Rule == "$pe_slots" {
		return " on one host (allocation_rule $pe_slots)" + askedOffered(&asked)
	}
	if _, err := strconv.Atoi(r.Rule); err == nil {
		return ", " + r.Rule + " on each host (allocation_rule)" + askedOffered(&asked)
	}
	return askedOffered(r)
}

func askedOffered(r *model.Reason) string {
	switch {
	case r.Asked != "" && r.Offered != "":
		return ": requested " + r.Asked + ", available " + r.Offered
	case r.Asked != "":
		return ": requested " + r.Asked
	case r.Offered != "":
		return ": available " + r.Offered
	}
	return ""
}

func reservationText(r *model.Reason) string {
	switch {
	case r.Object == "category":
		return "the scheduler tries no reservation, because it found none for the same request before (D6)"
	case r.Offered != "":
		return "no reservation: max_reservation " + r.Offered + " is reached"
	}
	return "no reservation requested (-R y)"
}

// states are the letters of qstat's queue states, queue_conf(5) and qstat(1).
var states = []struct{ letter, words string }{
	{"u", "out of contact"}, {"E", "in error"}, {"a", "overloaded"}, {"A", "over its suspend threshold"},
	{"s", "suspended"},
	{"S", "suspended by another queue"}, {"d", "disabled"}, {"D", "closed by its calendar"},
	{"C", "suspended by its calendar"},
	{"c", "configured ambiguously"}, {"o", "orphaned"},
}

func stateText(state string) string {
	var parts []string
	for _, s := range states {
		if strings.Contains(state, s.letter) {
			parts = append(parts, s.words)
		}
	}
	if len(parts) == 0 {
		return "not available" + Quoted(state)
	}
	return strings.Join(parts, " and ") + Quoted(state)
}
