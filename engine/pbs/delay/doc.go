// Package delay finds out why a job of PBS does not start in a planned cycle, in the terms of engine/delay.
//
// Its files:
//   - delay.go: Of is why a job, or an array, does not start in a plan of cycle.Run
//   - ahead.go: the work that the cycle tries before it
package delay
