package pbs

import (
	"errors"
	"strings"

	"qprism/engine/model"
	"qprism/importer/listing"
)

// readNodes reads the vnodes.
func readNodes(r *reader) error {
	file := r.choose("nodes")
	f := &filler{reader: r, file: file}
	seen := map[string]bool{}
	each := r.shown("node", func(rec *record) error {
		if seen[rec.id] {
			r.LeaveOut(file, rec.line, rec.id, errSecondVnode)
			return nil
		}
		seen[rec.id] = true
		return r.node(f, rec)
	})
	switch {
	case strings.HasPrefix(file, "qmgr_list"):
		return r.eachText(file, listForm("Node"), nil, each)
	case strings.Contains(file, "qmgr_p"):
		return r.eachPrinted(file, "node", each)
	}
	return r.eachObject(file, "nodes", nodeForm, "Name=", nil, each)
}

// node makes a host of a record.
func (r *reader) node(f *filler, rec *record) error {
	f.rec, f.fault = rec, nil
	h := model.Host{Name: r.Strings.Get([]byte(rec.id)), PBS: &model.PBSHost{}}
	f.each(func(name string) {
		if !f.nodeSummary(name, &h) && !f.nodeResource(name, &h) && !f.nodeState(name, h.PBS) && !f.nodePolicy(name, h.PBS) {
			f.nodeOther(name, h.PBS)
		}
	})
	good, err := f.settle()
	if good && len(rec.attrs) == 1 && rec.attrs[0].name == "Error" { // pbsnodes was asked for a vnode that there is not
		r.LeaveOut(f.file, rec.line, rec.id, errNoVnode)
		return nil
	}
	if good {
		r.Snap.Hosts = append(r.Snap.Hosts, h)
	}
	return err
}

var errSecondVnode = errors.New("a second vnode of that name; the first counts")

var errNoVnode = errors.New("no vnode of that name")

// nodeSummary reads what pbsnodes -aSj prints as JSON: amounts that are free and in all, as in the table for people.
func (f *filler) nodeSummary(name string, h *model.Host) bool {
	switch name {
	case "State":
		h.PBS.State = f.list()
	case "mem f/t", "ncpus f/t", "nmics f/t", "ngpus f/t":
		resource, _, _ := strings.Cut(name, " ")
		s := f.setting()
		all, used, ok := listing.FreeOfAll(s.Value)
		if !ok {
			f.Unknown(f.file, f.attr.line, s.Name, s.Value)
			break
		}
		h.Capacity = append(h.Capacity, model.Setting{Name: resource, Value: all})
		h.PBS.Assigned = append(h.PBS.Assigned, model.Setting{Name: resource, Value: used})
	case "Total Jobs", "Running Jobs", "Suspended Jobs": // jobs names them
	default:
		return false
	}
	return true
}

func (f *filler) nodeResource(name string, h *model.Host) bool {
	switch name {
	case "resources_available":
		h.Capacity = append(h.Capacity, f.resource())
	case "resources_assigned":
		h.PBS.Assigned = append(h.PBS.Assigned, f.resource())
	case "np": // of Torque: its processors
		f.Snap.System = model.Torque
		h.Capacity = append(h.Capacity, model.Setting{Name: "ncpus", Value: f.str()})
	case "pcpus":
		h.PBS.CPUs = f.small()
	default:
		return false
	}
	return true
}

func (f *filler) nodeState(name string, p *model.PBSHost) bool {
	switch name {
	case "state":
		p.State = f.list()
	case "jobs":
		p.Jobs = f.list()
	case "resv":
		p.Reserved = f.list()
	case "last_used_time":
		p.LastUsed = f.time()
	case "last_state_change_time":
		p.StateChange = f.time()
	case "comment":
		p.Comment = f.str()
	default:
		return false
	}
	return true
}

func (f *filler) nodePolicy(name string, p *model.PBSHost) bool {
	switch name {
	case "Mom":
		p.Mom = f.str()
	case "sharing":
		p.Sharing = f.str()
	case "Priority":
		p.Priority = f.small()
	case "queue":
		p.Queue = f.str()
	case "partition":
		p.Partition = f.str()
	case "max_running":
		p.MaxRunning = f.count()
	case "max_user_run":
		p.MaxUserRun = f.count()
	case "max_group_run":
		p.MaxGroupRun = f.count()
	case "in_multivnode_host":
		p.MultiVnode = f.bool()
	default:
		return false
	}
	return true
}

// knownOfNodes are attributes of vnodes that have no field of their own.
var knownOfNodes = names("Port", "pbs_version", "ntype", "resv_enable", "license", "hpcbp_user_name", "hpcbp_enable", "topology_info",
	"license_info", "no_multinode_jobs", "provision_enable", "current_aoe", "current_eoe", "power_provisioning", "poweroff_eligible",
	"lictype", "server_instance_id", "vnode_pool", "resv_count", "maintenance_jobs", "partition",
	"status", "properties", "mom_service_port", "mom_manager_port", "num_node_boards", "numa_str", "gpus", "gpu_status", // Torque
	"total_sockets", "total_numa_nodes", "total_cores", "total_threads", "dedicated_sockets", "dedicated_numa_nodes",
	"dedicated_cores", "dedicated_threads", "note", "power_state", "ttl", "requestid", "acl", "mics", "mic_status")

func (f *filler) nodeOther(name string, p *model.PBSHost) {
	s := f.setting()
	if name == "ntype" && s.Value == "cluster" || name == "status" && strings.Contains(s.Value, "rectime=") {
		f.Snap.System = model.Torque
	}
	p.Attributes = append(p.Attributes, s)
	if !knownOfNodes[name] {
		f.Unknown(f.file, f.attr.line, s.Name, s.Value)
	}
}
