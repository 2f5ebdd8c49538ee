// Package importer opens bundles: folders, archives and single files that hold what a cluster's own commands printed
// (the readers of their contents are in the packages below). A bundle comes from a stranger: its archive cannot reach
// outside itself, and its size and nesting are bounded.
//
// Its files:
//   - archive.go: An archive is a file on disk that others are packed into
//   - bundle.go: bundlesIn lists the folders below a place that are bundles, one more at most than an error lists
//   - content.go: NameByContent is the name in a bundle of a file that begins like this, by its content alone
//   - folder.go: A folder is a bundle's files on disk
//   - memory.go: InMemory is a bundle of files in memory, by their names as they would be on disk
//   - name.go: RawName is the file name, or path, that a name in a bundle's fs.FS stands for
//   - problem.go: A Problem is something in a bundle that cannot be read
//   - renamed.go: A Renamed is a bundle some of whose files stand under other names than their own
//   - spool.go: A spool keeps the large files of a packed archive, lightly packed each for itself, in a file on disk that has no name and
//     ends with the program
//   - system.go: SystemOf says which batch system a bundle is of, by the names of its files
//   - tree.go: A tree is a file system that was read once and does not change
//   - unread.go: Unread says of a file what it is, if it is a listing that nothing here reads
//   - within.go: Within is the bundle at a place among files that are open already, as Open finds it inside an archive
package importer
