// Package reason has the reasons why the PBS scheduler does not run a job, and its messages for them.
//
//   - failure.go: a Failure is a condition that a job failed; wordings has the text for log and comment
//   - log.go: Parse reads such a text
package reason
