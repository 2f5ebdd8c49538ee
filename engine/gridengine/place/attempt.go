package place

import (
	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// seconds count from 1970.
type seconds = utilization.Seconds

// A Run is the state that all searches of a run share.
type Run struct {
	*cluster.Cluster
	sorting
	skipped
	MastersLowered bool    // a queue instance cannot take a master task now
	ManyTimes      int     // the most moments that were tried for a parallel job
	Weights        *[3]int // of the ways to search a range of slots (D15)
}

// NewRun prepares the searches in a cluster. The weights belong to the ways to search a range (D15).
func NewRun(cl *cluster.Cluster, weights *[3]int) *Run {
	return &Run{Cluster: cl, Weights: weights,
		skipped: skipped{hostSkipped: make([]uint32, len(cl.Hosts)), clusterSkipped: make([]uint32, cl.Clusters)}}
}

// sorting is what hosts and queue instances are sorted with.
type sorting struct {
	kept, moved []*cluster.Instance // while queue instances are sorted
	otherHosts  []*cluster.Host     // while hosts are
	LoadChanged bool                // of a host, by the attempt before
	HostsMoved  bool                // among each other, since the queue instances got their ranks
	LastSearch  searchKind
}

// skipped are the hosts and cluster queues that a round of a search passes over: those that have its number.
type skipped struct {
	rounds         uint32
	hostSkipped    []uint32
	clusterSkipped []uint32
}

// An Attempt is the search for a place for one task.
type Attempt struct {
	Run        *Run
	Category   *cluster.Category
	Job        *model.Job
	TaskNumber uint32
	Duration   seconds // includes DURATION_OFFSET
	Start      seconds // rightNow, atEnd, or a moment
	Reserve    bool    // a search for a reservation
	Careful    bool    // a parallel search also says whether the job could run when all bookings have ended
	Soft       bool    // there are soft requests
	Advance    *cluster.Advance

	Equals []string // queue instances that are as good as the granted one
	Slots  int
	Grants []cluster.Grant
	PE     *cluster.PE

	Unadjusted bool // without job_load_adjustments (D72)

	Round uint32 // number of the round; skipped places are skipped for one round
	Quiet int    // if above 0, the search collects no reasons
	Why   []model.Reason
}

// NewRound ends the skips of the last round.
func (a *Attempt) NewRound() {
	a.Run.rounds++
	a.Round = a.Run.rounds
}

func (a *Attempt) SkipHost(h *cluster.Host)       { a.Run.hostSkipped[h.Id] = a.Round }
func (a *Attempt) SkipsHost(h *cluster.Host) bool { return a.Run.hostSkipped[h.Id] == a.Round }
func (a *Attempt) SkipCluster(n int)              { a.Run.clusterSkipped[n] = a.Round }
func (a *Attempt) SkipsCluster(n int) bool        { return a.Run.clusterSkipped[n] == a.Round }

// Note adds a reason why the job does not start now.
func (a *Attempt) Note(why model.Reason) {
	if a.Listens() && len(a.Why) < cluster.MostReasons {
		a.Why = append(a.Why, why)
	}
}

// Listens reports whether the search collects reasons.
func (a *Attempt) Listens() bool { return a.Quiet == 0 && !a.Reserve }

// Refuse adds the reason that a layer has too little for a request.
func (a *Attempt) Refuse(kind model.ReasonKind, l *resource.Layer, req *resource.Request, offered string,
	soon, reserved bool) {
	if !a.Listens() {
		return
	}
	if l.Level == resource.LevelQuota {
		kind = model.ReasonQuota
	}
	a.Note(model.Reason{Kind: kind, Level: l.Level, Object: l.Object, Resource: req.Name, Asked: req.Text,
		Offered: offered,
		Later:   soon, Reserved: reserved, Scope: req.Scope})
}

// Cached reports whether the search may use and extend the cache of its category: for starts, if the category
// has other jobs.
func (a *Attempt) Cached() bool { return a.Start == utilization.RightNow && a.Category.Count > 1 }

// NewAttempt is the search for a place for one task of a job.
func (r *Run) NewAttempt(c *cluster.Category, j *model.Job, task uint32) *Attempt {
	a := &Attempt{Run: r, Category: c, Job: j, TaskNumber: task, Duration: c.Duration, Quiet: r.Quiet,
		Soft: len(j.Soft)+len(j.SoftQueues) > 0}
	a.Advance = r.AdvanceOf(j)
	a.readSoftQueues()
	return a
}
