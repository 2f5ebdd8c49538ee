// Package clock computes when primetime and dedicated time are in force. It uses the PBS files "holidays" and
// "dedicated_time".
//
// Its files:
//   - clock.go: Hours says when primetime and dedicated time are in force; PolicyAt returns the policy of
//     sched_config at a moment
package clock
