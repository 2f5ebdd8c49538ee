// Package next holds the commands that say what starts next: plan, why, forecast, what-if, sweep and intend. A file is named after its
// command.
//
// Its files:
//   - between.go: A Replay is a run planned anew, next to what is recorded of it
//   - between_counted.go: countsOfRun are the jobs that run and those with tasks that have ended, in the line in which a scheduler with
//     PROFILE=1 tells what a run had to do with
//   - completion.go: CompletePolicy completes the name of the policy that a push is to follow
//   - documents.go: Documents are what the commands of this group print in JSON
//   - forecast.go: forecastSheet has a row for each start, and for each job of which something never starts
//   - group.go: Group are the commands of this folder
//   - likely.go: LikelyStarts are when the first task of each job would start that waits in a snapshot
//   - intend.go: sentences reads those of a file, or of the command line
//   - intend_past.go: An intendPast is what is found of sentences over stored snapshots
//   - intend_report.go: An intendReport is what is found of sentences
//   - plan.go: lengthText is how long resources are booked for, with the allowance of DURATION_OFFSET
//   - plan_compare.go: A Recorded run is what a bundle tells of the last run before it
//   - plan_compare_pbs.go: comparedPBS plans the cycle that the scheduler's log tells
//   - plan_full.go: WaitText says in a few words why a job does not start, with the full places that would take it where no other reason
//     passes with time
//   - plan_json.go: planHead is what comes before the decisions of a plan
//   - plan_lines.go: WriteSchedule writes the lines that params MONITOR=1 makes the scheduler append to its schedule file, schedule(5)
//   - plan_table.go: planSheet has a row for each decision
//   - period.go: A period is the stored snapshots of a cluster between two moments
//   - replay.go: A replayed period is one that is played again
//   - replay_json.go: jsonPeriod is a period of stored snapshots
//   - sweep.go: measureOf is what --by asks for
//   - sweep_submit.go: A sweepFolder holds what the tasks of an array job need, and what they found
//   - whatif.go: whatIf compares a bundle or stored snapshot with the same under what the flags and the words of a variant change
//   - whatif_json.go: plain makes values for JSON of a snapshot
//   - whatif_makes.go: Commands are those of Grid Engine that make the changes, qconf(1)
//   - whatif_report.go: A WhatIfReport is what changes, to be printed
//   - whatif_shares.go: changeShares carries out --shares, on the shares that the policy in force goes by
//   - whatif_variant.go: A VariantMaker makes the case of a variant
//   - why.go: A whyReport is why a job does not start, with what is said of it
//   - why_advice.go: adviseGridEngine is the command that helps on
//   - why_ahead.go: aheadWords says how much work comes first
//   - why_closed.go: closedWords says which queue instances no job can start in, whatever it asks for, a line for each reason
//   - why_holders.go: manyHolders is how many jobs that hold something are listed unless --all asks for all
//   - why_hosts.go: namedHosts is how many hosts of a reason are named unless --all asks for all
//   - why_json.go: jsonWhy is an explanation in JSON
//   - why_lacks.go: generalWords are the reasons of the job itself, and those that hold everywhere, a line each
//   - why_listed.go: A listedJob is what a mere listing tells of a job
//   - why_never.go: adviseNever is the command that lets a job run that never can
//   - why_pbs.go: runsSince says that a job of PBS runs
//   - why_place.go: A standing is where a job stands among those that wait, and what that is made of, in a line
//   - why_start.go: An outlook is when a job is likely to start
package next
