package lastrun

import (
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/record"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// A Moment is the second of the last scheduler run before the snapshot.
type Moment struct {
	At     time.Time
	Source string // the source that shows it, in words
	// Second reports an earlier run in the same second. Tasks that it started were already running.
	Second bool
	// Begun reports an earlier run in the same second. It started the tasks that are now running (state r).
	// The tasks that the last run started are still on the way to their hosts (state t).
	Begun bool
	// Later is the first job submitted in the same second after the run; 0 for none.
	Later uint32
}

// Instant distinguishes the runs of one second.
func (m Moment) Instant() time.Time {
	if m.Second {
		return m.At.Truncate(time.Second).Add(time.Second - time.Microsecond)
	}
	return m.At
}

// findMoments infers the moment of the last run from the schedule file, times of decayed usage, waiting-time
// and deadline contributions, start times, and the scheduler's messages. If several are possible, the
// likeliest is first. There is none if nothing shows it.
func findMoments(s *model.Snapshot, q model.Quirks) []Moment {
	s = listed(s)
	list := momentsToTheSecond(s, q)
	if !q.FractionalClock {
		return heard(list, s)
	}
	if at, ok := scheduleMoment(s); ok {
		list = append(list, Moment{At: at.Add(-time.Second),
			Source: "the last run in the schedule file; its priorities are from the second before"})
	}
	for i := range list {
		list[i].At = withFraction(s, list[i].At, q)
	}
	return slices.Concat(tracedMoments(s), startMoments(s), list)
}

// listed is the snapshot without records of runs after its jobs were listed, because the files are copied
// last.
func listed(s *model.Snapshot) *model.Snapshot {
	known := record.Known(s)
	if known == len(s.Runs) {
		return s
	}
	own := *s
	own.Runs = s.Runs[:known]
	own.Trace = slices.DeleteFunc(slices.Clone(s.Trace), func(l model.TraceLine) bool {
		return l.At.Unix() > s.TakenAt.Unix()
	})
	return &own
}

func momentsToTheSecond(s *model.Snapshot, q model.Quirks) []Moment {
	if at, ok := scheduleMoment(s); ok {
		return []Moment{{At: at, Source: "the last run in the schedule file"},
			{At: at.Add(time.Second), Source: "the last run in the schedule file; its priorities are from the next second"}}
	}
	list := findSeconds(s, q)
	for _, m := range list {
		if !startsIn(s, m.At) {
			continue
		}
		list = append(list, Moment{At: m.At.Add(-time.Second), Source: m.Source +
			"; the master started its jobs in the next second"})
		m.Second = true
		list = append(list, m)
	}
	earliest := lastRanked(s, q)
	if late := slices.DeleteFunc(slices.Clone(list), func(m Moment) bool { return m.At.Before(earliest) }); len(late) > 0 {
		return late
	}
	return list
}

// lastRanked is the latest submission among jobs that the run ranked; zero if pending jobs do not show it.
func lastRanked(s *model.Snapshot, q model.Quirks) time.Time {
	var last time.Time
	if !s.Policy.ReportPendingTickets {
		return last
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if ranked(s, j, q) && j.Submitted.After(last) && !restarted(j) {
			last = j.Submitted
		}
	}
	return last
}

// startsIn reports whether any task started in a second.
func startsIn(s *model.Snapshot, at time.Time) bool {
	return slices.ContainsFunc(s.Jobs, func(j model.Job) bool {
		return slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return startedIn(&t, at) })
	})
}

func findSeconds(s *model.Snapshot, q model.Quirks) []Moment {
	clues := newIntervals(s, q)
	at, ok := stampMoment(s)
	if !ok || !clues.allows(at) {
		return clues.moments(s, q)
	}
	list := []Moment{{At: at, Source: "the run's time stamp on usage (sge_share_mon)"},
		{At: at.Add(-time.Second), Source: "the second before the run's time stamp on usage (sge_share_mon)"}}
	if len(clues.runs) > 0 && slices.Max(clues.runs) != at.Unix() { // a later run may have stamped nothing
		list = append(list, clues.moments(s, q)...)
	}
	return list
}

// scheduleMoment is the start of the tasks that the run started, in the last section of the schedule file.
func scheduleMoment(s *model.Snapshot) (time.Time, bool) {
	if len(s.Runs) == 0 {
		return time.Time{}, false
	}
	for _, l := range s.Runs[len(s.Runs)-1].Lines {
		if l.State == "STARTING" {
			return l.Start, true
		}
	}
	return time.Time{}, false
}

// stampMoment is the latest time to which usage was decayed.
func stampMoment(s *model.Snapshot) (time.Time, bool) {
	var last time.Time
	for i := range s.Users {
		if at := s.Users[i].Usage.At; at.After(last) {
			last = at
		}
	}
	return last, !last.IsZero()
}

