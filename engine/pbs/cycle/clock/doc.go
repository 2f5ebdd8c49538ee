// Package clock tells when it is primetime and dedicated time, by the files holidays and dedicated_time of PBS.
//
//   - clock.go: Hours answers for a moment, PolicyAt names the policy of sched_config that holds then
package clock
