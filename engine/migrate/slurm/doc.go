// Package slurm translates the job order of a Grid Engine cluster to Slurm. Its result has these parts:
//
//   - weights for slurm.conf(5)
//   - a job_submit.lua that gives each job a site factor
//   - accounts and users with shares and usage, for sacctmgr(1)
//   - a QOS for limits
//   - nodes with one processor for each slot
//
// It translates the policies of sge_priority(5) as follows:
//
//   - The priority -p and the urgency of requests become the site factor. The translation of -p is exact.
//   - Waiting time becomes the age factor. In Grid Engine, waiting time is a part of the urgency. The range
//     of a run is the greatest urgency of all jobs minus the least urgency. From the urgency of each job, the
//     run subtracts the least urgency. Then it divides the difference by the range. The range changes from
//     run to run. The translation instead divides by a constant: the range in a recorded run.
//   - The share tree becomes Slurm accounts with shares. Functional and override tickets become priorities of
//     associations. Here, an association is a user in an account, see sacctmgr(1). Slurm has no equivalent
//     for the division of tickets among the jobs of a user.
//
// Its files, in the order of the steps:
//   - slurm.go: the translation and its weights
//   - site.go: the site factor of a job; licenses for resources
//   - tree.go: the tree of associations
//   - tickets.go: priorities of associations, from functional and override tickets
//   - limits.go: limits of the QOS of all jobs
//   - names.go: names that sacctmgr accepts
//   - config.go: the written configuration
//   - ledger.go: the result for each line, and the steps of the installation
//   - proof.go: how well each fair-share algorithm keeps the job order
//   - forecast.go: forecasts from the newest snapshot, in the job orders of Grid Engine and Slurm
package slurm
