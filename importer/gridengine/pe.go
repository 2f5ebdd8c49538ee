package gridengine

import "qprism/engine/model"

// readPEs reads pes/ or pes.txt, what qconf -sp printed: sge_pe(5).
func readPEs(c *configReader) (err error) {
	c.Snap.PEs, err = readObjects(c, "pes", "pe_name", func(o object, p *model.PE) error {
		p.Name = o.name
		known := fields{
			"slots":             integer(&p.Slots),
			"user_lists":        list(&p.ACL),
			"xuser_lists":       list(&p.XACL),
			"allocation_rule":   text(&p.AllocationRule),
			"control_slaves":    boolean(&p.ControlSlaves),
			"job_is_first_task": boolean(&p.JobIsFirstTask),
			"urgency_slots":     text(&p.UrgencySlots),
		}
		for _, key := range []string{
			"start_proc_args", "stop_proc_args", "accounting_summary", "qsort_args",
			// of newer releases
			"daemon_forks_slaves", "master_forks_slaves", "ign_sreq_on_mhost",
		} {
			known[key] = also(&p.Settings, key)
		}
		return c.fill(o, known, "slots", "user_lists", "xuser_lists", "allocation_rule", "urgency_slots")
	})
	return err
}
