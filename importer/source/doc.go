// Package source opens the files of a bundle for the packages that read bundles. The package reports files
// that it cannot read, and content that qprism does not recognize. To save memory, it stores repeated texts
// only once.
//
// Its files:
//   - source.go: a Reader reads the files of one bundle
//   - date.go: a Date is the output of date(1); local times and UTC
//   - memory.go: Strings and Slab save memory
package source
