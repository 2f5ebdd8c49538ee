package cycle

import (
	"cmp"
	"qprism/engine/model"
	"slices"
	"strings"
)

// loadJobs reads the jobs queue by queue.
func (w *world) loadJobs() {
	byQueue := map[string][]*model.Job{}
	for i := range w.snapshot.Jobs {
		if j := &w.snapshot.Jobs[i]; j.PBS != nil {
			byQueue[j.PBS.Queue] = append(byQueue[j.PBS.Queue], j)
		}
	}
	for _, q := range w.queues {
		if !q.execution {
			continue
		}
		for _, j := range byQueue[q.name] {
			if c := w.loadJob(j, q); c != nil {
				q.jobs = append(q.jobs, c)
			}
		}
	}
}

// loadJob reads one job; nil for one that the scheduler ignores.
func (w *world) loadJob(j *model.Job, q *queue) *claim {
	p := j.PBS
	if p.State == "" || !strings.Contains("QRTHWESUBX", p.State[:1]) {
		return nil
	}
	c := &claim{
		id: p.ID, number: j.Number, task: p.Index, user: j.Owner, group: j.Group, project: j.Project,
		rank: w.res.nextRank(), start: never, end: never, class: -1,
		job: job{
			queue: q, source: j, state: p.State[0], priority: j.PosixPriority, queueRank: p.QueueRank, preemptedAt: unixOr(w.preemptedAt(j)),
			suspendedHere: p.Substate == suspendedByScheduler, starting: p.Substate == preRunning, provisioning: p.Substate == provisioningJob,
			started: unixOr(p.Started), reservationID: p.Reservation, isArray: j.Array && p.Array == "", subjobs: p.ArrayRemaining,
			arrayID: p.Array, maxSubjobs: -1, noCheckpoint: p.Checkpoint == "n", noRequeue: p.NotRerunable, notTop: p.NoTopJob, wasTop: p.TopJob,
			alternatives: runOne(p.Depend), refused: w.refusal(p),
		},
	}
	c.preempted = c.preemptedAt != never
	if j.MaxRunningTasks > 0 {
		c.maxSubjobs = int64(j.MaxRunningTasks)
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
func (w *world) loadRequests(c *claim, j *model.Job) (ok bool) {
	for _, h := range j.Hard {
		n, ok := w.res.request(h.Resource, h.Value)
		if !ok {
			return false
		}
		c.asked = append(c.asked, n)
	}
	for _, u := range j.PBS.Used {
		if n, ok := w.res.request(u.Resource, u.Value); ok {
			c.used = append(c.used, n)
		}
	}
	if len(c.used) > 0 { // what fairshare_usage_res reads and nothing was used of counts as asked for
		c.used = append(c.used, c.asked...)
	}
	if c.selection, ok = w.res.parseSelect(cmp.Or(j.PBS.SchedSelect, j.PBS.Select)); !ok {
		return false
	}
	if slices.Contains(c.selection.uses, w.res.eoe) { // a power profile
		c.noCheckpoint, c.noSuspend = true, true
	}
	c.place, ok = parsePlace(cmp.Or(j.PBS.Place, "free"))
	return ok && c.user != "" && !slices.ContainsFunc(c.selection.chunks, func(h chunk) bool { return len(h.needs) == 0 })
}

// loadPlaces reads where a job runs or ran.
func (w *world) loadPlaces(c *claim, p *model.PBSJob) *claim {
	c.manyVnodes = c.place.scatter && c.selection.total > 1
	if p.ExecVnode != "" {
		if parts, ok := w.res.parsePortions(p.ExecVnode, w.vnodeIndex); ok {
			c.given = combine(parts)
			c.vnodes = w.vnodesOf(c.given)
			c.exact = w.selectionOf(c.given)
		}
	}
	if p.Released != "" {
		if parts, ok := w.res.parsePortions(p.Released, w.vnodeIndex); ok {
			c.released = parts
			if c.suspended() {
				c.exact = w.selectionOf(parts)
			}
		}
	}
	if set, ok := model.Text(p.Other, "node_set"); ok {
		for _, name := range splitValues(set) {
			if v, known := w.vnodeIndex[name]; known {
				c.only = append(c.only, v)
			}
		}
	}
	switch {
	case c.running() && c.given == nil, p.Array != "" && !strings.ContainsAny(p.State, "RESU") && !c.provisioning:
		return nil
	case c.running() && c.started == never:
		c.started = w.now + 1
	}
	c.checkpointed = c.state == 'Q' && c.given != nil
	w.setTimes(c)
	c.cannotRun = !c.runnable()
	return c
}

// setTimes reads the duration of a job and, if it has vnodes, from when to when it has them.
func (w *world) setTimes(c *claim) {
	need := func(r int) *request { return find(c.asked, r) }
	shortest, longest := need(w.res.minWalltime), need(w.res.maxWalltime)
	soft, wall := need(w.res.softWalltime), need(w.res.walltime)
	length := shortest
	c.shortest = never
	if shortest != nil {
		c.shrinks, c.shortest, length = true, seconds(shortest.amount), longest
	}
	if length == nil || c.running() {
		if length = soft; soft == nil {
			length = wall
		}
	} else {
		soft, wall = nil, nil
	}
	c.length, c.hard = fiveYear, fiveYear
	if length != nil {
		c.length = seconds(length.amount)
	}
	switch {
	case wall != nil:
		c.hard = seconds(wall.amount)
	case c.shortest != never:
		c.hard = c.shortest
	}
	w.setPeriod(c, soft)
}

// setPeriod sets from when to when a job has its vnodes. A job over its time ends in a second, one over its
// soft_walltime is given it once more.
func (w *world) setPeriod(c *claim, soft *request) {
	if c.started == never || c.state == 'Q' || c.suspended() || c.vnodes == nil {
		return
	}
	c.start = c.started
	switch {
	case c.exiting():
		c.end = w.now + 1
		return
	case c.start+c.length >= w.now:
	case soft != nil:
		c.length = w.extended(c, soft)
	default:
		c.length = w.now - c.start + 1
	}
	c.end = c.start + c.length
}

func (w *world) extended(c *claim, soft *request) seconds {
	step := seconds(soft.amount)
	if step <= 0 {
		return max(0, w.now-c.started+1)
	}
	length := step + (w.now-c.started)/step*step
	if wall := find(c.asked, w.res.walltime); wall != nil {
		length = min(length, seconds(wall.amount))
	}
	return length
}

// refusal is why the server does not start a job that waits when the scheduler asks it to: by the log of the cycle, or as it did the last
// time, by the job's comment; empty where it was not asked. Hooks of the event runjob do it, and hosts.
func (w *world) refusal(p *model.PBSJob) string {
	if w.refused != nil {
		return w.refused[p.ID]
	}
	text, refused := strings.CutPrefix(p.Comment, "Not Running: PBS Error: ")
	if !refused || p.State != "Q" {
		return ""
	}
	return strings.TrimSpace(text)
}
