// Package blame finds the requests that keep a job from ever running. It removes one request after the
// other. After each removal it checks whether the job would fit on an idle cluster.
//
// Its files:
//   - blame.go: Search removes requests
//   - amount.go: finds the largest amount of a resource that would fit
package blame
