package load

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/resource"
)

// loadJobs reads the jobs queue by queue.
func (w *loader) loadJobs() {
	byQueue := map[string][]*model.Job{}
	for i := range w.Snapshot.Jobs {
		if j := &w.Snapshot.Jobs[i]; j.PBS != nil {
			byQueue[j.PBS.Queue] = append(byQueue[j.PBS.Queue], j)
		}
	}
	for _, q := range w.Queues {
		if !q.Execution {
			continue
		}
		for _, j := range byQueue[q.Name] {
			if c := w.loadJob(j, q); c != nil {
				q.Jobs = append(q.Jobs, c)
			}
		}
	}
}

// Job reads one more job into a world; nil for a job that the scheduler ignores.
func Job(w *cluster.World, j *model.Job, q *cluster.Queue) *cluster.Claim {
	return (&loader{World: w}).loadJob(j, q)
}

// loadJob reads one job; nil for one that the scheduler ignores.
func (w *loader) loadJob(j *model.Job, q *cluster.Queue) *cluster.Claim {
	p := j.PBS
	if p.State == "" || !strings.Contains("QRTHWESUBX", p.State[:1]) {
		return nil
	}
	c := &cluster.Claim{
		ID: p.ID, Number: j.Number, Task: p.Index, User: j.Owner, Group: j.Group, Project: j.Project,
		Rank: w.Res.NextRank(), Start: clock.Never, End: clock.Never, Class: -1,
		Job: cluster.Job{
			Queue: q, Source: j, State: p.State[0], Priority: j.PosixPriority, QueueRank: p.QueueRank,
			PreemptedAt:    unixOr(w.preemptedAt(j)),
			SchedSuspended: p.Substate == cluster.SuspendedByScheduler,
			Starting:       p.Substate == cluster.PreRunning, Provisioning: p.Substate == cluster.ProvisioningJob,
			Started: unixOr(p.Started), ReservationID: p.Reservation, IsArray: j.Array && p.Array == "",
			Subjobs: p.ArrayRemaining,
			ArrayID: p.Array, MaxSubjobs: -1, NoCheckpoint: p.Checkpoint == "n", NoRequeue: p.NotRerunable,
			NoTopJob:     p.NoTopJob,
			Alternatives: runOne(p.Depend), Refused: w.refusal(p),
		},
	}
	c.Preempted = c.PreemptedAt != clock.Never
	if j.MaxRunningTasks > 0 {
		c.MaxSubjobs = int64(j.MaxRunningTasks)
	}
	if !w.loadRequests(c, j) {
		return nil
	}
	return w.loadPlaces(c, p)
}

// runOne are the jobs of which only one is to run, "runone:1.srv:2.srv".
func runOne(depend string) []string {
	_, list, ok := strings.Cut(depend, "runone:")
	if !ok {
		return nil
	}
	list, _, _ = strings.Cut(list, ",")
	ids := strings.Split(list, ":")
	for i := range ids {
		ids[i], _, _ = strings.Cut(ids[i], "@")
	}
	return ids
}

// loadRequests reads what a job asks for. ok is false for a job that makes no sense.
func (w *loader) loadRequests(c *cluster.Claim, j *model.Job) (ok bool) {
	for _, h := range j.Hard {
		n, ok := w.Res.Request(h.Resource, h.Value)
		if !ok {
			return false
		}
		c.Asked = append(c.Asked, n)
	}
	for _, u := range j.PBS.Used {
		if n, ok := w.Res.Request(u.Resource, u.Value); ok {
			c.Used = append(c.Used, n)
		}
	}
	if len(c.Used) > 0 { // what fairshare_usage_res reads and nothing was used of counts as asked for
		c.Used = append(c.Used, c.Asked...)
	}
	if c.Selection, ok = w.Res.ParseSelect(cmp.Or(j.PBS.SchedSelect, j.PBS.Select)); !ok {
		return false
	}
	if slices.Contains(c.Selection.Uses, w.Res.EOE) { // a power profile
		c.NoCheckpoint, c.NoSuspend = true, true
	}
	c.Place, ok = resource.ParsePlace(cmp.Or(j.PBS.Place, "free"))
	return ok && c.User != "" && !slices.ContainsFunc(c.Selection.Chunks, func(h resource.Chunk) bool {
		return len(h.Needs) == 0
	})
}

// loadPlaces reads where a job runs or ran.
func (w *loader) loadPlaces(c *cluster.Claim, p *model.PBSJob) *cluster.Claim {
	c.ManyVnodes = c.Place.Scatter && c.Selection.Total > 1
	if p.ExecVnode != "" {
		if parts, ok := w.Res.ParsePortions(p.ExecVnode, w.VnodeIndex); ok {
			c.Given = resource.Combine(parts)
			c.Vnodes = w.VnodesOf(c.Given)
			c.Exact = w.SelectionOf(c.Given)
		}
	}
	if p.Released != "" {
		if parts, ok := w.Res.ParsePortions(p.Released, w.VnodeIndex); ok {
			c.Released = parts
			if c.Suspended() {
				c.Exact = w.SelectionOf(parts)
			}
		}
	}
	if set, ok := model.Text(p.Other, "node_set"); ok {
		for _, name := range resource.SplitValues(set) {
			if v, known := w.VnodeIndex[name]; known {
				c.Only = append(c.Only, v)
			}
		}
	}
	switch {
	case c.Running() && c.Given == nil, p.Array != "" && !strings.ContainsAny(p.State, "RESU") && !c.Provisioning:
		return nil
	case c.Running() && c.Started == clock.Never:
		c.Started = w.Now + 1
	}
	c.Checkpointed = c.State == 'Q' && c.Given != nil
	w.setTimes(c)
	c.CannotRun = !c.Runnable()
	return c
}

