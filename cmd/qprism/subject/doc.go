// Package subject finds the snapshot of a command: in a bundle, in the store, or on a live cluster. It also
// chooses the system whose rules apply.
//
// The snapshot:
//   - load.go, arguments.go, other.go: flags and arguments; the snapshot that they name; a second one
//   - progress.go: shows people how far a long work is
//   - store.go, store_cluster.go, locks.go: the store, its clusters, and locks
//   - reach.go, young.go: how to reach a live cluster; a recent stored snapshot in its place
//   - capture.go, capture_pack.go: captures a cluster, and packs the bundle; files written whole
//   - lab.go, examples.go: clusters on paper; built-in examples
//   - anonymize.go: writes a bundle with pseudonyms
//   - ended.go, logs_pbs.go: ended tasks of earlier snapshots; logs beside a bundle
//
// The system:
//   - system.go: the interface of both systems; which jobs can never run
//   - rules.go, answers.go: answers of each system
//   - pbs_job.go: job ids of PBS
//
// Output and flags:
//   - header.go, gaps.go: the first lines; warnings; commands to type next
//   - filter.go: which jobs a table lists
//   - completion.go: completion in the shell
package subject