// intervals has the facts that limit the moment of the run.
type intervals struct {
	policy *model.Policy
	lines  []interval
	latest int64      // Unix seconds of the snapshot, 0 where it does not say
	runs   []int64    // seconds in which the scheduler wrote of a run
	clocks []interval // when runs read their clocks, by what the scheduler wrote
	// the end of the run before the last one that ended before the snapshot, 0 where the messages do not tell
	before int64
	starts int64 // the latest start of a task, 0 for none
	// what whole seconds of a difference can lack of that between two clocks: 1 where clocks count fractions
	part int64
}

// An interval has the seconds that one printed contribution allows for the moment.
type interval struct {
	from, to int64
}

func newIntervals(s *model.Snapshot, q model.Quirks) *intervals {
	c := &intervals{policy: &s.Policy, clocks: clockReadings(s)}
	if q.FractionalClock {
		c.part = 1
	}
	if !s.TakenAt.IsZero() {
		c.latest = s.TakenAt.Unix()
	}
	var last int64
	for _, l := range s.Trace {
		if split.IsRun(l.Text) {
			c.runs = append(c.runs, l.At.Unix())
		}
		if end := l.At.Unix(); split.EndsRun(l.Text) && last < end && end < c.latest {
			c.before, last = last, end
		}
	}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for k := range j.Tasks {
			if t := &j.Tasks[k]; !t.Started.IsZero() {
				c.starts = max(c.starts, t.Started.Unix())
			}
		}
		if j.Reported != nil && !frozen(j) {
			c.addWaiting(j)
			c.addDeadline(j)
		}
	}
	return c
}

// frozen reports whether no run ranks any task of the job. Then the master shows numbers of an earlier run.
func frozen(j *model.Job) bool {
	return !slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return !split.Suspended(t.State) })
}

// addWaiting notes the seconds that fit the printed waiting-time contribution: weight times seconds since
// submission, rounded.
func (c *intervals) addWaiting(j *model.Job) {
	v, w := j.Reported.WTContr, c.policy.WeightWaitingTime
	if !(v*w > 0) || j.Submitted.IsZero() {
		return
	}
	v, w = math.Abs(v), math.Abs(w)
	slack := printedSlack(v)
	from, to := math.Ceil((v-slack)/w), math.Floor((v+slack)/w)
	c.add(j.Submitted.Unix()+int64(from), j.Submitted.Unix()+int64(to)+c.part)
}

// addDeadline notes the seconds that fit the printed deadline contribution: weight divided by the seconds
// left, rounded.
func (c *intervals) addDeadline(j *model.Job) {
	v, w := j.Reported.DLContr, c.policy.WeightDeadline
	if !(v > 0) || w <= 0 || j.Deadline.IsZero() || v >= w {
		return
	}
	slack := printedSlack(v)
	most := math.MaxInt32 / 2.0
	if v > slack {
		most = w / (v - slack)
	}
	c.add(j.Deadline.Unix()-int64(math.Floor(most))-c.part, j.Deadline.Unix()-int64(math.Ceil(w/(v+slack))))
}

func (c *intervals) add(from, to int64) {
	if from <= to {
		c.lines = append(c.lines, interval{from, to})
	}
}

// printedSlack is the greatest difference between a value and its printed digits: half a unit, or three
// digits above 99999999.
func printedSlack(v float64) float64 {
	if v > 99999999 {
		return v * 0.005
	}
	return 0.5
}

// allows reports whether more than half of the clues allow a second.
func (c *intervals) allows(at time.Time) bool {
	n := 0
	for _, l := range c.lines {
		if l.from <= at.Unix() && at.Unix() <= l.to {
			n++
		}
	}
	return 2*n >= len(c.lines)
}

