// Package clock computes when primetime and dedicated time are in force. It uses the PBS files "holidays" and
// "dedicated_time".
//
// Its files:
//   - clock.go: Hours says which of the two are in force at a moment; PolicyAt is the policy of
//     sched_config at that moment
package clock
