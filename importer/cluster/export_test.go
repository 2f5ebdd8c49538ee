package cluster

// Forms are the texts of all forms that are read here, by what they are.
func Forms() map[string]string {
	all := map[string]string{"several listings": copies,
		"lines of no form": tables["qstat"].text + "alice's own remark\n",
		"JSON with a backslash": `{"timestamp":1,"pbs_version":"19.1.1",` +
			`"pbs_server":"srv","Jobs":{"1.srv":{"job_state":"Q","Job_Owner":"alice@srv","Variable_List":{"A":"a\,b"}}}}`}
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
