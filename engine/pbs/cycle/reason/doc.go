// Package reason translates conditions that a job did not meet into the messages of the PBS scheduler, and
// such messages into conditions.
//
// Its files:
//   - failure.go: a Failure is a condition that a job failed; wordings has the text for log and comment
//   - log.go: Parse reads such a text
package reason
