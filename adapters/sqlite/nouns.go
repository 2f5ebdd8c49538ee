package sqlite

import (
	"errors"
	"math"
	"reflect"
	"time"

	"qprism/engine/model"
)

// A noun is one slice of a snapshot and how it is stored: its elements as a list of objects, but for the fields that
// change by themselves, which are packed in parts; or altogether in parts.
type noun struct {
	name    string
	slice   reflect.Value // settable
	changes []string      // fields that change by themselves
	records bool          // the elements come and go as a whole
}

// nounsOf lists all slices of a snapshot but its jobs. The share tree, the policy and what only PBS has are slices for
// the purpose.
func nounsOf(s *model.Snapshot, singles *singles) []noun {
	objects := func(name string, slice any, changes ...string) noun {
		return noun{name: name, slice: reflect.ValueOf(slice).Elem(), changes: changes}
	}
	records := func(name string, slice any) noun {
		return noun{name: name, slice: reflect.ValueOf(slice).Elem(), records: true}
	}
	return []noun{
		objects("host", &s.Hosts, "Load", "Values", "PBS"),
		objects("host_group", &s.HostGroups),
		objects("queue", &s.Queues, "PBS"),
		objects("queue_instance", &s.Instances, "Used", "Reserved", "State", "Load"),
		objects("queue_summary", &s.Summaries),
		objects("resource", &s.Resources),
		objects("pe", &s.PEs),
		objects("quota_set", &s.Quotas),
		objects("calendar", &s.Calendars),
		objects("checkpoint", &s.Checkpoints),
		objects("user", &s.Users, "Usage", "Projects", "Booked"),
		objects("project", &s.Projects, "Usage", "Booked"),
		objects("userset", &s.Usersets),
		objects("share_node", &singles.tree),
		objects("policy", &singles.policy),
		objects("config", &s.Config.Global),
		objects("host_config", &s.Config.Hosts),
		objects("advance_reservation", &s.Reserved),
		objects("manager", &s.Managers),
		objects("operator", &s.Operators),
		objects("admin_host", &s.AdminHosts),
		objects("submit_host", &s.SubmitHosts),
		objects("event_client", &s.EventClients),
		objects("file", &s.Has),
		objects("missing_file", &s.Missing),
		objects("system", &singles.system),
		objects("listed", &singles.listed),
		objects("note", &singles.note),
		objects("pbs", &singles.pbs, "Server", "Fairshare", "Reservations", "Fair", "FairEntities", "FairPairs", "Repairs"),
		records("pbs_cycle", &singles.cycles),
		records("pbs_accounting", &singles.accounting),
		records("share_report", &s.ShareReport),
		records("run", &s.Runs),
		records("trace", &s.Trace),
		records("ended_task", &s.Ended),
		records("unknown", &s.Unknown),
		records("repair", &s.Repaired),
		records("left_out", &s.LeftOut),
	}
}

// singles are the parts of a snapshot that are no slices, as slices.
type singles struct {
	tree       []shareNode
	policy     []model.Policy
	system     []model.System // none for Grid Engine
	listed     []time.Time    // when jobs were listed; none where that is not known
	note       []string       // none where there is none
	pbs        []model.PBS    // at most one, without what follows
	cycles     []model.SchedCycle
	accounting []model.AccountingRecord
}

func takeSingles(s *model.Snapshot) (*singles, error) {
	tree, err := flatten(nil, s.ShareTree, 0)
	x := &singles{tree: tree, policy: []model.Policy{s.Policy}}
	if s.System != model.GridEngine {
		x.system = []model.System{s.System}
	}
	if !s.ListedAt.IsZero() {
		x.listed = []time.Time{s.ListedAt}
	}
	if s.Note != "" {
		x.note = []string{s.Note}
	}
	if s.PBS != nil {
		x.takePBS(*s.PBS)
	}
	return x, err
}

func (x *singles) takePBS(p model.PBS) {
	x.cycles, x.accounting = p.Cycles, p.Accounting
	p.Cycles, p.Accounting = nil, nil
	x.pbs = []model.PBS{p}
}

