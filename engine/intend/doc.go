// Package intend checks the intentions behind a policy: sentences such as "department Privileged before
// department ClusterGrid". It checks a sentence against the present jobs, against jobs made up to break it,
// and against a forecast. If a sentence is broken, it gives the smallest set of jobs that shows it. Solve
// looks for weights and shares that keep all sentences.
//
// Sentences:
//   - sentence.go: Parse reads a sentence
//   - selector.go: a Selector selects jobs
//   - check.go: Check says whether each sentence holds
//
// Counterexamples:
//   - rule.go, rank.go: which of two waiting jobs must come first; the numbers that rank them
//   - made.go, made_pbs.go: jobs made up to break a rule, for Grid Engine and PBS
//   - worst.go: the worst case of a rule among made-up jobs
//   - smallest.go: the smallest set of jobs that breaks a rule
//   - line.go: jobs as lines of a lab
//   - played.go: sentences about a forecast
//   - worth.go: the worth of one hour of waiting
//
// Time and solutions:
//   - past.go, life.go: sentences checked against snapshots over time; a task over time
//   - solve.go, solve_pbs.go, change.go: a policy that keeps all sentences, and its changes
package intend
