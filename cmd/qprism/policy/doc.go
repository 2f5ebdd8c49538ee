// Package policy implements the command migrate, which translates a policy to PBS or Slurm.
//
// Its files, in the order of the steps:
//   - group.go: the list of commands; their JSON types
//   - migrate.go: the command and its steps
//   - migrate_history.go: chooses the stored snapshots with which the command chooses and tests a formula
//   - migrate_formula.go: chooses the formula that keeps the order of jobs best
//   - migrate_proof.go: compares the orders and the forecasts of both systems
//   - migrate_intend.go: checks intentions under both systems
//   - migrate_says.go: says how the formula translates each line of the policy
//   - migrate_slurm.go: the translation to Slurm
//   - migrate_report.go, migrate_text.go: the report as a file, and as text for the terminal
package policy
