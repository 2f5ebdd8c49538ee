package cluster

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// A Claim is a job or a reservation: something that uses resources for some time, or wants to.
type Claim struct {
	ID                   string
	Number, Task         uint32
	User, Group, Project string
	Asked                []resource.Request // Resource_List without select and place
	Selection            *resource.Selection
	Exact                *resource.Selection // asks for the vnodes that it has or had
	Place                resource.Place
	Rank                 int
	Start, End           clock.Seconds // never for a claim that has no vnodes
	Length               clock.Seconds // expected duration, soft_walltime before walltime
	Hard                 clock.Seconds // walltime, or what else it may not exceed
	Shortest             clock.Seconds // min_walltime of a job that can be shrunk, never for others
	Shrinks              bool
	Given                []resource.Portion
	Vnodes               []int // nil for none
	Only                 []int // node_set: no other vnodes
	Class                int   // -1 for none
	CannotRun            bool  // not considered, or not again
	NeverRuns            bool
	ManyVnodes           bool // will use several vnodes
	Job                       // of a job

	IsReservation bool
	Reservation   // of a reservation
}

// A Job is what only a job has.
type Job struct {
	Queue                              *Queue
	Source                             *model.Job
	State                              byte // job_state
	Priority                           int
	QueueRank                          int64
	SchedSuspended                     bool // by the scheduler
	Starting, Provisioning             bool
	Preempted                          bool
	PreemptedAt                        clock.Seconds
	Level                              int // preempt priority
	Bits                               int // what the level comes from
	Formula                            float32
	Started                            clock.Seconds
	Inside                             *Claim // reservation that it runs in
	ReservationID                      string
	IsArray                            bool
	Subjobs                            []model.Range // of an array: those that wait
	Array                              *Claim        // of a subjob
	ArrayID                            string
	MaxSubjobs, RunSubjobs             int64 // -1 for no limit
	NoCheckpoint, NoRequeue, NoSuspend bool
	NoPreemption                       bool // runs in a reservation
	NoTopJob                           bool // topjob_ineligible
	Checkpointed                       bool
	Refused                            string   // why the server did not start it last, empty where it was not asked
	Alternatives                       []string // depend=runone: jobs of which only one runs
	Used                               []resource.Request
	Entity                             *fairshare.Node
	EntityNumber                       int
	Released                           []resource.Portion // what a suspended job gave back
	AskedToResume                      []resource.Request // what it needs to resume
}

// A Reservation is what only a reservation has.
type Reservation struct {
	Listed     *model.PBSReservation
	ResvState  string
	InForce    bool // its time has come
	OwnVnodes  []int
	ResvQueue  *Queue
	Occurrence int
}

// Runnable reports whether a claim waits to be started.
func (c *Claim) Runnable() bool {
	switch {
	case c.IsReservation:
		return c.ResvState == Confirmed
	case c.IsArray && len(c.Subjobs) == 0:
		return false
	case c.IsArray && c.State == 'B':
		return true
	}
	return c.State == 'Q' || c.SchedSuspended
}

// Subject is what limits see of a job.
func (c *Claim) Subject() limit.Subject { return limit.NewSubject(c.User, c.Group, c.Project, c.Asked) }

func (c *Claim) Running() bool { return c.State == 'R' }

func (c *Claim) Suspended() bool { return c.State == 'S' }

func (c *Claim) Exiting() bool { return c.State == 'E' }

// UsedWalltime is how much of its duration a claim has used up.
func (w *World) UsedWalltime(c *Claim) clock.Seconds {
	if c.IsReservation {
		return max(0, w.Now-c.Start)
	}
	if u := resource.Find(c.Used, w.Res.Walltime); u != nil {
		return clock.Seconds(u.Amount)
	}
	return 0
}

// Left is how long a claim goes on from now.
func (w *World) Left(c *Claim, hard bool) clock.Seconds {
	length := c.Length
	if hard {
		length = c.Hard
	}
	return max(0, length-w.UsedWalltime(c))
}

// WillEnd is when a claim ends that starts now, by walltime where a reservation comes before that.
func (w *World) WillEnd(c *Claim) clock.Seconds {
	hard := c.Length != c.Hard && w.Calendar.reservedBefore(w.Now+c.Hard)
	return w.Now + w.Left(c, hard)
}

// Exclusive reports whether a claim wants a vnode for itself.
func Exclusive(p resource.Place, s Sharing) bool {
	switch {
	case s.Forced:
		return true
	case s.ignored:
		return false
	case p.Excl:
		return true
	case p.Shared:
		return false
	}
	return s.Exclusive
}

// WholeHost reports whether a claim wants a vnode's host for itself.
func WholeHost(p resource.Place, s Sharing) bool {
	switch {
	case s.Forced && s.Host:
		return true
	case s.ignored:
		return false
	case s.Exclusive && s.Host && !p.Excl && !p.Shared:
		return true
	}
	return p.Exclhost
}

// nextSubjob is the next subjob of an array to start.
func (c *Claim) nextSubjob() (uint32, bool) {
	if len(c.Subjobs) == 0 {
		return 0, false
	}
	return c.Subjobs[0].Min, true
}

// dropSubjob takes a subjob out of those that wait.
func (c *Claim) dropSubjob(task uint32) {
	for i, r := range c.Subjobs {
		if r.Min != task {
			continue
		}
		r.Min += max(r.Step, 1)
		c.Subjobs = slices.Clone(c.Subjobs)
		if c.Subjobs[i] = r; r.Min > r.Max || r.Min < task {
			c.Subjobs = slices.Delete(c.Subjobs, i, i+1)
		}
		return
	}
}

// Specification is what a claim asks for. One that had vnodes wants exactly those, however they are arranged.
func (c *Claim) Specification() (*resource.Selection, resource.Place) {
	if c.IsReservation && !c.InForce || c.Exact == nil {
		return c.Selection, c.Place
	}
	p := c.Place
	if !c.IsReservation {
		p.Pack, p.Scatter, p.Vscatter, p.Free = false, false, false, true
	}
	return c.Exact, p
}

// States of reservations, as pbs_rstat -F prints them.
const (
	Unconfirmed  = "RESV_UNCONFIRMED"
	Confirmed    = "RESV_CONFIRMED"
	InForceNow   = "RESV_RUNNING"
	Degraded     = "RESV_DEGRADED"
	BeingAltered = "RESV_BEING_ALTERED"
	BeingDeleted = "RESV_BEING_DELETED"
)

// Substates that the scheduler tells apart.
const (
	SuspendedByScheduler = 45
	PreRunning           = 41
	ProvisioningJob      = 71
)
