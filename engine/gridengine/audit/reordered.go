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

// Altering a job moves it to the end of the scheduler's list, in whose order equal jobs get tickets, each
// less than the one before. No command prints that list. What shows is that a job was altered (JB_version
// in qstat-j.xml), and the tickets of equal jobs, which are the same ones in another order. So an altered
// job's own tickets tell its place, and the numbers of all other jobs judge it. An altered job whose own
// tickets the master does not show (maxujobs) is taken to be the last: only other jobs' tickets tell that.

// reordered is the report with the altered jobs where the printed tickets put them, nil where that leaves
// any number unexplained: an engine that computes other tickets is not excused by their order.
func (r *Report) reordered(opts Options) *Report {
	if r.Sum().Unexplained == 0 || opts.Sequence != nil {
		return nil
	}
	for _, order := range r.orders() {
		o := &Report{Moment: r.Moment, Gaps: r.Gaps, altered: r.altered, runs: r.runs, View: r.View.With(order.Order)}
		o.compare(opts)
		if o.Sum().Unexplained == 0 {
			o.explainByOrder(r, order)
			return o
		}
	}
	return nil
}

// mostOrders is the most orders that are tried; each one recomputes the run.
const mostOrders = 64

// orders are the places that altered jobs may have: where their tickets put them, and of those that show
// none one, or all, at the end.
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

// altered reports whether a job may have been changed, where its own tickets tell to which place it moved:
// its version says so, or it has a -p, -js or -ar, of which versions do not count the changes. (Rule R4)
func altered(j *model.Job) bool {
	return counted(j) || j.PosixPriority != 0 || j.JobShare != 0 || j.Reservation != 0
}

// explainByOrder lists the numbers that only the order explains: those of the moved jobs, and all others where
// these numbers do not tell the order.
func (r *Report) explainByOrder(plain *Report, order lastrun.Implied) {
	why := "agrees if the scheduler's list has the altered " + namesOf(order.Order) + " later; no command prints this list"
	for _, d := range plain.Disagreements {
		_, moved := order.Order[d.Job.Number]
		if d.Class == batch.Unexplained && (moved || !order.Unique) {
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
