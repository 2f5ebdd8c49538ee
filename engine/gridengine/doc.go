// Package gridengine computes the answers of qprism for Grid Engine. Package engine/batch defines the types
// of these answers. The packages in the subfolders compute the parts of a scheduler run.
//
// Its files:
//   - audit.go: Audit recomputes the last run, and compares it with the master's numbers
//   - ranking.go: Ranking lists the tasks with their priorities, like qstat -pri, -urg and -ext
//   - shares.go: Shares is the share tree as the last run saw it
//   - due.go: Due has the target of each active user, project or department
//   - chance.go: Chances says which jobs can never run
//   - blame.go: finds the requests because of which a job can never run
package gridengine
