package compat

// ge61 are the releases of Sun up to 6.2u1.
var ge61 = Release{
	Name: "6.1", Product: "Sun Grid Engine", Versions: "6.0, 6.1 and 6.2 to 6.2u1",
	products: []string{"GE", "SGE", "N1GE"}, prefixes: []string{"6.0", "6.1", "6.2", "6.2u1"},
}

// ge62u5 are the releases of Sun and Oracle from 6.2u2 on, and the open source release 8.0 that comes from
// them.
var ge62u5 = Release{
	Name: "6.2u5", Product: "Sun, Oracle and Open Grid Engine", Versions: "6.2u2 to 6.2u8, 8.0", After: &ge61,
	products: []string{"GE", "SGE", "OGE", "OGS"}, prefixes: []string{"6.2u", "6.", "8.0"},
}
