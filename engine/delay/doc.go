// Package delay explains why a job does not start in a planned run: which hosts refuse it and why, which jobs
// use what it waits for, when that is free at the latest, and how much work comes before it.
//
// The plan has a decision about the job, with the scheduler's reasons for each place. The rest comes from the
// snapshot and the other decisions. Everything is data, including reasons (model.Reason). No text is compared
// or sorted.
//
// This package has the common part. engine/gridengine/delay and engine/pbs/delay find the facts of each
// system.
//
// Its files:
//   - delay.go: a Delay is the whole explanation
//   - group.go: a Group has the places that refuse the job for the same reason
//   - holder.go: a Holder is a booking of something that the job waits for
//   - booking.go: the bookings of a plan before a decision
//   - wanted.go: the resources that a decision waits for
//   - work.go: Work is the work before a job, in slot-hours, for PBS in processor-hours
package delay
