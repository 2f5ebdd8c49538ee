package pbs

import (
	"errors"
	"strings"

	"qprism/engine/model"
	"qprism/importer/listing"
	"qprism/importer/pbs/object"
)

var nodes = &kind{part: "nodes", Kind: object.Kind{Name: "Node", Key: "nodes",
	Text: object.Text{Indent: 5, Apart: true}}}

// A nodeReader makes hosts from records.
type nodeReader struct {
	*filler
	host model.Host // the current host
	own  model.PBSHost
	seen map[string]bool
}

// readNodes reads the vnodes.
func readNodes(r *reader) error {
	n := &nodeReader{filler: r.filler(nodes), seen: map[string]bool{}}
	to := n.places()
	return n.objects(func() { n.read(to) })
}

var (
	errSecondVnode = errors.New("a second vnode of that name; the first counts")
	errNoVnode     = errors.New("no vnode of that name")
)

// read makes a host from a record.
func (n *nodeReader) read(to places) {
	rec := n.rec
	if n.seen[rec.ID] {
		n.LeaveOut(n.file, rec.Line, rec.ID, errSecondVnode)
		return
	}
	n.seen[rec.ID] = true
	n.host, n.own = model.Host{Name: n.Strings.Get([]byte(rec.ID))}, model.PBSHost{}
	n.fill(to, func() {
		n.keep(&n.own.Attributes, to)
		switch value := string(n.bytes()); {
		case n.attr.Name == "ntype" && value == "cluster", n.attr.Name == "status" && strings.Contains(value, "rectime="):
			n.Snap.System = model.Torque
		}
	})
	switch {
	case !n.whole():
	case len(rec.Attrs) == 1 && rec.Attrs[0].Name == "Error": // pbsnodes was asked for a vnode that does not exist
		n.LeaveOut(n.file, rec.Line, rec.ID, errNoVnode)
	default:
		p := n.own
		n.host.PBS = &p
		n.Snap.Hosts = append(n.Snap.Hosts, n.host)
	}
}

func (n *nodeReader) places() places {
	p := &n.own
	nothing := func() {}
	to := places{
		"state":                  &p.State,
		"jobs":                   &p.Jobs,
		"resv":                   &p.Reserved,
		"last_used_time":         &p.LastUsed,
		"last_state_change_time": &p.StateChange,
		"comment":                &p.Comment,
		"Mom":                    &p.Mom,
		"sharing":                &p.Sharing,
		"Priority":               &p.Priority,
		"queue":                  &p.Queue,
		"partition":              &p.Partition,
		"max_running":            &p.MaxRunning,
		"max_user_run":           &p.MaxUserRun,
		"max_group_run":          &p.MaxGroupRun,
		"in_multivnode_host":     &p.MultiVnode,
		"resources_available":    &n.host.Capacity,
		"resources_assigned":     &p.Assigned,
		"pcpus":                  &p.CPUs,
		"np":                     n.processors,

		// JSON of pbsnodes -aSj
		"State":          &p.State,
		"mem f/t":        n.amounts,
		"ncpus f/t":      n.amounts,
		"nmics f/t":      n.amounts,
		"ngpus f/t":      n.amounts,
		"Total Jobs":     nothing, // the attribute jobs names them
		"Running Jobs":   nothing,
		"Suspended Jobs": nothing,
	}
	to.addKnown(`Port pbs_version ntype resv_enable license hpcbp_user_name hpcbp_enable topology_info license_info no_multinode_jobs
		provision_enable current_aoe current_eoe power_provisioning poweroff_eligible lictype server_instance_id vnode_pool
		resv_count maintenance_jobs`)
	to.addKnown(`status properties mom_service_port mom_manager_port num_node_boards numa_str gpus gpu_status total_sockets
		total_numa_nodes total_cores total_threads dedicated_sockets dedicated_numa_nodes dedicated_cores dedicated_threads note
		power_state ttl requestid acl mics mic_status`) // Torque
	return to
}

// processors reads np, which only Torque prints.
func (n *nodeReader) processors() {
	n.Snap.System = model.Torque
	n.host.Capacity = append(n.host.Capacity, model.Setting{Name: "ncpus", Value: n.str()})
}

// amounts reads "free/total" of a resource.
func (n *nodeReader) amounts() {
	resource, _, _ := strings.Cut(n.attr.Name, " ")
	s := n.setting()
	all, used, ok := listing.FreeOfAll(s.Value)
	if !ok {
		n.listUnknown(s)
		return
	}
	n.host.Capacity = append(n.host.Capacity, model.Setting{Name: resource, Value: all})
	n.own.Assigned = append(n.own.Assigned, model.Setting{Name: resource, Value: used})
}
