// Package past has the commands about the past: diff, history, timeline and changes. A file has the name of
// its command.
//
// Its files:
//   - diff.go, diff_sources.go: diff: its flags; bundles or stored snapshots to compare
//   - diff_report.go, diff_text.go, diff_json.go: its report, for people and in JSON
//   - history.go, history_json.go: history: one job over time
//   - history_analyse.go: the analysis of a snapshot: place of each waiting job, and why it waits
//   - history_passed.go: the ledger of jobs that passed others
//   - lost.go: time that jobs lost because later jobs started first
//   - timeline.go, changes.go: timeline; pushes and drives, with their orders
//   - group.go: the list of commands; their JSON types
package past
