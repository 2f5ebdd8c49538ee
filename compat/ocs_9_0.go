package compat

// ocs90 are the first releases of Open Cluster Scheduler, which comes from 8.0 and not from 8.1.9.
var ocs90 = Release{
	Name: "9.0", Product: "Open Cluster Scheduler", Versions: "9.0", After: &ge62u5,
	products: []string{"OCS", "GCS"}, prefixes: []string{"9.0"}, brought: []string{"jsv_allowed_mod"},
}
