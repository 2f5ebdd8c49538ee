package act

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// trialFigures are a side's column of the table.
type trialFigures struct {
	tau          float64 // of starts against the wanted order, pairs of jobs of one shape
	passed, runs int     // runs in which a more wanted job that fits was passed
	slotSeconds  float64 // in use, of all there are
	ended        int
	empty        time.Duration     // how long a slot that was freed is empty
	ranked       []time.Duration   // from submission to a place in the order
	large        map[int]largeWait // by their place among all that were submitted
	why          []string          // of each run that passed one: which
}

// alike reports whether two jobs fit wherever the other does, by their shape and by rules.
func (s *trialSide) alike(a, b *triedJob) bool {
	return a.slots == b.slots && (!s.rules || a.user == b.user || a.slots > 1)
}

// figures are those of what started between two moments.
func (s *trialSide) figures(from, to time.Time) trialFigures {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := trialFigures{large: map[int]largeWait{}}
	agree, against, slotsStarted, busy := 0, 0, 0, 0.0
	starts := map[int64][]*triedJob{}
	for nth, a := range s.jobs {
		if !a.gone.IsZero() && a.gone.After(from) && a.gone.Before(to) {
			f.ended++
		}
		if a.slots > 1 && a.came.Before(to) && (a.waitsAt(to) || !a.started.Before(from.Truncate(time.Second))) {
			f.large[nth] = a.waitedBetween(from, to)
		}
		if a.started.Before(from) || a.started.After(to) {
			continue
		}
		slotsStarted += a.slots
		starts[a.started.Unix()] = append(starts[a.started.Unix()], a)
		if !a.ranked.IsZero() && a.came.After(from) {
			f.ranked = append(f.ranked, a.ranked.Sub(a.came))
		}
		for _, b := range s.jobs {
			if s.alike(a, b) && s.knownWaiting(b, a.started) && b.number != a.number {
				if a.wantedBefore(b) {
					agree++
				} else {
					against++
				}
			}
		}
	}
	f.tau = float64(agree-against) / float64(max(agree+against, 1))
	f.runs = len(starts)
	for _, run := range starts {
		if why := s.passes(run); why != "" {
			f.passed, f.why = f.passed+1, append(f.why, why)
		}
	}
	slices.Sort(f.why)
	n := 0
	for _, u := range s.usage {
		if u.at.After(from) && u.at.Before(to) {
			busy, n = busy+float64(u.slots), n+1
		}
	}
	all := float64(trialHosts * s.perHost)
	f.slotSeconds = busy / float64(max(n, 1)) / all
	f.empty = time.Duration((1 - f.slotSeconds) * all * float64(to.Sub(from)) / float64(
		max(slotsStarted, 1))).Round(100 * time.Millisecond)
	return f
}

// knownWaiting reports whether a job waited at a moment, and could have started for a while.
func (s *trialSide) knownWaiting(j *triedJob, at time.Time) bool {
	return j.ready.Before(at.Add(-staleness)) && (j.started.IsZero() || j.started.After(at))
}

// passes says of a run that starts a job though a more wanted one waits on that would fit instead, which; else nothing.
func (s *trialSide) passes(run []*triedJob) string {
	at := run[0].started
	last := slices.MaxFunc(run, func(a, b *triedJob) int {
		if a.wantedBefore(b) {
			return -1
		}
		return 1
	})
	for _, b := range s.jobs {
		if !s.knownWaiting(b, at) || !b.wantedBefore(last) || !s.fits(b, at, staleness) {
			continue
		}
		since := staleness
		for since < time.Minute && s.fits(b, at, since) {
			since += 100 * time.Millisecond
		}
		return fmt.Sprintf("%s: %s, ready for %v, with room for %v, by %s", at.Format(time.TimeOnly), b,
			at.Sub(b.ready).Round(100*time.Millisecond), since, last)
	}
	return ""
}

