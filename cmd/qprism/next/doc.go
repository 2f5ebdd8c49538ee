// Package next implements the commands that say which jobs start next: plan, why and forecast.
//
// Files of plan:
//   - plan.go, plan_table.go, plan_json.go: the command; its output as a table and as JSON
//   - plan_lines.go: its output as lines of schedule(5)
//   - plan_full.go: why a job waits, in a few words
//   - plan_compare.go, plan_compare_pbs.go, between.go, between_counted.go: compares the plan with a
//     recorded run
//
// Files of why:
//   - why.go, why_json.go, why_pbs.go: the command; JSON; PBS
//   - why_listed.go: jobs in a bundle that lists jobs but is too small for a plan
//   - why_never.go: a job that can never run
//   - why_hosts.go: hosts that refuse the job; closed queues; causes in the job itself
//   - why_holders.go, why_ahead.go: the jobs that use the needed slots; how much work comes before the job
//   - why_place.go, why_start.go: the job's place in the dispatch order; its probable start
//   - why_advice.go: suggests a command that helps the job
//
// Files of forecast, and of all three commands:
//   - forecast.go, likely.go: forecast; the likely start of each job
//   - group.go: the list of commands; their JSON types
package next