func (x *singles) giveTo(s *model.Snapshot) {
	s.ShareTree = unflatten(x.tree)
	if len(x.policy) > 0 {
		s.Policy = x.policy[0]
	}
	if len(x.system) > 0 {
		s.System = x.system[0]
	}
	if len(x.listed) > 0 {
		s.ListedAt = x.listed[0]
	}
	if len(x.note) > 0 {
		s.Note = x.note[0]
	}
	if len(x.pbs) > 0 {
		s.PBS = &x.pbs[0]
		s.PBS.Cycles, s.PBS.Accounting = x.cycles, x.accounting
	}
}

// A shareNode is a node of the share tree in a list of all nodes, parents before their children.
type shareNode struct {
	Depth   int // 0 for the root
	Name    string
	Project bool
	Shares  uint32
}

// maxDepth bounds the nesting of a share tree.
const maxDepth = 10000

func flatten(nodes []shareNode, n *model.ShareNode, depth int) ([]shareNode, error) {
	if n == nil {
		if depth > 0 {
			return nil, errors.New("the share tree has a nil node")
		}
		return nodes, nil
	}
	if depth > maxDepth {
		return nil, errors.New("the share tree is nested too deep")
	}
	nodes = append(nodes, shareNode{depth, n.Name, n.Project, n.Shares})
	var err error
	for _, c := range n.Children {
		if nodes, err = flatten(nodes, c, depth+1); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func unflatten(nodes []shareNode) *model.ShareNode {
	var path []*model.ShareNode // from the root to the last node
	for _, n := range nodes {
		node := &model.ShareNode{Name: n.Name, Project: n.Project, Shares: n.Shares}
		path = append(path[:min(n.Depth, len(path))], node)
		if len(path) > 1 {
			parent := path[len(path)-2]
			parent.Children = append(parent.Children, node)
		}
	}
	if len(path) == 0 {
		return nil
	}
	return path[0]
}

// Elements of a slice are packed so many in a part, on average. Where a list grows at its end and loses its
// beginning, as records do, parts are cut after elements that themselves say so, so that the rest of the list has the
// same parts as before.
const (
	partLength = 64
	partWeight = 16 << 10 // a part is cut at so many values in nested slices
)

// partEnd returns where the part of a slice ends that begins at start.
func partEnd(slice reflect.Value, start int, records bool) int {
	weight := 0
	for i := start; i < slice.Len(); i++ {
		element := slice.Index(i)
		weight += weightOf(element)
		if weight >= partWeight || !records && i-start+1 == partLength {
			return i + 1
		}
		if records && fingerprint(element)%partLength == 0 {
			return i + 1
		}
	}
	return slice.Len()
}

// weightOf is 1 for each element of the slices of a struct.
func weightOf(v reflect.Value) int {
	weight := 1
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			weight += f.Len()
		}
	}
	return weight
}

// fingerprint tells records apart, well enough to cut a list.
func fingerprint(v reflect.Value) uint64 {
	switch r := v.Interface().(type) {
	case model.RunRecord:
		h := uint64(len(r.Lines))
		for _, l := range r.Lines {
			h = scramble(h ^ uint64(l.Job)<<32 ^ uint64(l.Task) ^ uint64(l.Start.Unix()))
		}
		return scramble(h)
	case model.EndedTask:
		return scramble(uint64(r.Job)<<32 ^ uint64(r.Task) ^ uint64(r.Ended.UnixMicro()))
	case model.TraceLine:
		return textPrint(uint64(r.At.UnixMicro()), r.Text)
	case model.SchedCycle:
		return scramble(uint64(r.Start.UnixMicro()) ^ uint64(len(r.Events)))
	case model.AccountingRecord:
		return textPrint(uint64(r.At.UnixMicro()), r.Type+r.ID)
	}
	return 1 // not cut
}

// textPrint tells texts apart, and the same text at different times.
func textPrint(at uint64, text string) uint64 {
	h := scramble(at)
	for _, c := range []byte(text) {
		h = scramble(h ^ uint64(c))
	}
	return h
}

// micros is a time as a column holds it.
func micros(t time.Time) (int64, error) {
	const most = math.MaxInt64/1_000_000 - 1 // seconds
	if s := t.Unix(); s > most || s < -most {
		return 0, errors.New("time out of range")
	}
	return t.UnixMicro(), nil
}
