package gridengine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"qprism/engine/batch"
	"qprism/engine/blame"
	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// A blaming searches for the request that keeps a job from ever running.
type blaming struct {
	*Chances
	job *model.Job
	why []model.Reason
}

// find says what has to change: one of several things, or all of some. What a job only has to ask for, and
// what an administrator has set, is one thing alone.
func (b *blaming) find() (blames []batch.Blame, all bool) {
	blames, all = blame.Search(b.job, b.changes(), fitsOn(b.idle))
	others := append(b.missing(), b.byOthers()...)
	switch {
	case len(others) == 0:
		return blames, all
	case all:
		return others, false
	}
	return append(blames, others...), false
}

// changes are all things that the job can do without.
func (b *blaming) changes() (list []blame.Change) {
	j := b.job
	for _, scope := range []model.TaskScope{"", model.ScopeMaster, model.ScopeSlave} {
		for _, r := range *blame.Requests(j, scope) {
			list = append(list, b.request(scope, r))
		}
	}
	if len(j.HardQueues) > 0 {
		list = append(list, blame.Plain("-q "+strings.Join(j.HardQueues, ","), func(j *model.Job) { j.HardQueues = nil }))
	}
	if len(j.MasterQueues) > 0 {
		list = append(list, blame.Plain("-masterq "+strings.Join(j.MasterQueues, ","), func(j *model.Job) {
			j.MasterQueues = nil
		}))
	}
	switch {
	case j.PE == "":
	case b.knowsPE():
		list = append(list, b.slots(), b.environment())
	default:
		list = append(list, b.unknownPE())
	}
	if j.Checkpoint != "" {
		list = append(list, blame.Plain("-ckpt "+j.Checkpoint, func(j *model.Job) { j.Checkpoint = "" }))
	}
	if j.Project != "" {
		list = append(list, blame.Plain("-P "+j.Project, func(j *model.Job) { j.Project = "" }))
	}
	if j.Reservation != 0 {
		list = append(list, blame.Plain(fmt.Sprintf("-ar %d", j.Reservation), func(j *model.Job) { j.Reservation = 0 }))
	}
	return list
}

// request is a -l request.
func (b *blaming) request(scope model.TaskScope, r model.Request) blame.Change {
	return blame.Change{Drop: blame.DropRequest(scope, r.Resource), Name: func(fits blame.Fits) batch.Blame {
		option := "-l " + r.Resource + "="
		if scope != "" {
			option = "-scope " + string(scope) + " " + option
		}
		a := batch.Blame{Kind: batch.Other, Option: option + r.Value}
		at := b.idle.Resource(r.Resource)
		if at == nil {
			a.Kind = batch.Absent
			return a
		}
		for _, value := range b.values(at, r.Value, func(value string) bool {
			return fits(blame.With(b.job, blame.SetRequest(scope, r.Resource, value)))
		}) {
			a.Nearest = append(a.Nearest, option+value)
			a.Most = cmp.Or(a.Most, value)
		}
		if len(a.Nearest) > 0 && at.Type.Numeric() && at.Relop != model.Equal && at.Relop != model.NotEqual {
			a.Kind = batch.TooMuch
		}
		return a
	}}
}

// mostNearest bounds the values that are named where one is as good as another.
const mostNearest = 3

// values are values of a resource that would fit, the nearest first: of an amount one, of anything else a few.
func (b *blaming) values(at *model.Resource, asked string, fits func(value string) bool) (list []string) {
	if at.Relop == model.Exclusive || at.Type == model.TypeBool {
		return nil
	}
	offers := blame.Nearby(b.idle.Offers(at.Name), asked)
	if limit, err := model.ParseNumber(asked); err == nil && at.Type.Numeric() &&
		(at.Relop == model.AtMost || at.Relop == model.Less) {
		most := blame.Less{Offers: offers, Below: limit, Parts: b.leastSlots(),
			Print: func(n float64) string { return blame.AmountText(at.Type, n) }, Parse: parsed}
		if text := most.Find(fits); text != "" {
			list = append(list, text)
		}
		return list
	}
	for _, o := range offers {
		if text := textOf(at, o); text != asked && len(list) < mostNearest && fits(text) {
			list = append(list, text)
			if at.Type.Numeric() && (at.Relop == model.AtLeast || at.Relop == model.Greater) {
				break
			}
		}
	}
	return list
}

func parsed(text string) (float64, bool) {
	n, err := model.ParseNumber(text)
	return n, err == nil
}

// leastSlots is the fewest slots that the job takes.
func (b *blaming) leastSlots() int {
	if b.job.PE == "" || len(b.job.PERange) == 0 {
		return 1
	}
	return int(b.job.PERange[0].Min)
}

func textOf(at *model.Resource, o blame.Offer) string {
	if o.Text != "" {
		return o.Text
	}
	return blame.AmountText(at.Type, o.Amount)
}

// slots is the number of slots of a parallel job.
func (b *blaming) slots() blame.Change {
	drop := func(j *model.Job) { j.PERange = []model.Range{{Min: 1, Max: math.MaxInt32, Step: 1}} }
	return blame.Change{Drop: drop, Name: func(fits blame.Fits) batch.Blame {
		asked := model.SlotsText(b.job.PERange)
		a := batch.Blame{Kind: batch.TooMuch, Option: "-pe " + b.job.PE + " " + asked}
		if n := b.fewerSlots(fits); n > 0 {
			a.Most = strconv.Itoa(n)
			a.Nearest = []string{"-pe " + b.job.PE + " " + a.Most}
		} else if n := b.moreSlots(fits); n > 0 {
			a.Kind, a.Nearest = batch.Other, []string{"-pe " + b.job.PE + " " + strconv.Itoa(n)}
		}
		return a
	}}
}

