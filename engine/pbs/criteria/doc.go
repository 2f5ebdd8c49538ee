// Package criteria is the list of the criteria by which a PBS cycle sorts jobs, pbs_sched(8B). The most
// important one is first. The order of a cycle, its explanation, tables of jobs and the description of a
// policy all use this list.
//
// Its files:
//   - criteria.go: a Criterion compares two jobs; List has the criteria of a policy
//   - stand.go: a Stand is one job with all values that the criteria compare
package criteria
