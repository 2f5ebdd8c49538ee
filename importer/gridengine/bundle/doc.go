// Package bundle lists the files that a bundle of a Grid Engine cluster can have. It also reads the MANIFEST
// of a bundle. A Reader reads one bundle. The Reader contains a model.Snapshot, which is empty at first. The
// packages "qconf", "qstat" and "records" fill this snapshot with the data of the bundle.
//
// Its files:
//   - reader.go: the Reader, and readers of values that several packages use
//   - files.go: the files that a bundle may have, and the files that this bundle lacks
//   - manifest.go: the origin, time and release of the bundle
//   - times.go: formats of times; the offset of local time from UTC
package bundle