// setTimes reads the duration of a job and, if it has vnodes, from when to when it has them.
func (w *loader) setTimes(c *cluster.Claim) {
	need := func(r int) *resource.Request { return resource.Find(c.Asked, r) }
	shortest, longest := need(w.Res.MinWalltime), need(w.Res.MaxWalltime)
	soft, wall := need(w.Res.SoftWalltime), need(w.Res.Walltime)
	length := shortest
	c.Shortest = clock.Never
	if shortest != nil {
		c.Shrinks, c.Shortest, length = true, clock.Seconds(shortest.Amount), longest
	}
	if length == nil || c.Running() {
		if length = soft; soft == nil {
			length = wall
		}
	} else {
		soft, wall = nil, nil
	}
	c.Length, c.Hard = clock.FiveYears, clock.FiveYears
	if length != nil {
		c.Length = clock.Seconds(length.Amount)
	}
	switch {
	case wall != nil:
		c.Hard = clock.Seconds(wall.Amount)
	case c.Shortest != clock.Never:
		c.Hard = c.Shortest
	}
	w.setPeriod(c, soft)
}

// setPeriod sets from when to when a job has its vnodes. A job over its time ends in a second, one over its
// soft_walltime is given it once more.
func (w *loader) setPeriod(c *cluster.Claim, soft *resource.Request) {
	if c.Started == clock.Never || c.State == 'Q' || c.Suspended() || c.Vnodes == nil {
		return
	}
	c.Start = c.Started
	switch {
	case c.Exiting():
		c.End = w.Now + 1
		return
	case c.Start+c.Length >= w.Now:
	case soft != nil:
		c.Length = w.extended(c, soft)
	default:
		c.Length = w.Now - c.Start + 1
	}
	c.End = c.Start + c.Length
}

func (w *loader) extended(c *cluster.Claim, soft *resource.Request) clock.Seconds {
	step := clock.Seconds(soft.Amount)
	if step <= 0 {
		return max(0, w.Now-c.Started+1)
	}
	length := step + (w.Now-c.Started)/step*step
	if wall := resource.Find(c.Asked, w.Res.Walltime); wall != nil {
		length = min(length, clock.Seconds(wall.Amount))
	}
	return length
}

// refusal is why the server does not start a job that waits when the scheduler asks it to: by the log of
// the cycle, or as it did the last time, by the job's comment; empty where it was not asked. Hooks of the
// event runjob do it, and hosts.
func (w *loader) refusal(p *model.PBSJob) string {
	if w.from.Refused != nil {
		return w.from.Refused[p.ID]
	}
	text, refused := strings.CutPrefix(p.Comment, "Not Running: PBS Error: ")
	if !refused || p.State != "Q" {
		return ""
	}
	return strings.TrimSpace(text)
}

// preemptedAt is when a job was preempted, zero for one that was not. qstat does not print it (quirk P34):
// of a job that the scheduler suspended accounting says it (record z), of one that it requeued its log;
// else the job's last change is the nearest that is known.
func (w *loader) preemptedAt(j *model.Job) time.Time {
	p := j.PBS
	suspended := p.State == "S" && p.Substate == cluster.SuspendedByScheduler
	if !p.Preempted.IsZero() || !suspended && !ranBefore(p) {
		return p.Preempted
	}
	if w.preemptions == nil {
		w.preemptions = lastPreemptions(w.PBS, w.Now)
	}
	switch at, known := w.preemptions[p.ID]; {
	case known && !at.IsZero():
		return at
	case !suspended && (known || len(w.PBS.Cycles) > 0 || !w.requeuesFirst()):
		return time.Time{} // somebody else requeued it
	case !suspended:
		w.Requeued = append(w.Requeued, p.ID)
	default:
		w.Guessed++
	}
	if p.Modified.IsZero() {
		return w.Snapshot.TakenAt
	}
	return p.Modified
}

// ranBefore reports whether a job waits again that ran before.
func ranBefore(p *model.PBSJob) bool { return p.State == "Q" && p.RunCount > 0 && p.Array == "" }

// requeuesFirst reports whether the scheduler preempts by anything but suspension where it can.
func (w *loader) requeuesFirst() bool {
	return (w.Config.Prime.Preemptive || w.Config.NonPrime.Preemptive) && w.Sched.PreemptOrder != "" &&
		!strings.HasPrefix(w.Sched.PreemptOrder, "S")
}

// lastPreemptions are those of each job until a moment, as accounting and the log tell; the zero time for
// one that was started again.
func lastPreemptions(pbs *model.PBS, now clock.Seconds) map[string]time.Time {
	last := map[string]time.Time{}
	for i := range pbs.Cycles {
		if pbs.Cycles[i].Start.Unix() > now {
			break
		}
		for _, e := range pbs.Cycles[i].Events {
			switch e.Kind {
			case model.EventPreempted:
				last[e.Object] = e.At
			case model.EventRun:
				last[e.Object] = time.Time{}
			}
		}
	}
	suspended := map[string]time.Time{}
	for i := range pbs.Accounting {
		switch r := &pbs.Accounting[i]; {
		case r.At.Unix() > now:
		case r.Type == "z" && r.At.After(suspended[r.ID]):
			suspended[r.ID], last[r.ID] = r.At, r.At
		case r.Type == "R" && !last[r.ID].IsZero() && r.At.After(last[r.ID]): // when the server had done what the log tells
			last[r.ID] = r.At
		}
	}
	return last
}
