// Package sqlite stores snapshots of clusters in one SQLite file, together with their bundles. A loaded
// snapshot equals the stored one, with three exceptions. An empty list (a Go slice) may become nil. Times
// become UTC. A NaN (not a number) may have another bit pattern.
//
// The database (schema.sql) has two main tables: one for records and one for blocks. A block contains data
// that Zstandard compressed. The key of a block is the hash of its data, so the database stores equal data
// only once. Many blocks are similar to a block of an earlier snapshot. To save space, Zstandard uses the
// earlier block as a dictionary.
//
//	record "snapshot"   an Info, and the hash of the block that lists the snapshot's parts
//	part                name (see below), first key, size, and the hash of the block with the data
//	  "host", "job", …  some elements of a long slice of model.Snapshot, packed in columns; jobs sorted by number
//	  "rest"            everything else of model.Snapshot
//	  "bundle:FILE"     bytes of an uncompressed zip archive: the bundle
//	record "numbers"    the job numbers of the snapshot
//	record "analysis"   version of the rules, load of the cluster, and parts with the places of waiting jobs
//	record "push"       model.Push; the record "orders" with the same id has the changes of this push
//	record "drive"      model.Drive
//
// Each record has a checksum, and the table "total" has the sum of all checksums. To find changed or lost
// data, the package uses the checksums of records and the hashes of blocks. If another release of qprism
// wrote the database in another format, the function Open refuses the database.
//
// Its files:
//   - store.go, format.go, reading.go: Open opens a store; FormatError; OpenToRead opens a store only to read
//   - share.go: Share lets other users read the store
//   - pack.go, input.go, nouns.go: slices in columns; the parts of a snapshot
//   - ahead.go: reads while the data before is used
//   - block.go, record.go, flat.go: blocks and their dictionaries; records; the records of snapshots
//   - catalog.go, numbers.go: facts about all snapshots; the snapshots of a job
//   - import.go, bundle.go: stores a bundle and its snapshot; Raw reads the bundle
//   - load.go, info.go: loads snapshots; lists, finds and prunes snapshots
//   - cluster.go: the cluster of a bundle
//   - analysis.go, history.go: analyses; History follows one job
//   - push.go, drive.go: what qprism push and qprism drive changed
//   - delete.go, forget.go, check.go: deletes snapshots; deletes all data of a cluster; finds damage
//   - part.go: CopyPart copies some snapshots into a new store
package sqlite
