// Package clock says when it is primetime and dedicated time, by the files holidays and dedicated_time of
// PBS.
//
//   - clock.go: Hours answers for a moment; PolicyAt is the policy of sched_config in force then
package clock
