// Package past holds the commands that say what happened: diff, history and timeline. A file is named after its command.
//
// Its files:
//   - diff.go: compareRuns compares bundles or stored snapshots
//   - diff_json.go: WriteJSON writes everything
//   - diff_report.go: A diffReport is what a comparison found, to be printed
//   - diff_sources.go: BundleOf opens a bundle, or that of a stored snapshot where a number names no file
//   - diff_text.go: expectations say in words what an order is expected by
//   - documents.go: Documents are what the commands of this group print in JSON
//   - group.go: Group are the commands of this folder
//   - history.go: A life is one job through the snapshots
//   - history_analyse.go: Analyse finds where the waiting jobs of a snapshot stand and why they wait, by a run planned when it was taken
//   - history_json.go: jsonLife is a job over time as JSON
//   - history_passed.go: JSONBypass is an entry of the ledger as JSON
//   - lost.go: Losses are how long jobs went on waiting after one behind them had started
//   - timeline.go: A Tick is a snapshot on the time line
package past
