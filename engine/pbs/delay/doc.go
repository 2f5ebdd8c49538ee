// Package delay explains why a PBS job does not start in a planned cycle. Package engine/delay defines the
// data type of the explanation.
//
// Its files:
//   - delay.go: Of explains a job or an array
//   - ahead.go: the jobs that the cycle tries before the explained job
package delay
