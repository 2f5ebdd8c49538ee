// Package lint defines the report about a policy: the policy in plain words, warnings, and jobs that can
// never run. A warning names the line of a file and the command that corrects it, if there are any,
// and the effect on the present jobs. The packages engine/gridengine/lint and engine/pbs/lint have the checks and
// the texts of the warnings.
//
// Its files:
//   - lint.go: a Report describes a policy; a Trap is a warning
//   - never.go: NeverRun are the waiting jobs that can never run
//   - place.go: the line of a file that a warning is about
//   - amounts.go: numbers, names and times in sentences
//   - fix.go: safe quoting of commands
package lint