// fewerSlots is the largest number of slots below what the job asks for that fits, 0 for none. Where some
// number of a range fits, some number of a longer one does.
func (b *blaming) fewerSlots(fits blame.Fits) int {
	most := min(b.leastSlots()-1, b.mostSlots())
	return sort.Search(most, func(n int) bool { return !fits(b.between(n+1, most)) })
}

// mostSlots is how many slots all queue instances have together.
func (b *blaming) mostSlots() (n int) {
	for i := range b.snapshot.Instances {
		n += min(max(b.snapshot.Instances[i].Slots, 0), math.MaxInt32)
	}
	return min(n, math.MaxInt32-1)
}

// moreSlots is the smallest number of slots above what the job asks for that fits, 0 for none: a parallel
// environment can spread only some.
func (b *blaming) moreSlots(fits blame.Fits) int {
	least := b.leastSlots() + 1
	most := b.mostSlots()
	if least > most || !fits(b.between(least, most)) {
		return 0
	}
	return least + sort.Search(most-least, func(n int) bool { return fits(b.between(least, least+n)) })
}

// between is the job with another range of slots.
func (b *blaming) between(least, most int) *model.Job {
	return blame.With(b.job, func(j *model.Job) {
		j.PERange = []model.Range{{Min: uint32(least), Max: uint32(most), Step: 1}}
	})
}

// knowsPE reports whether the cluster has a parallel environment of the job's name.
func (b *blaming) knowsPE() bool {
	return slices.ContainsFunc(b.snapshot.PEs, func(pe model.PE) bool { return glob.Match(b.job.PE, pe.Name) })
}

// unknownPE is a parallel environment that the cluster does not have: the job needs another one, with as
// many slots as that gives, or none.
func (b *blaming) unknownPE() blame.Change {
	drop := func(j *model.Job) { j.PE, j.PERange = "", nil }
	return blame.Change{Drop: drop, Name: func(fits blame.Fits) batch.Blame {
		asked := model.SlotsText(b.job.PERange)
		a := batch.Blame{Kind: batch.Absent, Option: "-pe " + b.job.PE + " " + asked}
		var fewer []string
		for i := range b.snapshot.PEs {
			name := b.snapshot.PEs[i].Name
			in := func(j *model.Job) bool { return fits(blame.With(j, func(j *model.Job) { j.PE = name })) }
			if in(b.job) {
				a.Nearest = append(a.Nearest, "-pe "+name+" "+asked)
			} else if n := b.fewerSlots(in); n > 0 {
				fewer = append(fewer, "-pe "+name+" "+strconv.Itoa(n))
			}
			if len(a.Nearest) == mostNearest {
				break
			}
		}
		a.Nearest = append(a.Nearest, fewer[:min(len(fewer), mostNearest-len(a.Nearest))]...)
		return a
	}}
}

// environment is the parallel environment of a job.
func (b *blaming) environment() blame.Change {
	drop := func(j *model.Job) { j.PE = "*" }
	return blame.Change{Drop: drop, Name: func(fits blame.Fits) batch.Blame {
		asked := " " + model.SlotsText(b.job.PERange)
		a := batch.Blame{Kind: batch.Other, Option: "-pe " + b.job.PE + asked}
		for i := range b.snapshot.PEs {
			name := b.snapshot.PEs[i].Name
			if len(a.Nearest) < mostNearest && fits(blame.With(b.job, func(j *model.Job) { j.PE = name })) {
				a.Nearest = append(a.Nearest, "-pe "+name+asked)
			}
		}
		return a
	}}
}

// missing are forced resources that the job would only have to ask for.
func (b *blaming) missing() (blames []batch.Blame) {
	for i := range b.snapshot.Resources {
		at := &b.snapshot.Resources[i]
		if at.Requestable != model.RequestForced || b.asks(at) {
			continue
		}
		for _, o := range b.idle.Offers(at.Name) {
			value := textOf(at, o)
			add := func(j *model.Job) { j.Hard = append(j.Hard, model.Request{Resource: at.Name, Value: value}) }
			if fitsOn(b.idle)(blame.With(b.job, add)) {
				blames = append(blames, batch.Blame{Kind: batch.Lacking, Option: "-l " + at.Name,
					Nearest: []string{"-l " + at.Name + "=" + value}})
				break
			}
		}
	}
	return blames
}

func (b *blaming) asks(at *model.Resource) bool {
	return slices.ContainsFunc(b.job.Hard, func(r model.Request) bool {
		return r.Resource == at.Name || r.Resource == at.Shortcut
	})
}

// byOthers blames what an administrator has set: who may use what, and quotas.
func (b *blaming) byOthers() (blames []batch.Blame) {
	if fitsOn(b.withoutLists())(b.job) {
		blames = append(blames, batch.Blame{Kind: batch.Access, Option: b.whose()})
	}
	if len(b.snapshot.Quotas) > 0 && fitsOn(b.withoutQuotas())(b.job) {
		blames = append(blames, batch.Blame{Kind: batch.Quota, Option: b.rules()})
	}
	return blames
}

// whose is whom the access lists know.
func (b *blaming) whose() string {
	if b.job.Project != "" {
		return b.job.Owner + ", project " + b.job.Project
	}
	return b.job.Owner
}

// rules are the quota rules that refuse the job.
func (b *blaming) rules() string {
	var names []string
	for _, r := range b.why {
		if r.Kind == model.ReasonQuota && !slices.Contains(names, r.Object) {
			names = append(names, r.Object)
		}
	}
	return strings.Join(names, ", ")
}
