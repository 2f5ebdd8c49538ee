// Package delay finds out why a job of Grid Engine does not start in a planned run, in the terms of engine/delay.
//
// Its files:
//   - delay.go: Of is why a job, or one task of it, does not start in a plan of schedule.Run
//   - floor.go: the queue instances as one waiting job finds them in a run
//   - ahead.go: the work that is decided before it
package delay
