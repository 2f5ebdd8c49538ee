package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// When a job is altered, it moves to the end of the scheduler's list. In the order of that list, equal jobs
// get tickets, each less than the one before. No command prints the list. But a bundle shows that a job was
// altered (JB_version in qstat-j.xml), and it shows the tickets of equal jobs in their new order. So an
// altered job's own tickets show its place, and the numbers of all other jobs must confirm it. If the master
// does not show the tickets of an altered job (maxujobs), the job counts as the last one: only the tickets of
// other jobs show that.

// reordered is the report with altered jobs in the places that the printed tickets imply. It is nil if any
// number stays unexplained, because an order must not excuse an engine that computes other tickets.
func (r *Report) reordered(opts Options) *Report {
	if r.Sum().Unexplained == 0 || opts.Sequence != nil {
		return nil
	}
	for _, order := range r.orders() {
		o := &Report{Moment: r.Moment, Gaps: r.Gaps, altered: r.altered, runs: r.runs, View: r.View.With(order.Order)}
		o.compare(opts)
		if o.Sum().Unexplained == 0 {
			o.excuse(r, order)
			return o
		}
	}
	return nil
}

// mostOrders is the most orders that are tried; each one recomputes the run.
const mostOrders = 64

// orders are the possible places of altered jobs: those that their tickets imply. Of the jobs without printed
// tickets, one or all go to the end.
func (r *Report) orders() (list []lastrun.Implied) {
	unseen, last := r.View.Unseen()
	unseen = slices.DeleteFunc(unseen, func(job uint32) bool { return !counted(r.jobOf(job)) })
	for _, order := range r.View.ImpliedOrders(mostOrders) {
		maps.DeleteFunc(order.Order, func(job, _ uint32) bool { return !altered(r.jobOf(job)) })
		list = append(list, order)
		all := maps.Clone(order.Order)
		for _, job := range unseen {
			one := maps.Clone(order.Order)
			one.Move(job, last)
			all.Move(job, last)
			list = append(list, lastrun.Implied{Order: one})
		}
		list = append(list, lastrun.Implied{Order: all})
	}
	return slices.DeleteFunc(list, func(o lastrun.Implied) bool { return len(o.Order) == 0 })
}

// jobOf is the job of a number in the view.
func (r *Report) jobOf(number uint32) *model.Job {
	jobs := r.View.Snapshot.Jobs
	return &jobs[slices.IndexFunc(jobs, func(j model.Job) bool { return j.Number == number })]
}

// counted reports whether a job's version shows a change since its submission.
func counted(j *model.Job) bool { return j.Version > 0 }

// altered reports whether a job may have been changed, given that its own tickets show its new place: its
// version shows a change, or it has a -p, -js or -ar, whose changes versions do not count. (Rule R4)
func altered(j *model.Job) bool {
	return counted(j) || j.PosixPriority != 0 || j.JobShare != 0 || j.Reservation != 0
}

// excuse lists the numbers that only the order explains: those of the moved jobs, and, if these do not show
// the order, all others.
func (r *Report) excuse(plain *Report, order lastrun.Implied) {
	why := "agrees with the altered " + namesOf(order.Order) + " later in the scheduler's list, which no command prints"
	for _, d := range plain.Disagreements {
		_, moved := order.Order[d.Job.Number]
		if d.Class == batch.Unexplained && (moved || !order.Told) {
			d.Class, d.Why, d.File = batch.Missing, why, "reporting, with joblog=true"
			r.Disagreements = append(r.Disagreements, d)
			r.Fields[d.Field].Agree--
			r.Fields[d.Field].Missing++
		}
	}
}

func namesOf(order split.Order) string {
	var list []string
	for _, number := range slices.Sorted(maps.Keys(order)) {
		list = append(list, fmt.Sprint(number))
	}
	if len(list) > 1 {
		return "jobs " + strings.Join(list, ", ")
	}
	return "job " + strings.Join(list, "")
}
