// Package push implements the command push. The command finds priorities that put waiting jobs into a
// wanted order, and prints these priorities. With --apply, it sends the priorities to the cluster. The
// options --undo, --resume and --release work on stored pushes.
//
// Its files:
//   - push.go: the command; Run plans a push, and prints or sends it
//   - order.go, policy.go: the wanted order, without jobs that can never run; the order under another
//     policy
//   - plan.go, pbs.go: a Plan has the orders of a push, for Grid Engine and for PBS
//   - words.go, json.go: prints a plan and its result, as text and as JSON
//   - stored.go, undo.go: finds stored pushes; undoes or finishes them
package push
