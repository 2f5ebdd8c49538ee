package resource

import (
	"math"
	"strconv"
	"strings"

	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// seconds count from 1970.
type seconds = utilization.Seconds

// Levels, as in the schedule file.
const (
	LevelPE     = "P"
	LevelGlobal = "G"
	LevelHost   = "H"
	LevelQueue  = "Q"
	LevelQuota  = "L"
)

// A Layer is a place with resources: the global host, a host, a queue instance, a parallel environment, or
// one counter of a quota rule.
type Layer struct {
	Level, Object string
	Capacities    []Capacity // in the order of the configuration
	Uses          []*Use     // one for each consumable, in the order of the first booking
	Loads         []LoadValue
	NumProc       float64
	// job_load_adjustments: starting jobs that the load does not show yet; 100 is one job
	Correction float64
	Fixed      func(*Attribute) (Value, bool) // built-in attributes of a queue instance, else nil
}

// A Capacity is the configured value of an attribute.
type Capacity struct {
	Attr   *Attribute
	Text   string
	Amount float64
}

// A Use is the amount of a consumable in use, now and over time. The second value of each counts jobs that do
// not ask for an exclusive resource, but are in its way.
type Use struct {
	Attr           *Attribute
	Total          float64 // as configured, for the plan's diagrams
	Now, NowOthers float64
	Over, Others   utilization.Diagram
	Level, Object  string // as in the schedule file
	Resource       string
	Drawn          bool // it is in the plan's diagrams
}

// A LoadValue is a value that a host reports.
type LoadValue struct {
	Attr   *Attribute
	Text   string
	Amount float64
	Adjust float64 // job_load_adjustments, for one job
	Loose  bool    // on an idle cluster: the value is not known, so it meets every request
}

// Configured is the configured value of an attribute, nil for none.
func (l *Layer) Configured(a *Attribute) *Capacity {
	for i := range l.Capacities {
		if l.Capacities[i].Attr == a {
			return &l.Capacities[i]
		}
	}
	return nil
}

// UseOf is the use of a consumable, nil if the layer has none.
func (l *Layer) UseOf(a *Attribute) *Use {
	for _, u := range l.Uses {
		if u.Attr == a {
			return u
		}
	}
	return nil
}

// Loaded is the load value of an attribute, nil if none is reported.
func (l *Layer) Loaded(a *Attribute) *LoadValue {
	for i := range l.Loads {
		if l.Loads[i].Attr == a {
			return &l.Loads[i]
		}
	}
	return nil
}

// Configure adds configured values in their order. Each consumable gets its Use.
func (l *Layer) Configure(c Complex, settings []model.Setting) {
	for _, s := range settings {
		if a := c[s.Name]; a != nil && l.Configured(a) == nil {
			l.Add(a, s.Value)
		}
	}
}

// Add configures one attribute. A consumable gets its Use.
func (l *Layer) Add(a *Attribute, text string) {
	l.Capacities = append(l.Capacities, Capacity{Attr: a, Text: text, Amount: Number(text)})
	if a.IsConsumable {
		l.Uses = append(l.Uses, &Use{Attr: a, Total: Number(text), Level: l.Level, Object: l.Object, Resource: a.Name})
	}
}

// Sources of a value, as messages of the scheduler name them.
const (
	FromFixed      = 'f'
	fromLoad       = 'l'
	fromCorrected  = 'L'
	fromConsumable = 'c'
)

// A Value is the value of an attribute in one layer. The zero value is none.
type Value struct {
	Kind   byte
	Amount float64
	Text   string
	loose  bool // it suits every request
}

// Set reports whether there is a value.
func (v Value) Set() bool { return v.Kind != 0 }

// An Offer is the value of an attribute in one layer: for each slot, and for the job as a whole.
type Offer struct {
	Attr    *Attribute
	PerSlot Value
	PerJob  Value
}

// Offer finds the value of an attribute in the layer. For a consumable it is the amount that is free from a
// start for a duration, or the whole amount if full is set. ok is false if neither configuration nor load has
// a value.
func (l *Layer) Offer(a *Attribute, full bool, start, duration seconds) (Offer, bool) {
	o := Offer{Attr: a}
	if c := l.Configured(a); c != nil {
		o.PerSlot = Value{Kind: FromFixed, Amount: c.Amount, Text: c.Text}
		if a.IsConsumable {
			u := l.UseOf(a)
			if u == nil {
				return o, false
			}
			used := 0.0
			if !full {
				used = u.Most(start, duration, false)
			}
			o.PerSlot, o.PerJob = Value{}, Value{Kind: fromConsumable, Amount: left(a, c.Amount, used)}
		}
	}
	l.offerLoad(&o)
	if l.Fixed != nil {
		if v, ok := l.Fixed(a); ok && (!o.PerSlot.Set() || !a.Prior(o.PerSlot.Amount, v.Amount)) {
			o.PerSlot = v
		}
	}
	return o, o.PerSlot.Set() || o.PerJob.Set()
}

func left(a *Attribute, total, used float64) float64 {
	if a.SmallerCounts() {
		return total - used
	}
	return used
}

// offerLoad lets a load value replace what is configured, or limit it.
func (l *Layer) offerLoad(o *Offer) {
	v := l.Loaded(o.Attr)
	known := o.PerSlot.Set() || o.PerJob.Set()
	if v == nil || known && (o.Attr.Relop == model.Equal || o.Attr.Relop == model.NotEqual) {
		return
	}
	switch {
	case v.Loose && known:
		return
	case v.Loose || !o.Attr.Numeric:
		o.PerSlot = Value{Kind: fromLoad, Text: v.Text, loose: v.Loose}
		return
	}
	amount, kind := l.Corrected(v)
	if o.PerSlot.Set() && !o.PerJob.Set() {
		o.PerJob, o.PerSlot = o.PerSlot, Value{}
	}
	if !o.PerJob.Set() || !o.Attr.Prior(o.PerJob.Amount, amount) {
		o.PerJob = Value{Kind: kind, Amount: amount}
	}
}

// Corrected is a load value plus the load that starting jobs will add.
func (l *Layer) Corrected(v *LoadValue) (float64, byte) {
	if v.Adjust == 0 || l.Correction == 0 {
		return v.Amount, fromLoad
	}
	change := v.Adjust * l.share(v.Attr.Name)
	if v.Attr.SmallerCounts() {
		change = -change
	}
	return v.Amount + change, fromCorrected
}

// share is the load correction for an attribute. For attributes named np_… it is that of one processor.
func (l *Layer) share(name string) float64 {
	if strings.HasPrefix(name, "np_") && l.NumProc > 1 {
		return l.Correction / l.NumProc
	}
	return l.Correction
}

// Most is the greatest amount in use from a start for a duration; if start is rightNow, the amount now.
func (u *Use) Most(start, duration seconds, exclusive bool) float64 {
	switch {
	case start == utilization.RightNow && exclusive:
		return max(u.Now, u.NowOthers)
	case start == utilization.RightNow:
		return u.Now
	case start == utilization.Forever && exclusive:
		return max(u.Over.AtLast(), u.Others.AtLast())
	case start == utilization.Forever:
		return u.Over.AtLast()
	case exclusive:
		return max(u.Over.Max(start, duration), u.Others.Max(start, duration))
	}
	return u.Over.Max(start, duration)
}

// AtLast is the amount that stays in use for ever.
func (u *Use) AtLast(exclusive bool) float64 {
	if exclusive {
		return max(u.Over.AtLast(), u.Others.AtLast())
	}
	return u.Over.AtLast()
}

// Below is the moment from which at most the limit is in use.
func (u *Use) Below(limit float64, exclusive bool) seconds {
	if exclusive {
		return max(u.Over.Below(limit), u.Others.Below(limit))
	}
	return u.Over.Below(limit)
}

// String formats an amount for reasons.
func (v Value) String() string {
	if v.Text != "" {
		return v.Text
	}
	return strconv.FormatFloat(v.Amount, 'g', -1, 64)
}

// A Result says whether a task can run at a moment. If places differ, the smaller one counts.
type Result uint8

// Suffices reports whether a layer has enough of a consumable for n slots when nothing is in use. Then
// another time is possible: the scheduler books jobs without a run time for ever, but jobs do end.
func (l *Layer) Suffices(req *Request, n int) bool {
	c := l.Configured(req.Attr)
	return c != nil && req.Attr.IsConsumable && req.Attr.Requestable != model.RequestNo &&
		Holds(req.Attr.Relop, req.Amount*float64(n), c.Amount)
}

// Gap is the first moment, not before from, from which at most the limit is in use for the duration.
func (u *Use) Gap(from, duration seconds, limit float64, exclusive bool) seconds {
	for {
		at := u.Over.Gap(from, duration, limit)
		if exclusive {
			at = max(at, u.Others.Gap(at, duration, limit))
		}
		if at == from || at == utilization.Forever {
			return at
		}
		from = at
	}
}

// Text is the deciding part of an offer, as text.
func (o Offer) Text() string {
	if o.PerJob.Set() {
		return o.PerJob.String()
	}
	return o.PerSlot.String()
}

// Matches compares a request with an offer: for each slot, and for n slots together.
func Matches(req *Request, o Offer, n int, unasked bool) bool {
	at := req.Attr
	if !unasked && at.Requestable == model.RequestNo {
		return false
	}
	if o.PerSlot.loose {
		return true
	}
	if !at.Numeric {
		return holdsText(at.Relop, req.pattern.Match(o.PerSlot.Text))
	}
	if o.PerJob.Set() && !Holds(at.Relop, req.Amount*float64(n), o.PerJob.Amount) {
		return false
	}
	if o.PerSlot.Set() || !o.PerJob.Set() && at.Requestable == model.RequestForced {
		return Holds(at.Relop, req.Amount, o.PerSlot.Amount)
	}
	return true
}

// ReasonOf is the reason that a request is not met.
func ReasonOf(req *Request, unasked bool) model.ReasonKind {
	if !unasked && req.Attr.Requestable == model.RequestNo {
		return model.ReasonNoRequest
	}
	return model.ReasonResource
}

// Unlimited is the number of slots if nothing limits them.
const Unlimited = math.MaxInt32

// ToSlots makes a number of slots from a number, rounded towards zero; NaN is 0.
func ToSlots(n float64) int {
	switch {
	case n >= Unlimited:
		return Unlimited
	case n <= -Unlimited:
		return -Unlimited
	case n != n:
		return 0
	}
	return int(n)
}

const (
	Fits     Result = iota
	NotThen         // another time is possible
	NeverAny        // no job with these requests can ever run
	NotThere        // the layer has no value of the resource
)

// FormatAmount prints an amount, whole numbers without an exponent.
func FormatAmount(amount float64) string {
	if amount == math.Trunc(amount) && math.Abs(amount) < 1<<53 {
		return strconv.FormatInt(int64(amount), 10)
	}
	return strconv.FormatFloat(amount, 'g', -1, 64)
}