// fits reports whether a job could have started at a moment: beside what ran, and what started then and is
// more wanted. That a limited job ended counts when it is known for so long; that any did, where that is
// longer than it takes to know.
func (s *trialSide) fits(b *triedJob, at time.Time, known time.Duration) bool {
	free, carls := map[string]int{}, 0
	for i := range trialHosts {
		free[fmt.Sprintf("node%02d", i+1)] = s.perHost
	}
	for _, j := range s.jobs {
		gone := at.Add(staleness - known)
		if s.limited(j) {
			gone = at.Add(-known)
		}
		if j.started.IsZero() || j.started.After(at) || !j.end().After(gone) {
			continue
		}
		if j.started.Equal(at) && b.wantedBefore(j) {
			continue
		}
		if s.limited(j) {
			carls++
		}
		if j.end().After(at.Add(staleness - known)) {
			for host, n := range j.on {
				free[host] -= n
			}
		}
	}
	if s.limited(b) && carls >= carlsMost {
		return false
	}
	room, chunk := 0, min(s.chunk, b.slots)
	for host, n := range free {
		if s.may(b, host) {
			room += max(n, 0) / chunk * chunk
		}
	}
	return room >= b.slots
}

// limited reports whether only so many of such jobs may run at once.
func (s *trialSide) limited(j *triedJob) bool { return s.rules && j.user == "carl" && j.slots == 1 }

// may reports whether rules let a job start on a host.
func (s *trialSide) may(j *triedJob, host string) bool {
	switch {
	case !s.rules:
		return true
	case j.slots > 1:
		return true
	case j.user == "ben":
		return slices.Contains(hostsOfBen, host)
	}
	return host != hostOfMPI
}

func (f trialFigures) row() string {
	return fmt.Sprintf("tau-b %.3f | passed %d/%d | slot-seconds %.1f %% | ended %d | freed slot empty %v",
		f.tau, f.passed, f.runs,
		100*f.slotSeconds, f.ended, f.empty)
}

// largeJobs tells how long large jobs waited. Those that still wait at the end count until then, on both
// sides alike: else a side that starts more of them would be told to be slower. By lists the jobs one by
// one.
func largeJobs(native, driven trialFigures) (text string, by []string) {
	var natively, here []time.Duration
	var sums [2]time.Duration
	later, earlier := 0, 0
	for _, nth := range slices.Sorted(maps.Keys(native.large)) {
		n, d := native.large[nth], driven.large[nth]
		natively, here = append(natively, n.waited), append(here, d.waited)
		sums[0], sums[1] = sums[0]+n.waited, sums[1]+d.waited
		switch {
		case d.waited > n.waited+trialInterval:
			later++
		case d.waited < n.waited-trialInterval:
			earlier++
		}
		by = append(by, fmt.Sprintf("large job %d of %d s: natively %v, driven %v", nth, n.runtime, n, d))
	}
	of := func(sum time.Duration, list []time.Duration) string {
		return fmt.Sprintf("%v in all, half of them %v, at most %v", sum.Round(time.Second),
			quantile(list, 0.5), quantile(list, 1))
	}
	return fmt.Sprintf("%d large jobs waited, natively: %s; driven: %s; by more than an interval %d "+
		"started later than natively, %d earlier",
		len(by), of(sums[0], natively), of(sums[1], here), later, earlier), by
}

// A largeWait is how long a large job waited, so far where it has not started.
type largeWait struct {
	runtime int
	waited  time.Duration
	still   bool
}

func (j *triedJob) waitsAt(at time.Time) bool { return j.started.IsZero() || j.started.After(at) }

// waitedBetween is how long a job waited, as far as that was between two moments.
func (j *triedJob) waitedBetween(from, to time.Time) largeWait {
	w := largeWait{runtime: j.runtime, still: j.waitsAt(to)}
	since, until := j.came, j.started
	if since.Before(from) {
		since = from
	}
	if w.still {
		until = to
	}
	w.waited = max(0, until.Sub(since))
	return w
}

func (w largeWait) String() string {
	text := w.waited.Round(time.Second).String()
	if w.still {
		text += " and waits"
	}
	return text
}

// quantile is one of some times.
func quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(q*float64(len(list)-1))].Round(100 * time.Millisecond)
}
