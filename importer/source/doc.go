// Package source has the common part of all readers of bundles: opening files, handling unreadable and
// unknown content, and sharing memory of repeated texts.
//
// Its files:
//   - source.go: a Reader reads the files of one bundle
//   - date.go: a Date is the output of date(1); local times and UTC
//   - memory.go: Strings and Slab save memory
package source
