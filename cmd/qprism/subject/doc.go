// Package subject finds the snapshot that a command is about, in a bundle, in the store or on a live cluster, and chooses the system whose
// rules it follows.
//
// Its files:
//   - anonymize.go: Anonymize writes a bundle with pseudonyms to a file
//   - answers.go: AuditOptions say what an audit knows besides the snapshot
//   - capture.go: Captured is what a capture brought, and what it cost
//   - capture_pack.go: pack makes a .tar.gz of the files of a folder
//   - chances.go: Chances say of jobs whether they can ever run on the cluster as it is configured
//   - completion.go: CompleteBundle completes the name of an example
//   - ended.go: EndedSince is what ended since a moment
//   - examples.go: ExampleOf is the cluster that snapshots of an example are stored as
//   - filter.go: A JobFilter says which jobs a table lists
//   - gaps.go: WarnOfGaps says what a snapshot lacks that changes every answer
//   - header.go: PrintHeader says which cluster, when the run was and what shows that, and by which rules
//   - hints.go: Command is a command of a hint, which looks at this snapshot too
//   - lab.go: LabAt is the bundle of a lab
//   - load.go: Load reads the snapshot that the selection names
//   - locks.go: Lock takes a cluster by its name in the store
//   - logs_pbs.go: MasterLogs are files of PBS that tell what its scheduler did, where the bundle lacks them
//   - other.go: SnapshotAt is the stored snapshot of a cluster that shows a moment
//   - pbs_job.go: JobText names the job of a decision as its system does
//   - plan_pbs.go: OpenPBS is PBS, the open and the commercial one
//   - reach.go: A Reach says where a cluster's commands run
//   - retrace.go: Retrace recomputes the cycle next to the snapshot
//   - rules.go: WhyUnknown says why nothing was recomputed
//   - store.go: OpenStore opens the store to read it
//   - store_cluster.go: StoreName is the name in the store of the cluster that somebody names
//   - system.go: A system is what commands do by the rules of one batch system
//   - young.go: A stored snapshot that is young stands for the cluster of --from
package subject
