// Package sqlite keeps snapshots of clusters in one SQLite file: what every bundle said, and the bundles themselves.
// Objects, lists of objects and blocks of raw files that did not change are stored once, however many snapshots refer
// to them; what changes by itself is packed in columns and compressed. schema/0001.sql describes the tables.
//
// What was imported is read back as it was, with these exceptions: an empty slice may come back nil, a time in UTC, and
// NaN as another NaN.
//
// Its files:
//   - analysis.go: An Analysis is what was derived from a snapshot
//   - body.go: appendBody appends the body of v, without the struct fields that skip names
//   - check.go: Check reads everything in the store and says what is not as it was stored
//   - cluster.go: clusters are all of the store
//   - content.go: A content is bytes as they are stored
//   - delete.go: Delete deletes snapshots and everything that no other snapshot refers to, as one transaction, and gives the space back
//   - drive.go: BeginDrive stores a new drive and returns its number
//   - forget.go: Forget deletes everything that the store holds of a cluster, as one transaction, and gives the space back
//   - history.go: History reads all that the store holds of a cluster's jobs of one number, by time
//   - import.go: Imported says what an import did
//   - info.go: An Info describes a stored snapshot
//   - input.go: An input takes numbers and texts from the front of packed bytes
//   - jobs.go: A jobState is what changes of a job by itself
//   - lines.go: What a cluster prints is the same few lines over and over with other numbers in them, and the numbers of one line are
//     close to those of the line like it before
//   - load.go: load reads a snapshot, and checks that it is what was stored
//   - migrate.go: migrations are the files of the schema, in their order
//   - moment.go: An EarlyError means that a moment is before a cluster's first snapshot
//   - nouns.go: A noun is one slice of a snapshot and how it is stored
//   - pack.go: A pack is a slice of structs in columns
//   - part.go: CopyPart makes another store of some snapshots in a new file
//   - push.go: Push loads a push; model.ErrNoPush if there is none of that number
//   - raw.go: A rawFile is a file of a bundle
//   - rawfs.go: Raw is a snapshot's bundle, file by file as it was imported, so that a later release with a better parser can read it
//     again
//   - rawstream.go: A rawStream reads and compresses a bundle beside the transaction that stores it, with a connection of its own
//   - reader.go: A Reader reads snapshots that follow one another
//   - reading.go: OpenToRead opens a store that exists, and writes nothing to it
//   - seal.go: What is stored is sealed: a snapshot, its analysis, a push and a drive each have a row of seal that says how many rows
//     they consist of, noun by noun, and the sum of these
//   - seal_old.go: sealJobs seals the rows of jobs that have no seal, which a release before the seals wrote
//   - share.go: Share lets others read the store, and its folder where that is given
//   - split.go: A splitter cuts a stream into blocks
//   - store.go: A Store holds snapshots. It may be used concurrently, also by several processes
//   - text.go: Names of a cluster are bytes
//   - writer.go: statement prepares a statement once
package sqlite
