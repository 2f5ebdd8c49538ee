// Package past implements the commands about the past: diff, history, timeline and changes.
//
// Its files:
//   - diff.go, diff_sources.go: diff and its flags; the bundles or stored snapshots that it compares
//   - diff_report.go, diff_text.go, diff_json.go: its report, as text and as JSON
//   - history.go, history_json.go: history shows one job over time
//   - history_analyse.go: analyzes a snapshot: the place of each waiting job, and why it waits
//   - history_passed.go: lists the jobs that started before others
//   - lost.go: the time that a job lost because jobs behind it started first
//   - timeline.go, changes.go: timeline; changes lists what qprism push and qprism drive changed
//   - group.go: the list of commands; their JSON types
package past
