package compat

// ge61 are the releases of Sun up to 6.2u1.
var ge61 = Release{
	Name: "6.1", Product: "Sun Grid Engine", Versions: "6.0, 6.1 and 6.2 to 6.2u1",
	New: []string{
		"Q1", "Q2", "Q3", "Q4", "Q6", "Q7", "Q9", "Q16", "Q18", "Q20", "Q21", "Q24", "Q40", "Q52", "Q53", "D2",
		"D3", "D4", "D5", "D7", "D11", "D13", "D14", "D15", "D16", "D17", "D18", "D22", "D29", "D19", "D20", "D21", "D23",
		"D24", "D28", "D38", "D62", "D61", "D45",
	},
	products: []string{"GE", "SGE", "N1GE"}, prefixes: []string{"6.0", "6.1", "6.2", "6.2u1"},
}

// ge62u5 are the releases of Sun and Oracle from 6.2u2 on, and the open 8.0 that was made of them.
var ge62u5 = Release{
	Name: "6.2u5", Product: "Sun, Oracle and Open Grid Engine", Versions: "6.2u2 to 6.2u8, 8.0", After: &ge61,
	New:      []string{"D1", "D6"},
	products: []string{"GE", "SGE", "OGE", "OGS"}, prefixes: []string{"6.2u", "6.", "8.0"},
}
