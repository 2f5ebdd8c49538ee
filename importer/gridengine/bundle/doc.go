// Package bundle knows the files of a bundle of a Grid Engine cluster, and what a bundle says of itself.
// A Reader is one reading of one bundle: it holds the snapshot that the other readers fill.
//
// Its files:
//   - reader.go: the Reader, and what several readers of values share
//   - files.go: the files that a bundle may hold, and those that it lacks
//   - manifest.go: where, when and of which release the bundle was taken
//   - times.go: forms of times, and the distance of local time from UTC
package bundle
