// Package push is the command push. It finds priorities that give waiting jobs a wanted order, shows them,
// and with --apply sends them. --undo, --resume and --release work on stored pushes.
//
//   - push.go: the command; Run plans a push, and shows or sends it
//   - order.go, policy.go: the wanted order, without jobs that can never run; the order under another policy
//   - plan.go, pbs.go: a Plan is what a push would send; for Grid Engine, for PBS
//   - words.go, json.go: a plan and its result, for people and in JSON
//   - stored.go, undo.go: finds stored pushes; undoes or finishes them
package push
