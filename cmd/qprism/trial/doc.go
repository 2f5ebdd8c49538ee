// Package trial implements the commands what-if, sweep and intend. The command what-if says what would change
// under another policy. The command sweep ranks many policies. The command intend checks sentences that the
// user writes about the policy.
//
// Its files:
//   - whatif.go, whatif_shares.go, whatif_variant.go, whatif_makes.go: what-if, and how it changes the
//     policy
//   - whatif_report.go, whatif_json.go: its report, as text and as JSON
//   - sweep.go, sweep_submit.go: sweep tries many policies; can do this in an array job
//   - period.go, replay.go, replay_json.go: replays a stored period
//   - intend.go, intend_past.go, intend_report.go: checks intentions, now and over time
//   - group.go: the list of commands and their JSON types
package trial
