// Package delay explains why a Grid Engine job does not start in a planned run. Package engine/delay
// defines the data type of the explanation.
//
// Its files:
//   - delay.go: Of explains one job or one task
//   - instances.go: the queue instances as the job finds them in the run
//   - ahead.go: the jobs before the explained job in dispatch order
package delay
