// Package sqlite keeps snapshots of clusters in one SQLite file: what every bundle said, and the bundles
// themselves. What was imported is read back as it was; an empty slice may come back nil, a time in UTC,
// and NaN as another NaN.
//
// The format of a store (schema.sql) is two tables. A block is bytes, stored once and found by their hash.
// It is compressed with Zstandard, and may have another block as dictionary, its base: most blocks differ
// little from the one at their place in the cluster's last snapshot. A record is a snapshot, an analysis, a
// push, its orders or a drive.
//
//	record "snapshot"   an Info, and the hash of the block with the list of the snapshot's parts
//	part                noun, first key, size, and the hash of the block with the data
//	  "host", "job", …  some elements of a long slice of model.Snapshot, packed in columns; jobs by their numbers
//	  "rest"            everything else of model.Snapshot
//	  "bundle:FILE"     bytes of a zip archive that is not compressed: the bundle
//	record "analysis"   rules, load, and parts with the standings of waiting jobs
//	record "push"       model.Push; its orders are the record "orders" of that id
//	record "drive"      model.Drive
//
// Blocks are known by their hashes, and records have sums, which add up in the table total. So whatever was
// changed, lost or exchanged is found when it is read, whoever did it. A store of another format is
// refused.
//
// Its files:
//   - store.go: Open, and transactions
//   - format.go: FormatError, and making a store
//   - reading.go: OpenToRead opens a store for those who may not write
//   - share.go: Share lets others read the store
//   - pack.go, input.go: slices in columns
//   - block.go: blocks and their dictionaries
//   - record.go: records and their totals
//   - nouns.go: how a snapshot is split into parts
//   - import.go, bundle.go: Import stores a bundle and its snapshot; Raw reads the bundle
//   - load.go: Snapshot and Each load snapshots
//   - info.go: Snapshots, Latest, At and Prune
//   - cluster.go: which cluster a bundle is of
//   - analysis.go: analyses of snapshots
//   - history.go: History follows one job through the snapshots
//   - push.go, drive.go: orders for clusters, and what is taken from them
//   - delete.go, forget.go: Delete, Forget, and what nothing needs any more
//   - check.go: Check finds damage, Remove deletes it
//   - part.go: CopyPart makes a store of some snapshots
package sqlite
