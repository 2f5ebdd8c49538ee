// Package policy has the command migrate, which translates a policy to PBS or Slurm.
//
// Its files:
//   - group.go: the list of commands; their JSON types
//   - migrate.go: A migration is one run of the command
//   - migrate_formula.go: chooseFormula proves the candidates for a formula on the history, and takes the
//     one that keeps the order of jobs best
//   - migrate_history.go: pastOptions choose the snapshots that a migration is made of and proven on
//   - migrate_intend.go: hold holds sentences of what the policy should do against both sides
//   - migrate_proof.go: mostMigrationRuns bounds each of the two forecasts of a migration
//   - migrate_report.go: A provenOrder is what was tried to keep the order of jobs, and how well each
//     candidate does
//   - migrate_says.go: weightOf is the line of sched_conf that weighs a policy
//   - migrate_slurm.go: slurmIsExperimental is what every reader of the report has to know
//   - migrate_text.go: migrationText tells a person what became of the cluster
package policy
