// Package lint has the common part of both systems' checks of a policy: a report in plain words, policy
// warnings, and jobs that can never run. Each warning names the line that causes it, its effect on the
// present jobs, and the command that corrects it. The checks and their texts are in engine/gridengine/lint
// and engine/pbs/lint.
//
// Its files:
//   - lint.go: a Report describes a policy; a Trap is a warning
//   - never.go: NeverRun are the waiting jobs that can never run
//   - place.go: the line of a file that a warning is about
//   - amounts.go: numbers, names and times in sentences
//   - fix.go: safe quoting of commands
package lint
