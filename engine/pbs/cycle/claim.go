package cycle

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A claim is a job or a reservation: something that uses resources for some time, or wants to.
type claim struct {
	id                   string
	number, task         uint32
	user, group, project string
	asked                []request // Resource_List without select and place
	selection            *selection
	exact                *selection // asks for the vnodes that it has or had
	place                place
	rank                 int
	start, end           seconds // never for a claim that has no vnodes
	length               seconds // expected duration, soft_walltime before walltime
	hard                 seconds // walltime, or what else it may not exceed
	shortest             seconds // min_walltime of a job that can be shrunk, never for others
	shrinks              bool
	given                []portion
	vnodes               []int // nil for none
	only                 []int // node_set: no other vnodes
	class                int   // -1 for none
	cannotRun            bool  // not considered, or not again
	neverRuns            bool
	manyVnodes           bool // will use several vnodes
	job                       // of a job

	isReservation bool
	reservation   // of a reservation
}

// A job is what only a job has.
type job struct {
	queue                              *queue
	source                             *model.Job
	state                              byte // job_state
	priority                           int
	queueRank                          int64
	suspendedHere                      bool // by the scheduler
	starting, provisioning             bool
	preempted                          bool
	preemptedAt                        seconds
	level                              int // preempt priority
	bits                               int // what the level comes from
	formula                            float32
	started                            seconds
	inside                             *claim // reservation that it runs in
	reservationID                      string
	isArray                            bool
	subjobs                            []model.Range // of an array: those that wait
	array                              *claim        // of a subjob
	arrayID                            string
	maxSubjobs, runSubjobs             int64 // -1 for no limit
	noCheckpoint, noRequeue, noSuspend bool
	noPreemption                       bool // runs in a reservation
	notTop                             bool // topjob_ineligible
	wasTop                             bool
	checkpointed                       bool
	refused                            string   // why the server did not start it last, empty where it was not asked
	alternatives                       []string // depend=runone: jobs of which only one runs
	used                               []request
	entity                             *fairshare.Node
	entityNumber                       int
	released                           []portion // what a suspended job gave back
	askedBack                          []request // what it needs to resume
}

// A reservation is what only a reservation has.
type reservation struct {
	source2   *model.PBSReservation
	stateName string
	inForce   bool // its time has come
	ownVnodes []int
	onQueue   *queue
	occurs    int
}

// runnable reports whether a claim waits to be started.
func (c *claim) runnable() bool {
	switch {
	case c.isReservation:
		return c.stateName == "RESV_CONFIRMED"
	case c.isArray && len(c.subjobs) == 0:
		return false
	case c.isArray && c.state == 'B':
		return true
	}
	return c.state == 'Q' || c.suspendedHere
}

// subject is what limits see of a job.
func (c *claim) subject() subject { return newSubject(c.user, c.group, c.project, c.asked) }

func (c *claim) running() bool   { return c.state == 'R' }
func (c *claim) suspended() bool { return c.state == 'S' }
func (c *claim) exiting() bool   { return c.state == 'E' }

// usedWalltime is how much of its duration a claim has used up.
func (w *world) usedWalltime(c *claim) seconds {
	if c.isReservation {
		return max(0, w.now-c.start)
	}
	if u := find(c.used, w.res.walltime); u != nil {
		return seconds(u.amount)
	}
	return 0
}

// left is how long a claim goes on from now.
func (w *world) left(c *claim, hard bool) seconds {
	length := c.length
	if hard {
		length = c.hard
	}
	return max(0, length-w.usedWalltime(c))
}

// willEnd is when a claim ends that starts now, by walltime where a reservation comes before that.
func (w *world) willEnd(c *claim) seconds {
	hard := c.length != c.hard && w.calendar.reservedBefore(w.now+c.hard)
	return w.now + w.left(c, hard)
}

// exclusive reports whether a claim wants a vnode for itself.
func exclusive(p place, s sharing) bool {
	switch {
	case s.forced:
		return true
	case s.ignored:
		return false
	case p.excl:
		return true
	case p.shared:
		return false
	}
	return s.exclusive
}

// wholeHost reports whether a claim wants a vnode's host for itself.
func wholeHost(p place, s sharing) bool {
	switch {
	case s.forced && s.host:
		return true
	case s.ignored:
		return false
	case s.exclusive && s.host && !p.excl && !p.shared:
		return true
	}
	return p.exclhost
}

// nextSubjob is the next subjob of an array to start.
func (c *claim) nextSubjob() (uint32, bool) {
	if len(c.subjobs) == 0 {
		return 0, false
	}
	return c.subjobs[0].Min, true
}

// dropSubjob takes a subjob out of those that wait.
func (c *claim) dropSubjob(task uint32) {
	for i, r := range c.subjobs {
		if r.Min != task {
			continue
		}
		r.Min += max(r.Step, 1)
		c.subjobs = slices.Clone(c.subjobs)
		if c.subjobs[i] = r; r.Min > r.Max || r.Min < task {
			c.subjobs = slices.Delete(c.subjobs, i, i+1)
		}
		return
	}
}

// specification is what a claim asks for. One that had vnodes wants exactly those, however they are arranged.
func (c *claim) specification() (*selection, place) {
	if c.isReservation && !c.inForce || c.exact == nil {
		return c.selection, c.place
	}
	p := c.place
	if !c.isReservation {
		p.pack, p.scatter, p.vscatter, p.free = false, false, false, true
	}
	return c.exact, p
}

// States of reservations, as pbs_rstat -F prints them.
const (
	unconfirmed  = "RESV_UNCONFIRMED"
	confirmed    = "RESV_CONFIRMED"
	inForceNow   = "RESV_RUNNING"
	degraded     = "RESV_DEGRADED"
	beingAltered = "RESV_BEING_ALTERED"
	beingDeleted = "RESV_BEING_DELETED"
	inConflict   = "RESV_IN_CONFLICT"
)

// Substates that the scheduler tells apart.
const (
	suspendedByScheduler = 45
	preRunning           = 41
	provisioningJob      = 71
)