// window is the interval of seconds that most clues allow. Rows of earlier runs may contradict it.
func (c *intervals) window() (from, to int64) {
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, l := range c.lines {
		edges = append(edges, edge{l.from, +1}, edge{l.to + 1, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return a.step - b.step
	})
	most, n := 0, 0
	for i, e := range edges {
		n += e.step
		// of two windows of equal support the later one is of the later run
		if n >= most && n > 0 && e.step > 0 && i+1 < len(edges) {
			most, from, to = n, e.at, edges[i+1].at-1
		}
	}
	return from, to
}

// moments are the likeliest seconds of the window: by the printed urgency, then by the messages file and by
// start times.
func (c *intervals) moments(s *model.Snapshot, q model.Quirks) []Moment {
	if c.latest == 0 && len(c.lines) == 0 {
		return nil
	}
	if first, none := beforeAll(s, q); none && len(c.lines)+len(c.runs) == 0 && c.starts == 0 {
		return []Moment{{At: first, Source: "before the first job: no run has ranked a job yet"}}
	}
	source := "waiting-time and deadline contributions"
	from, to := c.latest-maxGap, c.latest
	if len(c.lines) > 0 {
		from, to = c.window()
		if c.latest > 0 {
			to = min(to, c.latest)
		}
	} else if source = "start times and scheduler messages"; c.starts == 0 && len(c.runs) == 0 {
		source = "the time of the snapshot (the bundle has nothing better)"
	}
	seconds := candidates(from, to)
	if urgent := c.policy.WeightUrgency != 0 || c.policy.ReportPendingTickets; urgent && len(seconds) > 1 &&
		len(c.lines) > 0 {
		seconds = bestByUrgency(s, q, seconds)
	}
	var list []Moment
	for _, second := range c.prefer(seconds) {
		list = append(list, Moment{At: time.Unix(second, 0).UTC(), Source: source})
	}
	for _, last := range c.lastRun() {
		if !slices.Contains(seconds, last) {
			list = append(list, Moment{At: time.Unix(last, 0).UTC(), Source: "scheduler messages"})
		}
	}
	return list
}

// beforeAll is the second before the first submission, if the master shows that no run has ranked any job.
func beforeAll(s *model.Snapshot, q model.Quirks) (at time.Time, none bool) {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if ranked(s, j, q) || j.Submitted.IsZero() {
			return at, false
		}
		if at.IsZero() || j.Submitted.Before(at) {
			at = j.Submitted
		}
	}
	return at.Add(-time.Second), s.Policy.ReportPendingTickets && len(s.Jobs) > 0
}

// maxGap is how long before a snapshot the last run is searched, if nothing narrows it down.
const maxGap = 600

// maxCandidates is the most seconds that are tried one by one.
const maxCandidates = 2000

func candidates(from, to int64) []int64 {
	from = max(from, to-maxCandidates)
	list := []int64{to}
	for at := to - 1; at >= from; at-- {
		list = append(list, at)
	}
	slices.Reverse(list)
	return list
}

// lastRun are the seconds in which the last run may have read its clock, the latest first: by its messages
// about that, and else the second in which the scheduler wrote of a run last. There are none where it wrote
// nothing.
func (c *intervals) lastRun() (list []int64) {
	switch {
	case len(c.clocks) > 0:
		last := c.clocks[len(c.clocks)-1]
		for at := last.to; at >= max(last.from, last.to-1); at-- {
			list = append(list, at)
		}
		return list
	case len(c.runs) > 0:
		return []int64{slices.Max(c.runs)}
	}
	return nil
}

// prefer selects the most probable of the seconds, the best first. These are the last run that the
// scheduler wrote about, the last start if no complete run followed, and the last second.
func (c *intervals) prefer(seconds []int64) []int64 {
	var list []int64
	add := func(at int64) {
		if slices.Contains(seconds, at) && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	for _, at := range c.lastRun() {
		add(at)
	}
	if c.starts > c.before {
		add(c.starts)
	}
	add(seconds[len(seconds)-1])
	return list
}

// urgencies are those of the jobs in a run.
func urgencies(s *model.Snapshot, at time.Time, q model.Quirks) map[*model.Job]*urgency.Value {
	lists := split.Jobs(s, at, q, split.Assumed{})
	values, _ := urgency.Compute(lists, s, at, q)
	byJob := make(map[*model.Job]*urgency.Value, len(lists.Running)+len(lists.Pending))
	for i := range lists.Running {
		byJob[lists.Running[i].Job] = &values.Running[i]
	}
	for i := range lists.Pending {
		byJob[lists.Pending[i].Job] = &values.Pending[i]
	}
	return byJob
}

// bestByUrgency keeps the seconds that reproduce most printed digits of nurg.
func bestByUrgency(s *model.Snapshot, q model.Quirks, seconds []int64) []int64 {
	const sample = 2000 // jobs compared; all of them set the scale
	most := -1
	var best []int64
	for _, second := range seconds {
		at := time.Unix(second, 0)
		if q.FractionalClock {
			at = withFraction(s, at, q)
		}
		values := urgencies(s, at, q)
		n, seen := 0, 0
		for i := range s.Jobs {
			j := &s.Jobs[i]
			v := values[j]
			if v == nil || j.Reported == nil || math.IsNaN(j.Reported.NUrg) || j.Reported.NPPrior == 0 {
				continue // the run stored nothing of it
			}
			if NUrg.Same(v.Norm, j.Reported.NUrg) {
				n++
			}
			if seen++; seen >= sample {
				break
			}
		}
		switch {
		case n > most:
			most, best = n, []int64{second}
		case n == most:
			best = append(best, second)
		}
	}
	return best
}
