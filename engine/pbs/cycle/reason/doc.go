// Package reason handles the reasons why a job does not start. A reason is a condition that the job did not
// meet. The package turns a condition into the message of the PBS scheduler, and a message into a condition.
//
// Its files:
//   - failure.go: a Failure is a condition that a job failed; wordings has the text for log and comment
//   - log.go: Parse reads such a text
package reason
