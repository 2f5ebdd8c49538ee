package cluster

// Forms are the texts of all forms that are read here, by what they are.
func Forms() map[string]string {
	all := map[string]string{"several listings": copies}
	for name, text := range contents {
		all[name] = text
	}
	for _, list := range []map[string]table{tables, shapes} {
		for name, t := range list {
			all[name] = t.text
		}
	}
	return all
}
