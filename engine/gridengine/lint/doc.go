// Package lint finds settings of a Grid Engine policy that mislead administrators. Its checks follow
// sched_conf(5), sge_priority(5), share_tree(5), complex(5), and the quirks (undocumented behavior) of the
// release.
//
// Its files:
//   - lint.go: Check reads a policy; the list of checks
//   - words.go: the policy in plain words
//   - weights.go, precedence.go: the weights of policies; pairs of waiting jobs for which a policy with a
//     smaller weight reverses the order of a policy with a greater weight
//   - departments.go: departments and their tickets
//   - functional.go, policies.go: functional tickets; who has shares
//   - tree.go, usage.go: the share tree; how usage counts
//   - urgency.go: urgencies, waiting times, deadlines
//   - held.go: jobs whose waiting time grows while they wait for other jobs
//   - reservation.go, past_reservation.go: reservations; reservations for a time that has passed
//   - dispatch.go: settings that hide jobs, hosts or queues from the scheduler
//   - finite.go: weights that are infinite, or make sums infinite
//   - effect.go: the effect of a change on the present jobs
//   - qconf.go: the commands that correct a setting
package lint
