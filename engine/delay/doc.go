// Package delay says why a job does not start in a planned run: which hosts do not take it and for what, who holds what it waits
// for and when that is free at the latest, and how much work comes before it.
//
// A plan has a decision about the job, with the reasons that the scheduler met, place by place. The rest is read off the snapshot and
// off the other decisions of the plan. All of it is data, reasons too (model.Reason), and nothing is put together or sorted by the
// words that say it.
//
// What is the same for both systems is here; engine/gridengine/delay and engine/pbs/delay find out.
//
// Its files:
//   - delay.go: A Delay is why a job does not start in a planned run
//   - group.go: A Group is places, hosts or queue instances, that do not take the job for the same reason
//   - holder.go: A Holder is a booking of something that the job waits for
//   - booking.go: what a plan books before a decision
//   - wanted.go: the resources that a decision waits for
//   - work.go: Work is what comes before a job, in slot-hours, of PBS in processor-hours
package delay
