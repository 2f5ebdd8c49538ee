package place

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/gridengine/cluster"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// A whole cluster queue is ruled out where none of its values, for all hosts or for some, lets the job in. That says
// nothing that its instances would not, but instances ruled out so are sorted behind all others for soft requests.

// checkCluster finds what rules a cluster queue out.
func (a *Attempt) checkCluster(q *cluster.Instance) (why model.Reason, ok bool) {
	c := a.Category
	why = model.Reason{Level: resource.LevelQueue, Object: q.Queue}
	refuse := func(kind model.ReasonKind, asked string) (model.Reason, bool) {
		why.Kind, why.Asked = kind, asked
		return why, false
	}
	if !c.HardQueues.Empty() && !c.HardQueues.Cluster(q.Queue) && (a.PE == nil || !c.MasterQueues.Cluster(q.Queue)) {
		return refuse(model.ReasonQueueList, strings.Join(c.First.HardQueues, ","))
	}
	if a.Advance != nil && !a.Advance.HasCluster(q.Queue) {
		return refuse(model.ReasonAdvance, strconv.Itoa(int(a.Advance.Number)))
	}
	m := a.Run.ClusterQueues[q.Queue]
	if m == nil {
		return why, true
	}
	if req := a.unmetBy(m); req != nil {
		why.Resource = req.Name
		return refuse(model.ReasonResource, req.Text)
	}
	projects, xprojects := lists(m, "projects"), lists(m, "xprojects")
	switch {
	case c.Project == "" && every(projects, func(l []string) bool { return len(l) > 0 }),
		c.Project != "" && every(xprojects, func(l []string) bool { return slices.Contains(l, c.Project) }),
		c.Project != "" && every(projects, func(l []string) bool { return len(l) > 0 && !slices.Contains(l, c.Project) }):
		return refuse(model.ReasonProject, c.Project)
	case every(lists(m, "xuser_lists"), func(l []string) bool { return !a.access(nil, l) }),
		every(lists(m, "user_lists"), func(l []string) bool { return !a.access(l, nil) }):
		return refuse(model.ReasonAccess, c.User)
	case a.PE != nil && every(lists(m, "pe_list"), func(l []string) bool { return !slices.Contains(l, a.PE.Name) }):
		return refuse(model.ReasonPE, a.PE.Name)
	case c.Immediate && every(lists(m, "qtype"), func(l []string) bool { return !slices.Contains(l, "INTERACTIVE") }):
		return refuse(model.ReasonQueueType, "")
	}
	return why, true
}

func (a *Attempt) access(acl, xacl []string) bool {
	return a.Run.Usersets.Access(a.Category.User, a.Category.Group, acl, xacl)
}

// values are all values of an attribute of a cluster queue: the one for all hosts, and those for some.
func values(m *model.Queue, name string) (list []string) {
	for i := range m.Attributes {
		if at := &m.Attributes[i]; at.Name == name {
			list = append(list, at.Default)
			for _, o := range at.Overrides {
				list = append(list, o.Value)
			}
		}
	}
	return list
}

// lists are the values of an attribute that is a list of names.
func lists(m *model.Queue, name string) (all [][]string) {
	for _, text := range values(m, name) {
		names := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
		if len(names) == 1 && strings.EqualFold(names[0], "NONE") {
			names = nil
		}
		all = append(all, names)
	}
	return all
}

// every reports whether there are values and all of them are so.
func every(all [][]string, is func([]string) bool) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(l []string) bool { return !is(l) })
}

// unmetBy is the first hard request that no value of a cluster queue meets: of its own attributes, or of complex_values
// where each of them has the resource. Of parallel jobs that try for more than one slot numbers are not looked at.
func (a *Attempt) unmetBy(m *model.Queue) *resource.Request {
	for i := range a.Category.Hard {
		req := &a.Category.Hard[i]
		if req.Attr == nil || req.Attr.Numeric && !a.oneSlot() || slices.Contains(unlisted, req.Attr.Name) {
			continue
		}
		offers := values(m, a.listed(req.Attr.Name))
		if len(offers) == 0 {
			offers = complexValues(m, req.Attr.Name)
		}
		met := len(offers) == 0
		for _, text := range offers {
			o := resource.Offer{Attr: req.Attr, PerSlot: resource.Value{Kind: resource.FromFixed,
				Text: text, Amount: resource.Number(text)}}
			met = met || resource.Matches(req, o, 1, true)
		}
		if !met {
			return req
		}
	}
	return nil
}

// oneSlot reports whether the search is for a single slot.
func (a *Attempt) oneSlot() bool { return a.PE == nil || a.Slots == 1 }

// unlisted are the attributes of queues that the check of a whole cluster queue leaves to its instances.
var unlisted = []string{"qname", "hostname", resource.SlotsName, "seq_no", "rerun", "tmpdir"}

// listed is the attribute of a cluster queue that a request is compared with (D29).
func (a *Attempt) listed(name string) string {
	if name == "s_fsize" && a.Run.Quirks.FileSizeByData {
		return "s_data"
	}
	return name
}

// complexValues are the values of a resource in complex_values; none where one of these lacks it.
func complexValues(m *model.Queue, name string) (list []string) {
	for _, settings := range lists(m, "complex_values") {
		found := false
		for _, s := range settings {
			if key, text, ok := strings.Cut(s, "="); ok && key == name {
				list, found = append(list, text), true
			}
		}
		if !found {
			return nil
		}
	}
	return list
}
