// Package check tells what a job_sort_formula would do to the jobs of a PBS cluster, before anybody sets
// it: whether the server takes it, whether the scheduler survives it, every job's value, and what in it
// cannot tell jobs apart.
//
// Its files:
//   - check.go: A Report is what a formula does
//   - fairshare.go: compareShares reports a formula that uses shares the wrong way round
//   - jobs.go: jobs are those that the scheduler evaluates at the snapshot's time, in its order
//   - survive.go: survive reports results that are no number and exceptions
//   - terms.go: compareTerms reports terms of the sum that cannot tell jobs apart
//   - text.go: read reports what the text itself shows
//   - values.go: compareValues reports zeros, ties, values that are no number, and those under the
//     threshold, among waiting jobs
package check
