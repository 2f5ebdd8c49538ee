// Package delay defines the type Delay. A Delay explains why a job does not start in a planned run. It says
//
//   - which hosts refuse the job, and why
//   - which jobs use the resources that the job waits for
//   - the latest time at which these resources become free
//   - how much work of other jobs comes before the job
//
// Part of the explanation comes from the plan of the run. The plan says whether and when the job starts. If a
// host or queue instance refuses the job, the plan also has the reason. The rest of the explanation comes
// from the snapshot, and from the plan's decisions about other jobs. The packages engine/gridengine/delay and
// engine/pbs/delay make the explanations for Grid Engine and PBS.
//
// Its files:
//   - delay.go: a Delay is the whole explanation
//   - group.go: a Group has the places that refuse the job for the same reason
//   - holder.go: a Holder is a job or reservation that has booked a resource for which the job waits
//   - booking.go: the bookings that a plan made before it decided about the job
//   - wanted.go: the resources that the job waits for
//   - work.go: Work is the work before a job, in slot-hours, for PBS in processor-hours
package delay
