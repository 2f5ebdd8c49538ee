// Package push implements the command push. The command finds priorities that put waiting jobs into a wanted
// order, and prints these priorities. With --apply, it sends the priorities to the cluster. The store
// (qprism's database) has a record of every push. The option --resume finishes an earlier push, --undo undoes
// one push, and --release undoes all pushes.
//
// Its files:
//   - push.go: the command; Run plans a push, and prints or sends it
//   - order.go, policy.go: reads the wanted order, and omits jobs that can never run; computes the order
//     under another policy
//   - plan.go, pbs.go: a Plan has the changes of a push, for Grid Engine and for PBS
//   - words.go, json.go: prints a plan and its result, as text and as JSON
//   - stored.go, undo.go: finds stored pushes; undoes or finishes them
package push
