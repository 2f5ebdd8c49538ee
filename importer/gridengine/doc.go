// Package gridengine reads bundles of Grid Engine clusters: the output of qstat, qhost, qrstat, qconf and
// sge_share_mon, and the files that the master writes. The function Read calls the packages in the
// subfolders. Each package fills its part of a model.Snapshot. The snapshot lists data that the packages
// could not read, with file, line and text.
//
// The packages in the subfolders:
//   - bundle: the files that a bundle may have; its origin, time and release; formats of times
//   - qconf: configuration as qconf prints it
//   - qstat: listings in XML of qstat, qhost and qrstat, which the scanner of xmlscan reads
//   - records: files that the master and sge_share_mon write
//   - expect, sample: helpers for tests
//
// Its own files:
//   - read.go: Read and its steps
//   - parts.go: other functions of these packages that the program needs
//   - all_lines.go: every line of a bundle with its meaning, for the anonymizer
package gridengine
