package compat

// sge819 are the releases of Son of Grid Engine.
var sge819 = Release{
	Name: "8.1.9", Product: "Son of Grid Engine", Versions: "8.1", After: &ge62u5,
	products: []string{"SGE"}, prefixes: []string{"8.1"},
}
