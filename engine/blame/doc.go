// Package blame finds the requests because of which a job can never run. It removes one request at a time,
// and checks whether the job would then fit on an idle cluster. If no single removal helps, the package
// looks for a smallest set of requests that must change.
//
// Its files:
//   - blame.go: Search removes requests
//   - amount.go: finds the largest amount of a resource that would fit
package blame
