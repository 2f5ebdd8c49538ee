// Package importer opens bundles: folders, archives and single files with the output of a cluster's commands.
// The packages in the subfolders read the contents of these files.
//
// A bundle may come from an attacker. So the package limits the size of a bundle and the nesting of
// archives. A link in an archive cannot lead outside the archive.
//
// Its files:
//   - bundle.go: Open finds a bundle at a path, which may continue inside an archive
//   - folder.go, archive.go, spool.go: files on disk; packed files; large packed files that are opened
//     often
//   - tree.go, name.go: the files of an archive, or files in memory; names with any bytes in them
//   - content.go: recognizes a file by its first bytes
//   - renamed.go: gives files the names that fit their content
//   - system.go, problem.go: the batch system of a bundle; errors with file, line and text
package importer
