// Package criteria lists the criteria by which a PBS cycle sorts jobs (pbs_sched(8B)). The most important
// criterion is first.
//
// Its files:
//   - criteria.go: a Criterion compares two jobs; List has the criteria of a policy
//   - values.go: JobValues has the values of one job that the criteria compare
package criteria
