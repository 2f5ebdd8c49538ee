// Package blame finds the requests that make it impossible for a job to run. The package removes one request
// at a time, and checks whether the job would then fit on an idle cluster. If the removal of one request is
// never enough, the package looks for several requests that must all change.
//
// Its files:
//   - blame.go: Search removes requests
//   - amount.go: finds the largest amount of a resource that would fit
package blame
