// Package source holds what the readers of all systems' bundles have in common: how they open files, what becomes of
// what cannot be read or nobody knows, and how repeated texts share their memory.
//
// Its files:
//   - source.go: Options say how to read a bundle
//   - date.go: A Date is a moment as date(1) printed it
//   - memory.go: Strings makes one string of texts that repeat, as owners, queues and states do
package source
