// Package intend checks whether a policy does what the administrator intends. An intention is a sentence
// such as "department Privileged before department ClusterGrid". The function Check tests an intention with
//
//   - the present jobs
//   - invented jobs, with which the policy may break the intention
//   - a forecast
//
// If the policy breaks an intention, the result contains jobs that show the fault. The package searches for
// the smallest set of such jobs. The function Solve searches for weights and shares that make all intentions
// true.
//
// Files for sentences:
//   - sentence.go: Parse reads a sentence
//   - selector.go: a Selector selects jobs
//   - check.go: Check says whether each sentence is true
//
// Files for counterexamples:
//   - rule.go, rank.go: which of two waiting jobs must come first; the numbers that rank them
//   - made.go, made_pbs.go: invents jobs that break a rule, for Grid Engine and PBS
//   - worst.go: tries many sets of invented jobs, to break a rule
//   - smallest.go: the smallest set of jobs that breaks a rule
//   - line.go: jobs as lines of a lab (package importer/lab)
//   - played.go: checks sentences about a forecast
//   - worth.go: checks sentences such as "1h of waiting is worth 4 slots"
//
// Files for time and solutions:
//   - past.go, life.go: checks sentences against snapshots over time; the life of one task
//   - solve.go, solve_pbs.go, change.go: a policy that keeps all sentences, and its changes
package intend
