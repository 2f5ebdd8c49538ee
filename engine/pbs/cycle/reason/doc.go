// Package reason holds the reasons for which the PBS scheduler does not run a job, and its words for them.
//
//   - failure.go: a Failure is a condition that a job failed; wordings has the text of log and comment for each
//   - log.go: Parse reads such a text back
package reason
