// Package delay explains why a Grid Engine job does not start in a planned run. The explanation has the type
// Delay of another package, engine/delay.
//
// Its files:
//   - delay.go: Of explains one job or one task
//   - instances.go: the queue instances as the job finds them in the run
//   - ahead.go: the jobs before the explained job in dispatch order
package delay
