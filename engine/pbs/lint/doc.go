// Package lint finds settings of a PBS or Torque policy that mislead administrators. Its checks follow
// pbs_sched(8B) and the files of the scheduler. They also follow behavior of the scheduler that no PBS manual
// describes. The rules P1, P2 and so on in docs/rules/pbs.md describe this behavior.
//
// Its files:
//   - lint.go: Check reads a policy; the list of checks
//   - order.go: the criteria that sort jobs
//   - fairshare.go: shares, usage, and whether they count
//   - backfill.go: strict ordering, backfill, preemption, express queues
//   - config.go: options of sched_config
//   - torque.go: settings of a Torque server
package lint
