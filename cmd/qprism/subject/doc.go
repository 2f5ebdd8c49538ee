// Package subject gets the snapshot that a command reads. A snapshot is the state of a cluster at one time.
// The package reads it from a bundle or from the store, or captures it from a live cluster. The package also
// chooses the rules of the snapshot's batch system, Grid Engine or PBS.
//
// Files for the snapshot:
//   - load.go, arguments.go, other.go: flags and arguments; the snapshot that they name; a second snapshot
//   - progress.go: shows how far a long command is
//   - store.go, store_cluster.go, locks.go: the store, its clusters, and locks
//   - reach.go, recent.go: how to reach a live cluster; when a recent stored snapshot replaces a new
//     capture
//   - capture.go, capture_pack.go: captures a cluster, and packs the bundle; writes a file whole or not at
//     all
//   - lab.go, examples.go: clusters that exist only as text (package importer/lab); built-in examples
//   - anonymize.go: writes a bundle with pseudonyms
//   - ended.go, logs_pbs.go: ended tasks of earlier snapshots; logs beside a bundle
//
// Files for the batch system:
//   - system.go: the interface of both systems; which jobs can never run; hints
//   - rules.go, answers.go: the answers of each system
//   - pbs_job.go: job ids of PBS
//
// Files for output and flags:
//   - header.go, gaps.go: the first lines; warnings
//   - filter.go: which jobs a table lists
//   - completion.go: completion in the shell
package subject
