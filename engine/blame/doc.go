// Package blame finds what of a job keeps it from ever running: it takes one thing after the other out of what the job asks for, and
// asks whether the job would find a place on an idle cluster then.
//
// Its files:
//   - blame.go: A Fits reports whether a job would find a place on an idle cluster
//   - amount.go: AmountText prints an amount so that the master reads it as no more
package blame
