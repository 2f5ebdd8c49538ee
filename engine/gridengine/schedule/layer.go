package schedule

import (
	"strconv"
	"strings"

	"qprism/engine/model"
)

// The levels of the schedule file.
const (
	levelPE     = "P"
	levelGlobal = "G"
	levelHost   = "H"
	levelQueue  = "Q"
	levelQuota  = "L"
)

// A layer is a place that has resources: the cluster as a whole, a host, a queue instance, a parallel environment, or
// one counter of a quota rule.
type layer struct {
	level, name string
	conf        []capacity // as configured, in order
	uses        []*use     // one for each consumable, in order of first booking
	load        []loadValue
	processors  float64
	correction  float64                   // job_load_adjustments: how many starting jobs the load does not show yet
	fixed       func(*attr) (value, bool) // built-in attributes of a queue instance, nil elsewhere
}

// A capacity is the configured value of an attribute.
type capacity struct {
	attr   *attr
	text   string
	amount float64
}

// A use is how much of a consumable is in use: at the moment, and over time. The second of each counts jobs that do not
// ask for an exclusive resource where it is in their way.
type use struct {
	attr          *attr
	total         float64 // as configured, for the picture
	now, nowOther float64
	over, other   diagram
	level, object string // as the schedule file names them
	resource      string
	drawn         bool // it is in the picture
}

// A loadValue is what a host reports of an attribute.
type loadValue struct {
	attr   *attr
	text   string
	amount float64
	adjust float64 // job_load_adjustments, for one job
	loose  bool    // of an idle cluster: nobody knows what it can be, so it suits every request
}

func (l *layer) configured(a *attr) *capacity {
	for i := range l.conf {
		if l.conf[i].attr == a {
			return &l.conf[i]
		}
	}
	return nil
}

func (l *layer) used(a *attr) *use {
	for _, u := range l.uses {
		if u.attr == a {
			return u
		}
	}
	return nil
}

func (l *layer) loaded(a *attr) *loadValue {
	for i := range l.load {
		if l.load[i].attr == a {
			return &l.load[i]
		}
	}
	return nil
}

// configure adds values of a configuration, in its order; each consumable gets its use at once.
func (l *layer) configure(c complex, settings []model.Setting) {
	for _, s := range settings {
		if a := c[s.Name]; a != nil && l.configured(a) == nil {
			l.add(a, s.Value)
		}
	}
}

func (l *layer) add(a *attr, text string) {
	l.conf = append(l.conf, capacity{attr: a, text: text, amount: number(text)})
	if a.consumable {
		l.uses = append(l.uses, &use{attr: a, total: number(text), level: l.level, object: l.name, resource: a.Name})
	}
}

// Where a value comes from, as messages of the scheduler name it.
const (
	fromFixed      = 'f'
	fromLoad       = 'l'
	fromCorrected  = 'L'
	fromConsumable = 'c'
)

// A value is what one layer has of an attribute. The zero value is none.
type value struct {
	kind   byte
	amount float64
	text   string
	loose  bool // it suits every request
}

func (v value) set() bool { return v.kind != 0 }

// An offer is what one layer has of an attribute: for each slot, and for the job as a whole.
type offer struct {
	attr    *attr
	perSlot value
	perJob  value
}

// offer finds what the layer has of an attribute. A consumable counts with what is left of it from a start for a
// duration, or with all of it where full is set. There is none where nothing says anything of it.
func (l *layer) offer(a *attr, full bool, start, duration seconds) (offer, bool) {
	o := offer{attr: a}
	if c := l.configured(a); c != nil {
		o.perSlot = value{kind: fromFixed, amount: c.amount, text: c.text}
		if a.consumable {
			u := l.used(a)
			if u == nil {
				return o, false
			}
			used := 0.0
			if !full {
				used = u.most(start, duration, false)
			}
			o.perSlot, o.perJob = value{}, value{kind: fromConsumable, amount: left(a, c.amount, used)}
		}
	}
	l.offerLoad(&o)
	if l.fixed != nil {
		if v, ok := l.fixed(a); ok && (!o.perSlot.set() || !a.prior(o.perSlot.amount, v.amount)) {
			o.perSlot = v
		}
	}
	return o, o.perSlot.set() || o.perJob.set()
}

func left(a *attr, total, used float64) float64 {
	if a.smallerCounts() {
		return total - used
	}
	return used
}

// offerLoad lets a load value replace what is configured, or limit it.
func (l *layer) offerLoad(o *offer) {
	v := l.loaded(o.attr)
	known := o.perSlot.set() || o.perJob.set()
	if v == nil || known && (o.attr.Relop == model.Equal || o.attr.Relop == model.NotEqual) {
		return
	}
	switch {
	case v.loose && known:
		return
	case v.loose || !o.attr.numeric:
		o.perSlot = value{kind: fromLoad, text: v.text, loose: v.loose}
		return
	}
	amount, kind := l.corrected(v)
	if o.perSlot.set() && !o.perJob.set() {
		o.perJob, o.perSlot = o.perSlot, value{}
	}
	if !o.perJob.set() || !o.attr.prior(o.perJob.amount, amount) {
		o.perJob = value{kind: kind, amount: amount}
	}
}

// corrected is a load value with what starting jobs will add to it.
func (l *layer) corrected(v *loadValue) (float64, byte) {
	if v.adjust == 0 || l.correction == 0 {
		return v.amount, fromLoad
	}
	change := v.adjust * l.share(v.attr.Name)
	if v.attr.smallerCounts() {
		change = -change
	}
	return v.amount + change, fromCorrected
}

// share is the load correction that counts for an attribute: that of one processor for those named np_….
func (l *layer) share(name string) float64 {
	if strings.HasPrefix(name, "np_") && l.processors > 1 {
		return l.correction / l.processors
	}
	return l.correction
}

// most is the greatest amount in use from a start for a duration; at the moment, where the start is rightNow.
func (u *use) most(start, duration seconds, exclusive bool) float64 {
	switch {
	case start == rightNow && exclusive:
		return max(u.now, u.nowOther)
	case start == rightNow:
		return u.now
	case start == forever && exclusive:
		return max(u.over.atLast(), u.other.atLast())
	case start == forever:
		return u.over.atLast()
	case exclusive:
		return max(u.over.max(start, duration), u.other.max(start, duration))
	}
	return u.over.max(start, duration)
}

func (u *use) atLast(exclusive bool) float64 {
	if exclusive {
		return max(u.over.atLast(), u.other.atLast())
	}
	return u.over.atLast()
}

// below is the moment after which no more than a limit is in use.
func (u *use) below(limit float64, exclusive bool) seconds {
	if exclusive {
		return max(u.over.below(limit), u.other.below(limit))
	}
	return u.over.below(limit)
}

// String prints an amount as reasons show it.
func (v value) String() string {
	if v.text != "" {
		return v.text
	}
	return strconv.FormatFloat(v.amount, 'g', -1, 64)
}
