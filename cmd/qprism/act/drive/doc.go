// Package drive implements the command drive, which makes the scheduler start jobs in a wanted order. The
// command repeats a step until a user stops the command. A step captures the cluster, computes the wanted
// order, and sets priorities, holds and requests of waiting jobs. The site can write rules into a file. The
// rules say which jobs may start, where and when. Each step follows the rules.
//
// Its files:
//   - drive.go: the command; a Driver makes steps until somebody stops the command
//   - own.go: the jobs that the command may change (--own)
//   - rules.go: reads the rules of a site
//   - wanted.go: the wanted order; the order to use if the wanted order is not known
//   - step.go, plan.go: a step for Grid Engine; the wanted values of its jobs
//   - pbs.go: a step for PBS
//   - wait.go: waits for the next step
//   - report.go: prints the result of a step, as text and as JSON
//   - claims.go: prints the claims: the values that qprism changed, with the old values to restore
package drive
