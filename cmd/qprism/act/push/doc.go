// Package push is the command push: it finds the priorities that make the scheduler rank waiting jobs in a
// wanted order, shows them, and with --apply sends them. --undo, --resume and --release go by stored
// pushes.
//
//   - push.go: the command; Run plans a push, and shows or sends it
//   - order.go: reads the wanted order, and leaves out jobs that can never run
//   - policy.go: the order under another policy
//   - plan.go: Plan is what a push would send; plans for Grid Engine
//   - pbs.go: plans for PBS
//   - words.go: explains a plan to people
//   - json.go: a plan and a report in JSON
//   - stored.go: finds the stored push that --undo or --resume is about
//   - undo.go: takes stored pushes back, or finishes one
package push
