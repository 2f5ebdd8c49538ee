// Package slurm translates the job order of a Grid Engine cluster to Slurm: weights of slurm.conf(5), a
// job_submit.lua that gives each job a site factor, accounts and users with shares and usage for sacctmgr(1),
// a QOS for limits, and nodes with one processor for each slot.
//
// How the three policies of sge_priority(5) are translated:
//   - -p and urgency of requests become the site factor, exactly
//   - waiting time becomes age; Grid Engine divides urgency by the range over all jobs, which is a constant here
//   - the share tree becomes accounts with fair share; functional and override tickets become association priorities;
//     the division of tickets among a user's jobs has no equivalent
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
//   - forecast.go: the newest snapshot played forward in both orders
package slurm
