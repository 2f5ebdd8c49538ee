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

// The levels of the schedule file.
const (
	LevelPE     = "P"
	LevelGlobal = "G"
	LevelHost   = "H"
	LevelQueue  = "Q"
	LevelQuota  = "L"
)

// A Layer is a place that has resources: the cluster as a whole, a host, a queue instance, a parallel environment, or
// one counter of a quota rule.
type Layer struct {
	Level, Object string
	Capacities    []Capacity // as configured, in order
	Uses          []*Use     // one for each consumable, in order of first booking
	Loads         []LoadValue
	NumProc       float64
	Correction    float64                        // job_load_adjustments: how many starting jobs the load does not show yet
	Fixed         func(*Attribute) (Value, bool) // built-in attributes of a queue instance, nil elsewhere
}

// A Capacity is the configured value of an attribute.
type Capacity struct {
	Attr   *Attribute
	Text   string
	Amount float64
}

// A Use is how much of a consumable is in use: at the moment, and over time. The second of each counts jobs that do not
// ask for an exclusive resource where it is in their way.
type Use struct {
	Attr           *Attribute
	Total          float64 // as configured, for the picture
	Now, NowOthers float64
	Over, Others   utilization.Diagram
	Level, Object  string // as the schedule file names them
	Resource       string
	Drawn          bool // it is in the picture
}

// A LoadValue is what a host reports of an attribute.
type LoadValue struct {
	Attr   *Attribute
	Text   string
	Amount float64
	Adjust float64 // job_load_adjustments, for one job
	Loose  bool    // of an idle cluster: nobody knows what it can be, so it suits every request
}

// Configured is what is configured of an attribute, nil for nothing.
func (l *Layer) Configured(a *Attribute) *Capacity {
	for i := range l.Capacities {
		if l.Capacities[i].Attr == a {
			return &l.Capacities[i]
		}
	}
	return nil
}

// UseOf is the use of a consumable, nil where the layer has none.
func (l *Layer) UseOf(a *Attribute) *Use {
	for _, u := range l.Uses {
		if u.Attr == a {
			return u
		}
	}
	return nil
}

// Loaded is the load value of an attribute, nil where none is reported.
func (l *Layer) Loaded(a *Attribute) *LoadValue {
	for i := range l.Loads {
		if l.Loads[i].Attr == a {
			return &l.Loads[i]
		}
	}
	return nil
}

// Configure adds values of a configuration, in its order; each consumable gets its use at once.
func (l *Layer) Configure(c Complex, settings []model.Setting) {
	for _, s := range settings {
		if a := c[s.Name]; a != nil && l.Configured(a) == nil {
			l.Add(a, s.Value)
		}
	}
}

// Add configures an attribute; a consumable gets its use.
func (l *Layer) Add(a *Attribute, text string) {
	l.Capacities = append(l.Capacities, Capacity{Attr: a, Text: text, Amount: Number(text)})
	if a.IsConsumable {
		l.Uses = append(l.Uses, &Use{Attr: a, Total: Number(text), Level: l.Level, Object: l.Object, Resource: a.Name})
	}
}

// Where a value comes from, as messages of the scheduler name it.
const (
	FromFixed      = 'f'
	fromLoad       = 'l'
	fromCorrected  = 'L'
	fromConsumable = 'c'
)

// A Value is what one layer has of an attribute. The zero value is none.
type Value struct {
	Kind   byte
	Amount float64
	Text   string
	loose  bool // it suits every request
}

// Set reports whether there is a value.
func (v Value) Set() bool { return v.Kind != 0 }

// An Offer is what one layer has of an attribute: for each slot, and for the job as a whole.
type Offer struct {
	Attr    *Attribute
	PerSlot Value
	PerJob  Value
}

// Offer finds what the layer has of an attribute. A consumable counts with what is left of it from a start for a
// duration, or with all of it where full is set. There is none where nothing says anything of it.
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

// Corrected is a load value with what starting jobs will add to it.
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

// share is the load correction that counts for an attribute: that of one processor for those named np_….
func (l *Layer) share(name string) float64 {
	if strings.HasPrefix(name, "np_") && l.NumProc > 1 {
		return l.Correction / l.NumProc
	}
	return l.Correction
}

// Most is the greatest amount in use from a start for a duration; at the moment, where the start is rightNow.
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

// Below is the moment after which no more than a limit is in use.
func (u *Use) Below(limit float64, exclusive bool) seconds {
	if exclusive {
		return max(u.Over.Below(limit), u.Others.Below(limit))
	}
	return u.Over.Below(limit)
}

// String prints an amount as reasons show it.
func (v Value) String() string {
	if v.Text != "" {
		return v.Text
	}
	return strconv.FormatFloat(v.Amount, 'g', -1, 64)
}

// A Result says whether something can run at a moment. A smaller one counts where several places differ.
type Result uint8

// Suffices reports whether a layer would have enough of a consumable for n slots if nothing were in use.
// Then another time would do: the scheduler takes what has no end in sight for booked for ever, but jobs do
// end.
func (l *Layer) Suffices(req *Request, n int) bool {
	c := l.Configured(req.Attr)
	return c != nil && req.Attr.IsConsumable && req.Attr.Requestable != model.RequestNo &&
		Holds(req.Attr.Relop, req.Amount*float64(n), c.Amount)
}

// Gap is the first moment, not before from, from which on no more than a limit is in use for a duration.
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

// Text is what counts of an offer.
func (o Offer) Text() string {
	if o.PerJob.Set() {
		return o.PerJob.String()
	}
	return o.PerSlot.String()
}

// Matches compares a request with what a layer offers: for each slot, and for n slots together.
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

// ReasonOf is why a request is not met.
func ReasonOf(req *Request, unasked bool) model.ReasonKind {
	if !unasked && req.Attr.Requestable == model.RequestNo {
		return model.ReasonNoRequest
	}
	return model.ReasonResource
}

// Unlimited is the number of slots where nothing limits them.
const Unlimited = math.MaxInt32

// ToSlots cuts a number of slots off, towards zero; what is no number is none.
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
	NotThen         // another time would do
	neverJob        // never this job, in this run
	NeverAny        // never any job that asks for the same
	NotThere        // nothing is known of the resource here
)

// FormatAmount prints an amount, whole numbers without an exponent.
func FormatAmount(amount float64) string {
	if amount == math.Trunc(amount) && math.Abs(amount) < 1<<53 {
		return strconv.FormatInt(int64(amount), 10)
	}
	return strconv.FormatFloat(amount, 'g', -1, 64)
}
