package gridengine

import "qprism/engine/model"

// readHosts reads hosts/ or hosts.txt, what qconf -se printed: host_conf(5).
func readHosts(c *configReader) (err error) {
	c.Snap.Hosts, err = readObjects(c, "hosts", "hostname", func(o object, h *model.Host) error {
		h.Name = o.name
		return c.fill(o, fields{
			"load_scaling":     amounts(&h.LoadScaling),
			"complex_values":   settings(&h.Capacity),
			"load_values":      settings(&h.LoadReport),
			"processors":       integer(&h.Processors),
			"user_lists":       list(&h.ACL),
			"xuser_lists":      list(&h.XACL),
			"projects":         list(&h.Projects),
			"xprojects":        list(&h.XProjects),
			"usage_scaling":    amounts(&h.UsageScaling),
			"report_variables": list(&h.Reports),
		}, "complex_values")
	})
	return err
}
