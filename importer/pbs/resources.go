package pbs

import "qprism/engine/model"

// readResources reads the custom resources, and puts those behind them that every server knows.
func readResources(r *reader) error {
	file := r.choose("resources")
	f := &filler{reader: r, file: file}
	err := r.eachConfigured(file, "Resource", textForm{}, r.shown("resource", func(rec *record) error {
		f.rec = rec
		d := model.Resource{Name: rec.id, Type: model.TypePBSLong}
		f.each(func(name string) { f.definition(name, &d) })
		r.Snap.Resources = append(r.Snap.Resources, d)
		return nil
	}))
	r.addBuiltIns()
	return err
}

func (f *filler) definition(name string, d *model.Resource) {
	switch name {
	case "type":
		d.Type = model.ResourceType(f.str())
	case "flag":
		d.Flags = f.str()
	default:
		s := f.setting()
		f.Unknown(f.file, f.attr.line, s.Name, s.Value)
	}
}

// addBuiltIns adds the resources of every server, unless the bundle says otherwise of one.
func (r *reader) addBuiltIns() {
	r.types = map[string]model.Resource{}
	for _, d := range r.Snap.Resources {
		r.types[d.Name] = d
	}
	for _, d := range builtIn {
		if _, known := r.types[d.Name]; known {
			continue
		}
		d.BuiltIn = true
		r.types[d.Name] = d
		r.Snap.Resources = append(r.Snap.Resources, d)
	}
}

// builtIn are the resources that an OpenPBS 23.06 server knows without being told (pbs_resources(7B)), by name. The
// flags are qmgr's.
var builtIn = []model.Resource{
	{Name: "accelerator", Type: model.TypePBSBoolean, Flags: "hm"},
	{Name: "accelerator_group", Type: model.TypePBSStringArray, Flags: "h"},
	{Name: "accelerator_memory", Type: model.TypePBSSize, Flags: "hnm"},
	{Name: "accelerator_model", Type: model.TypePBSString, Flags: "hm"},
	{Name: "aoe", Type: model.TypePBSStringArray, Flags: "h"},
	{Name: "arch", Type: model.TypePBSString, Flags: "hm"},
	{Name: "cpupercent", Type: model.TypePBSLong, Flags: "r"},
	{Name: "cput", Type: model.TypePBSTime, Flags: "m"},
	{Name: "energy", Type: model.TypePBSFloat, Flags: "r"},
	{Name: "eoe", Type: model.TypePBSStringArray, Flags: "h"},
	{Name: "exec_vnode", Type: model.TypePBSString, Flags: "r"},
	{Name: "file", Type: model.TypePBSSize, Flags: "m"},
	{Name: "hbmem", Type: model.TypePBSSize, Flags: "hnm"},
	{Name: "host", Type: model.TypePBSString, Flags: "h"},
	{Name: "hpm", Type: model.TypePBSLong, Flags: "qm"},
	{Name: "max_walltime", Type: model.TypePBSTime},
	{Name: "mem", Type: model.TypePBSSize, Flags: "hnm"},
	{Name: "min_walltime", Type: model.TypePBSTime},
	{Name: "mpiprocs", Type: model.TypePBSLong, Flags: "hq"},
	{Name: "naccelerators", Type: model.TypePBSLong, Flags: "hnm"},
	{Name: "nchunk", Type: model.TypePBSLong, Flags: "hr"},
	{Name: "ncpus", Type: model.TypePBSLong, Flags: "hnm"},
	{Name: "nice", Type: model.TypePBSLong, Flags: "m"},
	{Name: "nodect", Type: model.TypePBSLong, Flags: "qr"},
	{Name: "nodemask", Type: model.TypePBSString, Flags: "rm"},
	{Name: "nodes", Type: model.TypePBSString},
	{Name: "ompthreads", Type: model.TypePBSLong, Flags: "h"},
	{Name: "partition", Type: model.TypePBSString, Flags: "rm"},
	{Name: "pcap_accelerator", Type: model.TypePBSLong, Flags: "m"},
	{Name: "pcap_node", Type: model.TypePBSLong, Flags: "m"},
	{Name: "pcput", Type: model.TypePBSTime, Flags: "m"},
	{Name: "pe_mask", Type: model.TypePBSString, Flags: "rm"},
	{Name: "pgov", Type: model.TypePBSString, Flags: "m"},
	{Name: "place", Type: model.TypePBSString, Flags: "m"},
	{Name: "pmem", Type: model.TypePBSSize, Flags: "m"},
	{Name: "preempt_targets", Type: model.TypePBSStringArray},
	{Name: "pstate", Type: model.TypePBSString, Flags: "m"},
	{Name: "pvmem", Type: model.TypePBSSize, Flags: "m"},
	{Name: "resc", Type: model.TypePBSStringArray},
	{Name: "select", Type: model.TypePBSString},
	{Name: "site", Type: model.TypePBSString, Flags: "m"},
	{Name: "soft_walltime", Type: model.TypePBSTime, Flags: "r"},
	{Name: "software", Type: model.TypePBSString},
	{Name: "ssinodes", Type: model.TypePBSLong, Flags: "m"},
	{Name: "start_time", Type: model.TypePBSLong, Flags: "r"},
	{Name: "vmem", Type: model.TypePBSSize, Flags: "hnm"},
	{Name: "vnode", Type: model.TypePBSString, Flags: "h"},
	{Name: "vntype", Type: model.TypePBSStringArray, Flags: "h"},
	{Name: "walltime", Type: model.TypePBSTime, Flags: "m"},
}
