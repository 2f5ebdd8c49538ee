package compat

// ocs91 are the releases of Open Cluster Scheduler with a separate search for reservations.
var ocs91 = Release{
	Name: "9.1", Product: "Open Cluster Scheduler", Versions: "9.1, 9.2", After: &ocs90,
	products: []string{"OCS", "GCS"}, prefixes: []string{"9.1", "9.2"}, brought: []string{"binding_params"},
}
