package intend

import (
	"fmt"
	"slices"
	"time"

	"qprism/engine/model"
)

// A Past checks sentences against snapshots, in order of time. It checks job order and the worth of waiting
// in each snapshot. It checks waits, starts, overtakes and usage by the starts in snapshots and accounting.
type Past struct {
	from    time.Time // nothing before counts
	found   []Over
	lives   lives
	moments []moment
	ended   bool // accounting tells of something
}

// Over is the result for a sentence over time.
type Over struct {
	Intention
	Answer Answer
	Why    string
	Judged int     // snapshots with jobs that the sentence is about, or that checked it against the policy
	Breaks []Break // snapshots that break it, by the order in which they were added
	pairs  int
}

// A Break is a snapshot that breaks a sentence.
type Break struct {
	Snapshot int
	At       time.Time
	Why      string
}

// A moment is the order of waiting jobs in a snapshot.
type moment struct {
	at    time.Time
	order []ranked
}

// NewPast starts with sentences, for a period from a moment.
func NewPast(list []Intention, from time.Time) *Past {
	p := &Past{from: from, lives: lives{}}
	for _, i := range list {
		p.found = append(p.found, Over{Intention: i, Answer: Unknown})
	}
	return p
}

// Add adds a snapshot, and the tasks that had ended by then, from accounting. Without a moment of a run, the
// order of its jobs is not checked.
func (p *Past) Add(in Input, ended []model.EndedTask) {
	p.lives.add(in.Snapshot, ended)
	p.ended = p.ended || len(ended) > 0
	m := moment{at: in.Snapshot.TakenAt}
	if !in.At.IsZero() {
		in.AtHand = true
		c := newChecker(in)
		for k := range p.found {
			p.found[k].judge(c, len(p.moments))
		}
		for _, r := range c.now[:min(len(c.now), mostRanked)] {
			m.order = append(m.order, ranked{job: brief(r.job)})
		}
	}
	p.moments = append(p.moments, m)
}

// judge holds a sentence that is about a moment against one.
func (o *Over) judge(c *checker, snapshot int) {
	if !solvable(&o.Intention) {
		return
	}
	v := c.check(&o.Intention)
	if o.pairs += v.Pairs; v.Answer == Unknown {
		return
	}
	o.Judged++
	if v.Answer == Fails {
		why := v.Why
		if v.Against != nil {
			why = fmt.Sprintf("job %d of %s came before job %d of %s", v.Against.First.Number,
				v.Against.First.Owner, v.Against.Behind.Number,
				v.Against.Behind.Owner)
		}
		o.Breaks = append(o.Breaks, Break{snapshot, c.hand.TakenAt, why})
	}
}

// Verdicts are the results, one for each sentence.
func (p *Past) Verdicts() []Over {
	for k := range p.found {
		o := &p.found[k]
		switch o.Kind {
		case Waits, Starts:
			p.waited(o)
		case Passed:
			p.passed(o)
		case Gets:
			p.shared(o)
		default:
			o.conclude()
		}
	}
	return p.found
}

// conclude says whether a sentence about moments held in all of them.
func (o *Over) conclude() {
	switch {
	case o.Judged == 0:
		o.Why = "no snapshot has two waiting jobs of this kind"
	case len(o.Breaks) > 0:
		o.Answer, o.Why = Fails, fmt.Sprintf("in %d of %s", len(o.Breaks), counted(o.Judged, "snapshot"))
	default:
		o.Answer, o.Why = Holds, "in all of "+counted(o.Judged, "snapshot")
	}
	if o.pairs > 0 {
		o.Why += fmt.Sprintf(", with %s of waiting jobs", counted(o.pairs, "pair"))
	}
}

// end is when the last snapshot was taken.
func (p *Past) end() (at time.Time) {
	if n := len(p.moments); n > 0 {
		at = p.moments[n-1].at
	}
	return at
}

// waited looks for tasks that waited for too long: those that started in the period, and those that wait at its end.
func (p *Past) waited(o *Over) {
	list, unrelated := p.lives.tasksOf(o.First)
	tasks, over, longest, worst := 0, 0, time.Duration(-1), (*life)(nil)
	for _, x := range list {
		from, to := x.job.Submitted, x.started
		if o.Kind == Starts {
			from = model.Latest(from, p.from)
		}
		if to.IsZero() {
			if to = p.end(); x.last.Before(to) || to.Sub(from) <= o.Span {
				continue // it started, or went away, or has time left
			}
		}
		if to.Before(p.from) || to.Before(from) {
			continue
		}
		d := to.Sub(from)
		if tasks++; d > o.Span {
			over++
		}
		if d > longest {
			longest, worst = d, x
		}
	}
	switch {
	case tasks == 0:
		o.Why = "none of its tasks started in this time"
	case over > 0:
		o.Answer, o.Why = Fails, fmt.Sprintf("%d of %d tasks waited for longer, job %d of %s for %s",
			over, tasks, worst.job.Number,
			worst.job.Owner, span(longest))
	default:
		o.Answer, o.Why = Holds, fmt.Sprintf("%d tasks started; job %d of %s waited longest, for %s",
			tasks, worst.job.Number, worst.job.Owner,
			span(longest))
	}
	o.Why += p.caveats(unrelated)
}

