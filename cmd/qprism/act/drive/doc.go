// Package drive is the command drive: step by step it gives waiting jobs the priorities, holds and requests
// that make the scheduler start them in a wanted order, where rules allow it.
//
//   - drive.go: the command; Driver makes steps until it is told to stop
//   - own.go: which jobs are driven
//   - rules.go: reads the rules of a site
//   - wanted.go: the wanted order, and what a step goes by when nobody tells it
//   - step.go: makes a step of Grid Engine
//   - plan.go: what the driven jobs of Grid Engine shall have
//   - pbs.go: makes a step of PBS
//   - wait.go: waits until the next step is due
//   - report.go: shows a step to people and in JSON
//   - claims.go: shows what a drive took and would give back
package drive
