package intend

import (
	"fmt"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// An Answer says whether a sentence holds.
type Answer string

// The answers.
const (
	Holds   Answer = "holds"
	Fails   Answer = "does not hold"
	Unknown Answer = "cannot be told"
)

// A Verdict is the result for one sentence.
type Verdict struct {
	Intention
	Answer  Answer
	Why     string
	Pairs   int             // pairs of present waiting jobs that the sentence is about
	Broken  int             // pairs in the other order
	Against *Counterexample // nil if nothing breaks the sentence, or no set of jobs can show it
	AtHand  bool            // the present jobs break it
}

// An Input has the facts against which Check tests sentences.
type Input struct {
	Snapshot *model.Snapshot
	Quirks   model.Quirks
	At       time.Time        // of the next run
	Most     int              // most jobs of a made-up case; 0 for 100
	Play     forecast.Options // Check sets At
	AtHand   bool             // make up no jobs

	Elsewhere *Elsewhere // another system that decides in place of the snapshot's; nil for none
}

// An Elsewhere is another system that runs Grid Engine's jobs. Sentences still use Grid Engine's words.
type Elsewhere struct {
	Order    func(s *model.Snapshot, made bool) []uint32 // dispatch order of the waiting jobs; made: they are made up
	Forecast func(o forecast.Options) *forecast.Forecast // of the present jobs
	Most     int                                         // limit of each search for made-up jobs, like mostWork
}

// A checker holds sentences against one policy.
type checker struct {
	Input
	most   int
	hand   *model.Snapshot
	now    []ranked           // waiting jobs at hand
	played *forecast.Forecast // nil until it is asked for
}

const mostMade = 100

func newChecker(in Input) *checker {
	c := &checker{Input: in, most: in.Most, hand: in.Snapshot}
	if c.most == 0 {
		c.most = mostMade
	}
	if in.Snapshot.PBS == nil {
		c.hand = split.WithEndedTasks(in.Snapshot, in.At)
	}
	c.now = c.rank(c.hand, false)
	return c
}

// Check says for each sentence whether it holds.
func Check(in Input, list []Intention) (verdicts []Verdict) {
	c := newChecker(in)
	for i := range list {
		verdicts = append(verdicts, c.check(&list[i]))
	}
	return verdicts
}

func (c *checker) check(i *Intention) Verdict {
	v := Verdict{Intention: *i, Answer: Unknown}
	unknown := c.unknownName(i)
	switch {
	case unknown != "":
		v.Why = unknown
	case c.Snapshot.PBS != nil && (i.Kind == Policies || i.By[0] == byUrgency):
		v.Why = "it is about policies of Grid Engine; PBS does not have them"
	case i.Kind == Worth && (c.Elsewhere != nil || c.Snapshot.PBS != nil):
		c.tryWorth(&v)
	case i.Kind == Worth:
		c.worth(&v)
	case i.Kind == Before || i.Kind == Within || i.Kind == Policies:
		c.ordered(&v)
	default:
		c.play(&v)
	}
	return v
}

// ordered holds a sentence about the order of jobs against those at hand, and against made-up ones.
func (c *checker) ordered(v *Verdict) {
	r := ruleOf(&v.Intention, c.Snapshot)
	t := count(c.now, r)
	v.Pairs, v.Broken = t.pairs, t.broken
	hand := "there are no two waiting jobs of this kind"
	switch {
	case t.broken > 0:
		are := "are"
		if t.broken == 1 {
			are = "is"
		}
		v.Answer, v.AtHand = Fails, true
		v.Why = fmt.Sprintf("%d of %s of waiting jobs %s in the other order", t.broken, counted(t.pairs, "pair"), are)
		if v.Against = t.pair(); !c.AtHand {
			v.Against = c.fewestAtHand(r, t)
		}
		return
	case t.pairs > 0:
		hand = fmt.Sprintf("%s of waiting jobs in the wanted order", counted(t.pairs, "pair"))
	}
	if c.AtHand {
		if v.Why = hand; t.pairs > 0 {
			v.Answer = Holds
		}
		return
	}
	w := c.worstCase(&v.Intention)
	if w.Counterexample != nil {
		v.Answer, v.Against, v.Why = Fails, w.Counterexample, hand+", but other jobs break it"
		return
	}
	switch v.Why = hand + "; " + w.String(); {
	case t.pairs == 0 && w.none:
		v.Why = hand + ", and qprism could not invent two"
	case !w.cut:
		v.Answer = Holds
	}
}

// counted is a number of things: "1 pair", "2 pairs".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// fewestAtHand is the fewest of the jobs at hand that break a rule.
func (c *checker) fewestAtHand(r rule, t tally) *Counterexample {
	s := &search{stop: c.Play.Stop, most: c.mostWork(), breaks: func(jobs []*model.Job) *Counterexample {
		return c.breaks(jobs, r, false)
	}}
	for i := range c.hand.Jobs {
		s.all = append(s.all, &c.hand.Jobs[i])
	}
	if found := s.smallest(); found != nil {
		return found
	}
	found := t.pair()
	found.Jobs = s.all
	return found
}

// mostWork bounds a search; 0 for the bound of all.
func (c *checker) mostWork() int {
	if c.Elsewhere == nil {
		return 0
	}
	return c.Elsewhere.Most
}

// ranked ranks jobs as if there were no others.
func (c *checker) ranked(jobs []*model.Job) []ranked {
	s := *c.hand
	s.Jobs = make([]model.Job, len(jobs))
	for i, j := range jobs {
		s.Jobs[i] = *j
	}
	return c.rank(&s, true)
}

// breaks reports how jobs break a rule if there are no others; nil where they do not.
func (c *checker) breaks(jobs []*model.Job, r rule, made bool) *Counterexample {
	t := count(c.ranked(jobs), r)
	if t.broken == 0 {
		return nil
	}
	found := t.pair()
	found.Jobs, found.Made = jobs, made
	return found
}

// forecast plays runs forward, once.
func (c *checker) forecast() *forecast.Forecast {
	if c.played != nil {
		return c.played
	}
	o := c.Play
	o.At = c.At
	if c.Elsewhere != nil {
		c.played = c.Elsewhere.Forecast(o)
	} else {
		c.played = (&whatif.Case{Snapshot: c.Snapshot, Quirks: c.Quirks}).Forecast(o)
	}
	return c.played
}
