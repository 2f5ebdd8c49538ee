// Package slurm translates the order of jobs of a Grid Engine cluster to Slurm: weights of slurm.conf(5), a script of the controller
// (job_submit.lua) that gives each job a site factor, accounts and users with their shares and usage as sacctmgr(1) loads them, a QOS
// for limits, and nodes with as many processors as slots.
//
// Of the three policies (sge_priority(5)), -p and the urgency of requests are the site factor, to the unit. Waiting time becomes age;
// Grid Engine divides urgency by the range of all jobs, which is frozen here. The share tree becomes accounts with fair share,
// functional and override tickets become priorities of associations; that tickets are divided among a user's jobs has no counterpart.
//
// Its files:
//   - slurm.go: A Translation is the order of jobs of a Grid Engine cluster in Slurm's words
//   - site.go: A Site is how the controller's script makes the site factor of a job, and licenses that stand for resources
//   - tree.go: A Member is a user in a project of the share tree, or outside of all of them
//   - tickets.go: mostPriority is the priority of the association that has most
//   - limits.go: limits makes limits of the QOS that all jobs have
//   - nodes.go: A Node is a host with its slots
//   - names.go: Holds reports whether sacctmgr can be told of a name
//   - ledger.go: A saying is what became of a line; the steps by which it is installed
//   - proof.go: Choose takes the algorithm of fair share that keeps the order of the runs better which may be looked at
//   - forecast.go: Forecast plays the newest snapshot of a history forward in Grid Engine's order and in that of Slurm's priorities,
//     which are computed anew for each run
package slurm
