// Package swf reads and writes logs of jobs in the Standard Workload Format, version 2.2: a header of
// comments ("; Key: value"), then one job a line, with 18 numbers separated by blanks, -1 if not known.
//
// Its files:
//   - swf.go: Read and Write a Log
//   - ended.go: makes tasks from a log, and a log from tasks
package swf
