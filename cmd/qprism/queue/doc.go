// Package queue has the commands that say why the queue is in this order. A file has the name of its command.
//
// Its files:
//   - audit.go, audit_releases.go: audit; how well each release explains the printed numbers
//   - priorities.go: priorities
//   - shares.go, shares_since.go: shares; usage and targets in a period
//   - explain.go, explain_text.go: explain, in JSON and for people
//   - explain_linear.go: a job's place in the linear order of what-if
//   - compare.go: compare
//   - lint.go: lint
//   - formula.go: formula
//   - releases.go: releases
//   - group.go: the list of commands; their JSON types
package queue
