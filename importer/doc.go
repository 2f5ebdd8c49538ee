// Package importer opens bundles: folders, archives and single files that hold what a cluster's own commands printed.
// The packages below read their contents. A bundle comes from a stranger: its archive cannot reach outside itself, and
// its size and nesting are bounded.
//
// Its files:
//   - bundle.go: Open finds a bundle at a path, which may go on inside an archive
//   - folder.go, archive.go, spool.go: files on disk, packed files, and large files of an archive that are opened often
//   - tree.go, name.go: the files of an archive or of memory; names with any byte in them
//   - content.go: what a file is, by how it begins
//   - renamed.go: files under the names that their content has
//   - system.go, problem.go: which batch system; what an error says
package importer
