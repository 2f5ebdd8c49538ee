package schedule

import (
	"qprism/engine/model"
)

// An attempt is the search for a place for one task.
type attempt struct {
	run        *run
	cat        *category
	job        *model.Job
	taskNumber uint32
	duration   seconds // with DURATION_OFFSET
	start      seconds // rightNow, atEnd, or a moment
	reserve    bool    // it looks for a reservation
	careful    bool    // a parallel search also says whether it could run at last
	soft       bool    // there are soft requests
	advance    *advance

	equals []string // queue instances as good as the granted one
	slots  int
	grants []grant
	pe     *pe
	broken uint32
	least  int // slots that a parallel search is content with, 0 where its parallel environment cannot spread any number of them
	found  int // slots that its last try found

	unadjusted bool // job_load_adjustments are lost (D72)

	seat   seat   // what the search has of the master task where it looks
	learns bool   // a parallel search may extend what its category knows of hosts
	round  uint32 // what is skipped is so for one round of the search
	quiet  int    // above 0 nobody asks for reasons
	why    []model.Reason
}

// A grant is a number of slots in a queue instance.
type grant struct {
	queue *instance
	slots int
}

// newRound forgets what the search skips.
func (a *attempt) newRound() {
	a.run.rounds++
	a.round = a.run.rounds
}

func (a *attempt) skipHost(h *host)        { a.run.hostSkipped[h.id] = a.round }
func (a *attempt) skipsHost(h *host) bool  { return a.run.hostSkipped[h.id] == a.round }
func (a *attempt) skipCluster(n int)       { a.run.clusterSkipped[n] = a.round }
func (a *attempt) skipsCluster(n int) bool { return a.run.clusterSkipped[n] == a.round }

// mostReasons bounds what is said about one category.
const mostReasons = 10_000

// note adds a reason why the job does not start now.
func (a *attempt) note(why model.Reason) {
	if a.listens() && len(a.why) < mostReasons {
		a.why = append(a.why, why)
	}
}

func (a *attempt) listens() bool { return a.quiet == 0 && !a.reserve }

// refuse adds the reason that a layer does not have what is asked for.
func (a *attempt) refuse(kind model.ReasonKind, l *layer, req *request, offered string, soon, reserved bool) {
	if !a.listens() {
		return
	}
	if l.level == levelQuota {
		kind = model.ReasonQuota
	}
	a.note(model.Reason{Kind: kind, Level: l.level, Object: l.name, Resource: req.name, Asked: req.text, Offered: offered,
		Later: soon, Reserved: reserved, Scope: req.scope})
}

// cached says whether the search may use and extend what its category knows: for starts, if the category has other jobs.
func (a *attempt) cached() bool { return a.start == rightNow && a.cat.count > 1 }
