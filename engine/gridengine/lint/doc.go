// Package lint checks a policy of Grid Engine, by sched_conf(5), sge_priority(5), share_tree(5),
// complex(5), and what the scheduler does besides. All sentences of its report are here.
//
// Its files:
//   - lint.go: Check reads a policy; the list of checks
//   - words.go: what the policy does, in plain words
//   - weights.go, precedence.go, departments.go: how weights compare, and where tickets do not come first
//   - functional.go, policies.go: functional tickets, and who has shares
//   - tree.go, usage.go: the share tree, and how usage counts
//   - urgency.go: urgencies, waiting times, deadlines
//   - held.go: jobs that wait for others and gather waiting time meanwhile
//   - reservation.go, astray.go: reservations, and those for a time that is over
//   - dispatch.go: what hides jobs, hosts and queues from the scheduler
//   - finite.go: weights that are infinite, or with which sums are
//   - effect.go: what a change does to the jobs at hand
//   - qconf.go: the commands that mend
package lint
