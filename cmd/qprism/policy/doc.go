// Package policy has the command migrate, which translates a policy to PBS or Slurm.
//
// Its files, in the order of the steps:
//   - migrate.go: the command, and one migration
//   - migrate_history.go: the snapshots to translate and to prove with
//   - migrate_formula.go: proves the candidate formulas, and takes the best
//   - migrate_slurm.go: the same for Slurm
//   - migrate_proof.go: forecasts in both systems
//   - migrate_intend.go: checks sentences about the policy in both systems
//   - migrate_says.go: how the formula accounts for lines of sched_conf
//   - migrate_report.go, migrate_text.go: the report; a summary for people
//   - group.go, documents.go: the list of commands; their JSON types
package policy
