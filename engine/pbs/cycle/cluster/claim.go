package cluster

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/limit"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/fairshare"
)

// A Claim is a job or a reservation. It uses resources for some time, or waits for resources.
type Claim struct {
	ID                   string
	Number, Task         uint32
	User, Group, Project string
	Asked                []resource.Request // Resource_List without select and place
	Selection            *resource.Selection
	Exact                *resource.Selection // asks for the vnodes that it has or had
	Place                resource.Place
	Rank                 int
	Start, End           clock.Seconds // never for a claim without vnodes
	Length               clock.Seconds // expected duration, soft_walltime before walltime
	Hard                 clock.Seconds // walltime, or another upper bound
	Shortest             clock.Seconds // min_walltime of a job that can be shortened, else never
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

// A Job has the fields of a job only.
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
	Bits                               int // the source of the level
	Formula                            float32
	Started                            clock.Seconds
	Inside                             *Claim // its reservation
	ReservationID                      string
	IsArray                            bool
	Subjobs                            []model.Range // of an array: waiting ones
	Array                              *Claim        // of a subjob
	ArrayID                            string
	MaxSubjobs, RunSubjobs             int64 // -1 for no limit
	NoCheckpoint, NoRequeue, NoSuspend bool
	NoPreemption                       bool // runs in a reservation
	NoTopJob                           bool // topjob_ineligible
	Checkpointed                       bool
	Refused                            string   // the server's last refusal to start it, empty for none
	Alternatives                       []string // depend=runone: only one of these jobs runs
	Used                               []resource.Request
	Entity                             *fairshare.Node
	EntityNumber                       int
	Released                           []resource.Portion // freed by a suspended job
	AskedToResume                      []resource.Request // needed to resume
}

// A Reservation has the fields of a reservation only.
type Reservation struct {
	Listed     *model.PBSReservation
	ResvState  string
	InForce    bool // it has begun
	OwnVnodes  []int
	ResvQueue  *Queue
	Occurrence int
}

// Runnable reports whether a claim waits to start.
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

// Subject is the job as limits see it.
func (c *Claim) Subject() limit.Subject { return limit.NewSubject(c.User, c.Group, c.Project, c.Asked) }

func (c *Claim) Running() bool { return c.State == 'R' }

func (c *Claim) Suspended() bool { return c.State == 'S' }

func (c *Claim) Exiting() bool { return c.State == 'E' }

// UsedWalltime is the used part of a claim's duration.
func (w *World) UsedWalltime(c *Claim) clock.Seconds {
	if c.IsReservation {
		return max(0, w.Now-c.Start)
	}
	if u := resource.Find(c.Used, w.Res.Walltime); u != nil {
		return clock.Seconds(u.Amount)
	}
	return 0
}

// Left is the remaining time of a claim.
func (w *World) Left(c *Claim, hard bool) clock.Seconds {
	length := c.Length
	if hard {
		length = c.Hard
	}
	return max(0, length-w.UsedWalltime(c))
}

// WillEnd is the end of a claim that starts now. If a reservation comes before that, the walltime counts.
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

// Specification is the select and place of a claim. A claim that had vnodes before asks for exactly these
// vnodes, in any arrangement.
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

// Substates that the scheduler distinguishes.
const (
	SuspendedByScheduler = 45
	PreRunning           = 41
	ProvisioningJob      = 71
)
