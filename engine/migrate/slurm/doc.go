// Package slurm translates the order of jobs of a Grid Engine cluster to Slurm: weights of slurm.conf(5), a
// script of the controller (job_submit.lua) that gives each job a site factor, accounts and users with
// their shares and usage as sacctmgr(1) loads them, a QOS for limits, and nodes with as many processors as
// slots.
//
// Of the three policies (sge_priority(5)), -p and the urgency of requests are the site factor, to the unit.
// Waiting time becomes age; Grid Engine divides urgency by the range of all jobs, which is frozen here. The
// share tree becomes accounts with fair share, functional and override tickets become priorities of
// associations; that tickets are divided among a user's jobs has no counterpart.
//
// Its files, in the order of the steps:
//   - slurm.go: the translation and its weights
//   - site.go: the site factor of a job, and licenses that stand for resources
//   - tree.go: the tree of associations
//   - tickets.go: priorities of associations, from functional and override tickets
//   - limits.go: limits of the QOS that all jobs have
//   - names.go: which names sacctmgr takes
//   - config.go: the configuration that is written
//   - ledger.go: what became of each line, and the steps of the installation
//   - proof.go: how well each algorithm of fair share keeps the order of jobs
//   - forecast.go: the newest snapshot played forward in both orders
package slurm
