// Package drive is the command drive. Step by step it sets priorities, holds and requests of waiting jobs, so
// that the scheduler starts them in the wanted order, within the rules of the site.
//
//   - drive.go: the command; a Driver makes steps until it is stopped
//   - own.go: the jobs that it may drive
//   - rules.go: reads the rules of a site
//   - wanted.go: the wanted order, and the default one
//   - step.go, plan.go: a step for Grid Engine; the wanted values of its jobs
//   - pbs.go: a step for PBS
//   - wait.go: waits for the next step
//   - report.go: a step for people and in JSON
//   - claims.go: shows the claims of a drive and the values to restore
package drive
