// Package source opens the files of a bundle for all readers. It handles files that nobody can read and
// content that qprism does not know. It stores repeated texts once.
//
// Its files:
//   - source.go: a Reader reads the files of one bundle
//   - date.go: a Date is the output of date(1); local times and UTC
//   - memory.go: Strings and Slab save memory
package source
