// Package sqlite stores snapshots of clusters in one SQLite file, together with their bundles. A snapshot is
// read back as it was stored. (An empty slice may become nil, a time becomes UTC, NaN another NaN.)
//
// The format (schema.sql) is two tables. A block is bytes, stored once and found by their hash. It is
// compressed with Zstandard, and may use another block, its base, as dictionary: usually the one in the same
// place of the last snapshot.
//
//	record "snapshot"   an Info, and the hash of the block with the list of the snapshot's parts
//	part                noun, first key, size, and the hash of the block with the data
//	  "host", "job", …  some elements of a long slice of model.Snapshot, packed in columns; jobs by number
//	  "rest"            everything else of model.Snapshot
//	  "bundle:FILE"     bytes of an uncompressed zip archive: the bundle
//	record "numbers"    the numbers of the snapshot's jobs
//	record "analysis"   rules, load, and parts with the standings of waiting jobs
//	record "push"       model.Push; its orders are the record "orders" of that id
//	record "drive"      model.Drive
//
// Blocks have hashes, and records have sums, which add up in the table total. So every change or loss is
// found when the data is read. A store of another format is refused.
//
// Its files:
//   - store.go, format.go, reading.go: Open and transactions; FormatError; OpenToRead
//   - share.go: Share lets others read the store
//   - pack.go, input.go, nouns.go: slices in columns; the parts of a snapshot
//   - block.go, record.go, flat.go: blocks and their dictionaries; records and their totals; the records of snapshots
//   - catalog.go, numbers.go: what is known of all snapshots; which of them have a job
//   - import.go, bundle.go: stores a bundle and its snapshot; Raw reads the bundle
//   - load.go, info.go: Snapshot and Each; Snapshots, Latest, At and Prune
//   - cluster.go: which cluster a bundle is of
//   - analysis.go, history.go: analyses; History follows one job
//   - push.go, drive.go: pushes and drives
//   - delete.go, forget.go, check.go: Delete and Forget; Check finds damage
//   - part.go: CopyPart makes a store of some snapshots
package sqlite
