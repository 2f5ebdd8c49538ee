// Package gridengine reads bundles of Grid Engine clusters: what qstat, qhost, qrstat, qconf and sge_share_mon printed,
// and the files that the master writes. It translates and never judges. Read joins what the packages below it read.
// Each of them fills its part of a model.Snapshot, and lists what it cannot read with file, line and text.
//
//   - bundle: the files that a bundle may hold; where, when and of which release it was taken; forms of times
//   - qconf: configuration as qconf prints it
//   - qstat: listings in XML of qstat, qhost and qrstat, read with the scanner of xmlscan
//   - records: files that the master and sge_share_mon write
//   - expect, sample: what the tests share
//
// Its own files:
//   - read.go: Read and its steps
//   - parts.go: what else the program asks of the packages below
//   - all_lines.go: every line of a bundle with what it says, as the anonymizer needs it
package gridengine
