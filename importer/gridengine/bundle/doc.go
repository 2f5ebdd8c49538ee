// Package bundle knows the files of a bundle of a Grid Engine cluster, and what MANIFEST says about the
// bundle. A Reader is one reading of one bundle. It has the snapshot that the other packages fill.
//
// Its files:
//   - reader.go: the Reader, and readers of values that several packages use
//   - files.go: the files that a bundle may hold, and those that it lacks
//   - manifest.go: the origin, time and release of the bundle
//   - times.go: forms of times, and the distance of local time from UTC
package bundle
