package listing

// jsonReservations is qrstat: a list of advance reservations.
var jsonReservations = jsonForm{root: "qrstat", lists: map[string]string{"ars": ""},
	entry: func(_ string, ar value) (out string) {
		for _, m := range ar.members {
			if m.isWord {
				out += element(m.key, m.text)
				continue
			}
			list, known := reservationLists[m.key]
			if !known {
				out += strange(m)
				continue
			}
			below := ""
			for _, e := range m.members {
				below += list.entry(e)
			}
			out += around(list.name, below)
		}
		return around("ar_summary", out)
	}}

// reservationLists are the elements for the lists of a reservation.
var reservationLists = map[string]struct {
	name  string
	entry func(e value) string
}{
	"resource_list": {"resource_list", func(e value) string {
		return element("resource", "", "name", e.get("name").text, "type", e.get("value").text)
	}},
	"exec_queue_list": {"granted_slots_list", func(e value) string {
		return element("granted_slots", "", "queue_instance", e.get("name").text, "slots", e.get("slots").text)
	}},
	"granted_parallel_environment": {"granted_parallel_environment", func(e value) string {
		return element("parallel_environment", e.get("name").text) + element("slots", e.get("range").text)
	}},
	// the processor binding says only how a job runs
	"exec_binding_list": {"exec_binding_list", func(value) string { return "" }},
	"mail_list": {"mail_list", func(e value) string {
		return element("mail", "", "user", e.get("name").text, "host", e.get("host").text)
	}},
	"acl_list":  {"acl_list", func(e value) string { return element("acl", "", "user", e.text) }},
	"xacl_list": {"xacl_list", func(e value) string { return element("xacl", "", "user", e.text) }},
}
