// Package next has the commands that say what starts next: plan, why, forecast. A file has the name of its
// command.
//
// plan:
//   - plan.go, plan_table.go, plan_json.go, plan_lines.go: the command; its table, JSON, and lines of schedule(5)
//   - plan_full.go: why a job waits, in a few words
//   - plan_compare.go, plan_compare_pbs.go, between.go, between_counted.go: the plan beside a recorded run
//
// why:
//   - why.go, why_json.go, why_pbs.go, why_listed.go: the command; JSON; PBS; jobs known from a listing only
//   - why_never.go, why_hosts.go: never; hosts, closed queues, and the job itself
//   - why_holders.go, why_ahead.go, why_place.go, why_start.go: who has the slots; work before it; its place; its start
//   - why_advice.go: the command that helps
//
// forecast, and what all share:
//   - forecast.go, likely.go: forecast; the likely start of each job
//   - group.go: the list of commands; their JSON types
package next
