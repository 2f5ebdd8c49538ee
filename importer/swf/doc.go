// Package swf reads and writes logs of jobs in the Standard Workload Format, version 2.2: a header of
// comments ("; Key: value"), then one job a line, 18 numbers separated by blanks, -1 for what is not known.
//
// Its files:
//   - swf.go: A Log is a file in the format
//   - ended.go: Ended makes tasks of the jobs of a log
package swf
