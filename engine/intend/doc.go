// Package intend checks what a policy is meant to do: sentences such as "department Privileged before department ClusterGrid". Each is
// held against the jobs at hand, against jobs that are made up to break it, or against a forecast. What breaks it is given as the smallest
// set of jobs; and weights and shares are looked for that keep all sentences.
//
// Its files:
//   - sentence.go: Parse reads a sentence
//   - selector.go: A Selector says which jobs a sentence speaks of
//   - check.go: Check says of each sentence whether it holds
//   - rule.go: A rule says which of two waiting jobs is to come first
//   - rank.go: A ranked job is a waiting one with what ranks it
//   - smallest.go: smallest looks for the fewest jobs that break a rule
//   - made.go: kinds are the jobs that are made up to break a rule
//   - made_pbs.go: readsPBS are the names that a formula or a key of a PBS policy reads
//   - played.go: what a forecast shows
//   - worth.go: what an hour of waiting is worth
//   - worst.go: what jobs that are made up do to a rule
//   - line.go: Lines are jobs as the lines of a lab
//   - past.go: A Past holds sentences against snapshots over time
//   - life.go: A life is a task over time, as snapshots and accounting tell of it
//   - solve.go: Solve looks for a policy that keeps all sentences
//   - solve_pbs.go: formulaChanges are other weights of the terms of a job_sort_formula
//   - change.go: A Change gives one number of a policy another value
package intend
