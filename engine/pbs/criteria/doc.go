// Package criteria lists the criteria by which a PBS cycle sorts jobs, by pbs_sched(8B). The most important
// criterion is first.
//
// Its files:
//   - criteria.go: a Criterion compares two jobs; List has the criteria of a policy
//   - stand.go: a Stand is one job with all values that the criteria compare
package criteria
