// Package delay defines the explanation of a wait: why a job does not start in a planned run. An
// explanation says
//
//   - which hosts refuse the job, and why
//   - which jobs use the resources that it waits for
//   - when these resources are free at the latest
//   - how much work comes before the job
//
// The plan has a decision about the job, with the scheduler's reason for each place. The snapshot and the
// other decisions give the rest. All results are data. Reasons are data too (model.Reason), not sentences.
// engine/gridengine/delay and engine/pbs/delay find the facts of each system.
//
// Its files:
//   - delay.go: a Delay is the whole explanation
//   - group.go: a Group has the places that refuse the job for the same reason
//   - holder.go: a Holder is a booking of something that the job waits for
//   - booking.go: the bookings of a plan before a decision
//   - wanted.go: the resources that a decision waits for
//   - work.go: Work is the work before a job, in slot-hours, for PBS in processor-hours
package delay
