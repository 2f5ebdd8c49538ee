// Package criteria says what a cycle of the PBS scheduler sorts jobs by (pbs_sched(8B)): one list, the most
// important criterion first, that the order of a cycle, its explanation, tables of jobs and words about a
// policy all read. stand.go is the job that is compared.
//
// Its files:
//   - criteria.go: A Criterion is one of the things that jobs are sorted by
//   - stand.go: A Stand is one job in the order of a cycle, with all that the cycle compares
package criteria
