package compat

// ocs91 are the releases of Open Cluster Scheduler whose scheduler searches reservations by themselves.
var ocs91 = Release{
	Name: "9.1", Product: "Open Cluster Scheduler", Versions: "9.1, 9.2", After: &ocs90,
	New:      []string{"O10"},
	Gone:     []string{"D2", "D14", "D18", "D45"},
	products: []string{"OCS", "GCS"}, prefixes: []string{"9.1", "9.2"},
}
