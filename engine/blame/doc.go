// Package blame finds the request that keeps a job from ever running. It removes one request after the other,
// and each time checks whether the job would fit on an idle cluster.
//
// Its files:
//   - blame.go: Search removes requests
//   - amount.go: the largest amount of a resource that would fit
package blame
