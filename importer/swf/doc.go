// Package swf reads and writes logs of jobs in the Standard Workload Format, version 2.2. A log begins with
// comments ("; Key: value"). Then each line describes one job with 18 numbers, separated by blanks. The
// number -1 means that the value is not known.
//
// Its files:
//   - swf.go: Read and Write a Log
//   - ended.go: makes tasks from a log, and a log from tasks
package swf
