package gridengine

import (
	"io/fs"
	"time"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/gridengine/qconf"
	"qprism/importer/gridengine/qstat"
	"qprism/importer/gridengine/records"
)

// Knows reports whether a bundle can have a file with this name.
func Knows(name string) bool { return bundle.Knows(name) }

// HomeOf returns the web site in an XML name space. qprism recognizes the product by it. It is empty for an
// unknown name space.
func HomeOf(namespace string) string { return qstat.HomeOf(namespace) }

// Keys lists the keys of configuration files by kind, and the kind of words in their values.
func Keys() map[string]fields.Table { return qconf.Keys() }

// SetPolicy changes one value of a scheduler configuration. The value has the form of the file that qconf
// -msconf edits, sched_conf(5).
func SetPolicy(p *model.Policy, key, value string) error { return qconf.SetPolicy(p, key, value) }

// PolicyKeyCalled returns the key that some documents call by this other name. It is empty if there is none.
func PolicyKeyCalled(name string) string { return qconf.PolicyKeyCalled(name) }

// PolicyKeys lists the keys of the scheduler configuration, sorted.
func PolicyKeys() []string { return qconf.PolicyKeys() }

// ReadPolicy reads a scheduler configuration outside a bundle. The file has the form of qconf -ssconf,
// sched_conf(5).
func ReadPolicy(folder fs.FS, file string) (model.Policy, error) {
	return qconf.ReadPolicy(folder, file)
}

// ReadTree reads a share tree outside a bundle. The file has the form of qconf -sstree, share_tree(5).
func ReadTree(folder fs.FS, file string) (*model.ShareNode, error) {
	return qconf.ReadTree(folder, file)
}

// ReadResources reads a complex outside a bundle. The file has the form of qconf -sc, complex(5).
func ReadResources(folder fs.FS, file string) ([]model.Resource, error) {
	return qconf.ReadResources(folder, file)
}

// ReadEnded reads an accounting file outside a bundle, as text or as JSON lines. It keeps the records of tasks
// that ended at since or later.
func ReadEnded(folder fs.FS, file string, since time.Time) ([]model.EndedTask, error) {
	return records.ReadEnded(folder, file, since)
}

// ReadReporting reads a reporting file, reporting(5).
func ReadReporting(folder fs.FS, file string, opts Options) (*model.Reporting, error) {
	return records.ReadReporting(folder, file, opts)
}
