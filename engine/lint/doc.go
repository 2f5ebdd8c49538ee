// Package lint reads a policy and says in plain words what it does, and where it does something else than whoever set it
// is likely to expect. Each such trap names the line that causes it, what it does to the jobs at hand, and the command
// that mends it. The rules are those of sched_conf(5), sge_priority(5), share_tree(5) and complex(5) for Grid Engine, of
// pbs_sched(8B) and its files for PBS, and of what both do besides.
//
// Its files:
//   - lint.go: A linter looks at one snapshot of Grid Engine
//   - departments.go: A department is one with functional shares, and who of it has jobs
//   - dispatch.go: jobsFiltered finds JC_FILTER, which hides waiting jobs from the scheduler
//   - effect.go: many prints a number with its noun
//   - finite.go: notFinite finds weights that are infinite, or with which sums are
//   - fix.go: quote makes a word of a shell of any text
//   - functional.go: A category is one of the four that functional tickets are parted by
//   - pbs.go: A pbsLinter looks at one snapshot of PBS
//   - pbs_backfill.go: depthWithoutStrict finds a backfill_depth that does nothing (quirk P15)
//   - pbs_config.go: turnedOff is what turns an option of sched_config off, nil for one that is not on or off
//   - pbs_fairshare.go: fairshareCounts says whether shares order anything
//   - pbs_order.go: formulaPlace is the line of job_sort_formula
//   - place.go: line finds the first line of a file that a condition holds for
//   - policies.go: A sharer is somebody or something with functional shares
//   - reservation.go: reserving are waiting jobs with -R y
//   - torque.go: inTorque are the checks of what Torque's server says, whichever scheduler it has
//   - tree.go: treeUsed says whether the share tree gives out tickets
//   - urgency.go: urgencyNeverPositive finds negative urgencies without positive ones (quirk Q6)
//   - usage.go: usageCountsNothing finds weights that leave nothing of the usage
//   - weights.go: A weight is that of one of the three policies
//   - words.go: words says what a Grid Engine policy does
package lint
