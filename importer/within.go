package importer

import "io/fs"

// Within is the bundle at a place among files that are open already, as Open finds it inside an archive; name is what
// errors call the files.
func Within(all fs.FS, name, place string) (fs.FS, error) { return locate(all, name, place) }
