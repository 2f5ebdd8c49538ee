// Package assign finds priorities with which a scheduler starts jobs in a wanted order. A priority is a
// number that a user or administrator can set: -p of qalter(1), or a resource in a PBS formula. A job with a
// higher priority starts earlier.
//
// The scheduler ranks a job by a sum: the priority multiplied by its weight, plus other terms of the job. If
// two jobs have equal sums, other criteria decide their order, such as the submission time. If the other
// criteria already produce the wanted order of two jobs, the two jobs can have the same priority. The
// function Steer changes as few jobs as possible. qprism sends one command for each different priority, so
// Steer uses as few different priorities as possible.
//
// Its files, in the order of the steps:
//   - steer.go: Steer changes priorities until the order is right; a Steering is the result
//   - scale.go: a Waiting is a pending job; a Scale has the weight and the range of priorities
//   - fewest.go: finds the smallest number of jobs to change
//   - exact.go: if there are few jobs, finds the smallest number of different priorities
//   - share.go: gives the same priority to several jobs
//   - margin.go: the margin is the wanted difference between the sums of two jobs that follow each other; no
//     job changes while all differences are at least half of the margin
//   - gentle.go: moves changed priorities as near to 0 as possible
//   - even.go: spreads changed priorities evenly between the priorities of other jobs
package assign
