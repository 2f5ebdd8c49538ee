// Package bundle lists the files that a bundle of a Grid Engine cluster can have. It also reads the MANIFEST
// of a bundle. A Reader reads one bundle, and contains the snapshot of this bundle. The packages "qconf",
// "qstat" and "records" fill the snapshot with data.
//
// Its files:
//   - reader.go: the Reader, and readers of values that several packages use
//   - files.go: the files that a bundle may have, and the files that this bundle lacks
//   - manifest.go: the origin, time and release of the bundle
//   - times.go: formats of times; the offset of local time from UTC
package bundle
