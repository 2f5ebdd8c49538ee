// Package lint checks a policy of PBS, by pbs_sched(8B), its files, and what the scheduler does besides;
// and what a Torque server says of its. All sentences of its report are here.
//
// Its files:
//   - lint.go: Check reads a policy; the list of checks
//   - order.go: what jobs are sorted by
//   - fairshare.go: shares, usage, and whether they count
//   - backfill.go: strict ordering, backfill, preemption, express queues
//   - config.go: options of sched_config
//   - torque.go: what a Torque server says
package lint
