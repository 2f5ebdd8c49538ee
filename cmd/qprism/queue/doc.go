// Package queue implements the commands that explain the present order of the queue.
//
// Its files, and the commands in them:
//   - audit.go, audit_releases.go: audit; how many printed numbers agree with the rules of each release
//   - priorities.go: priorities
//   - shares.go, shares_since.go: shares; usage and targets in a period
//   - explain.go, explain_text.go: explain, as JSON and as text
//   - explain_linear.go: a job's place under the variant linear of what-if
//   - compare.go: compare
//   - lint.go: lint
//   - formula.go: formula
//   - releases.go: releases
//   - group.go: the list of commands; their JSON types
package queue