// caveats say what is missing.
func (p *Past) caveats(unrelated int) (text string) {
	if !p.ended {
		text = "; without accounting, tasks that started and ended between two snapshots are missing"
	}
	if unrelated > 0 {
		text += fmt.Sprintf("; %d tasks are left out because no file has their requests", unrelated)
	}
	return text
}

// passed looks for jobs of a lower place that started before one that a sentence speaks of, between one
// snapshot and the next.
func (p *Past) passed(o *Over) {
	starts := p.starts()
	passers, judged := 0, 0
	for k := range p.moments[:max(len(p.moments)-1, 0)] {
		now, next := &p.moments[k], p.moments[k+1].at
		one := ""
		speaks := false
		for i := range now.order {
			a := now.order[i].job
			if !o.First.Selects(a) {
				continue
			}
			speaks = true
			own := first(starts[keyOf(a)], now.at)
			for n := i + 1; n < len(now.order); n++ {
				b := now.order[n].job
				at := first(starts[keyOf(b)], now.at)
				if at.IsZero() || at.After(next) || !own.IsZero() && !at.Before(own) {
					continue
				}
				if passers++; one == "" {
					one = fmt.Sprintf("job %d of %s started before job %d of %s, which had a higher place",
						b.Number, b.Owner, a.Number, a.Owner)
				}
			}
		}
		if speaks {
			judged++
		}
		if one != "" {
			o.Breaks = append(o.Breaks, Break{k, now.at, one})
		}
	}
	switch o.Judged = judged; {
	case judged == 0:
		o.Why = "none of its jobs waited in a snapshot before the last"
	case passers > 0:
		o.Answer, o.Why = Fails, fmt.Sprintf("jobs passed %d times, after %d of %s", passers,
			len(o.Breaks), counted(judged, "snapshot"))
	default:
		o.Answer, o.Why = Holds, "no job behind it started before it, after all of "+counted(judged, "snapshot")
	}
	o.Why += p.caveats(0)
}

func keyOf(j *model.Job) lifeKey { return lifeKey{job: j.Number, submitted: j.Submitted.Unix()} }

// starts are the starts of each job's tasks, in the order of their times.
func (p *Past) starts() map[lifeKey][]time.Time {
	starts := map[lifeKey][]time.Time{}
	for _, x := range p.lives {
		if !x.started.IsZero() {
			starts[keyOf(x.job)] = append(starts[keyOf(x.job)], x.started)
		}
	}
	for _, list := range starts {
		slices.SortFunc(list, time.Time.Compare)
	}
	return starts
}

// first is the first of some moments after another one; zero for none.
func first(list []time.Time, after time.Time) time.Time {
	for _, at := range list {
		if at.After(after) {
			return at
		}
	}
	return time.Time{}
}

// shared adds up what jobs had of all that was used while any of them waited: in a window that ends with
// each snapshot for which it is known, else in the whole period.
func (p *Past) shared(o *Over) {
	own, unrelated := p.lives.tasksOf(o.First)
	all, _ := p.lives.tasksOf(nil)
	known := p.known(all)
	least, awaits := 2.0, stretch{}
	waiting := time.Duration(0)
	for _, w := range p.windows(o.Span, known) {
		pieces := awaited(own, w.from, w.to)
		total := held(all, pieces)
		if total == 0 {
			continue
		}
		o.Judged++
		part := held(own, pieces) / total
		if part < o.Number {
			o.Breaks = append(o.Breaks, Break{w.snapshot, w.to, fmt.Sprintf("%.1f %%", 100*part)})
		}
		if part < least {
			least, awaits, waiting = part, w.stretch, 0
			for _, s := range pieces {
				waiting += s.to.Sub(s.from)
			}
		}
	}
	if o.Judged == 0 {
		o.Why = "none of its jobs waited while other jobs ran: there was nothing to share" + p.caveats(unrelated)
		return
	}
	if o.Answer = Holds; len(o.Breaks) > 0 {
		o.Answer = Fails
	}
	o.Why = fmt.Sprintf("%.1f %% of the slots during the %s that its jobs waited, in the %s until %s",
		100*least, span(waiting),
		span(awaits.to.Sub(awaits.from)), awaits.to.UTC().Format("2006-01-02 15:04:05"))
	if o.Judged > 1 {
		o.Why += fmt.Sprintf(", the lowest of %d such times; %d of them are too low", o.Judged, len(o.Breaks))
	}
	o.Why += p.caveats(unrelated)
}

// known is from when on it is known what was used: the first start of which anything tells, or the
// beginning of the period.
func (p *Past) known(all []*life) (from time.Time) {
	for _, x := range all {
		if at := x.started; !at.IsZero() && (from.IsZero() || at.Before(from)) {
			from = at
		}
	}
	return model.Latest(from, p.from)
}

// A window is a stretch of time that ends with a snapshot.
type window struct {
	snapshot int
	stretch
}

// windows are those of a length since a moment; one of all where that is less, or no length is given.
func (p *Past) windows(length time.Duration, since time.Time) (list []window) {
	for k := range p.moments {
		if at := p.moments[k].at; length > 0 && !at.Add(-length).Before(since) {
			list = append(list, window{k, stretch{at.Add(-length), at}})
		}
	}
	if last := len(p.moments) - 1; len(list) == 0 && last >= 0 {
		list = []window{{last, stretch{since, p.end()}}}
	}
	return list
}
