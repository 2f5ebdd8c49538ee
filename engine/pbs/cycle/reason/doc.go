// Package reason translates between the conditions that a job did not meet and the messages of the PBS
// scheduler.
//
// Its files:
//   - failure.go: a Failure is a condition that a job failed; wordings has the text for log and comment
//   - log.go: Parse reads such a text
package reason
