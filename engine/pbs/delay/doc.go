// Package delay explains why a PBS job does not start in a planned cycle. The answer has the form of
// engine/delay.
//
// Its files:
//   - delay.go: Of explains a job or an array
//   - ahead.go: the jobs that the cycle tries before it
package delay
