// Package trial has the commands that ask what starts under another policy: what-if, sweep, intend. A file has
// the name of its command.
//   - whatif.go, whatif_shares.go, whatif_variant.go, whatif_makes.go: what-if and its changes
//   - whatif_report.go, whatif_json.go: its report
//   - sweep.go, sweep_submit.go: a grid of policies, also as an array job
//   - period.go, replay.go, replay_json.go: a stored period played again
//   - intend.go, intend_past.go, intend_report.go: sentences of what a policy is meant to do, now and over time
//   - group.go: the list of commands and their JSON types
package trial
