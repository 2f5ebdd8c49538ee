package schedule

import (
	"slices"
	"strings"

	"qprism/engine/model"
)

// A whole cluster queue is ruled out where none of its values, for all hosts or for some, lets the job in. That says
// nothing that its instances would not, but instances ruled out so are sorted behind all others for soft requests.

// checkCluster finds what rules a cluster queue out.
func (a *attempt) checkCluster(q *instance) (why model.Reason, ok bool) {
	c := a.cat
	why = model.Reason{Level: levelQueue, Object: q.Queue}
	refuse := func(kind model.ReasonKind, asked string) (model.Reason, bool) {
		why.Kind, why.Asked = kind, asked
		return why, false
	}
	if !c.hardQueues.Empty() && !c.hardQueues.Cluster(q.Queue) && (a.pe == nil || !c.masterQueues.Cluster(q.Queue)) {
		return refuse(model.ReasonQueueList, strings.Join(c.first.HardQueues, ","))
	}
	if a.advance != nil && !a.advance.hasCluster(q.Queue) {
		return refuse(model.ReasonAdvance, itoa(int(a.advance.Number)))
	}
	m := a.run.clusterQueues[q.Queue]
	if m == nil {
		return why, true
	}
	if req := a.unmetBy(m); req != nil {
		why.Resource = req.name
		return refuse(model.ReasonResource, req.text)
	}
	projects, xprojects := lists(m, "projects"), lists(m, "xprojects")
	switch {
	case c.project == "" && every(projects, func(l []string) bool { return len(l) > 0 }),
		c.project != "" && every(xprojects, func(l []string) bool { return slices.Contains(l, c.project) }),
		c.project != "" && every(projects, func(l []string) bool { return len(l) > 0 && !slices.Contains(l, c.project) }):
		return refuse(model.ReasonProject, c.project)
	case every(lists(m, "xuser_lists"), func(l []string) bool { return !a.access(nil, l) }),
		every(lists(m, "user_lists"), func(l []string) bool { return !a.access(l, nil) }):
		return refuse(model.ReasonAccess, c.user)
	case a.pe != nil && every(lists(m, "pe_list"), func(l []string) bool { return !slices.Contains(l, a.pe.Name) }):
		return refuse(model.ReasonPE, a.pe.Name)
	case c.immediate && every(lists(m, "qtype"), func(l []string) bool { return !slices.Contains(l, "INTERACTIVE") }):
		return refuse(model.ReasonQueueType, "")
	}
	return why, true
}

func (a *attempt) access(acl, xacl []string) bool {
	return a.run.world.usersets.Access(a.cat.user, a.cat.group, acl, xacl)
}

func (v *advance) hasCluster(queue string) bool {
	return slices.ContainsFunc(v.Granted, func(g model.Grant) bool { return strings.HasPrefix(g.Instance, queue+"@") })
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
func (a *attempt) unmetBy(m *model.Queue) *request {
	for i := range a.cat.hard {
		req := &a.cat.hard[i]
		if req.attr == nil || req.attr.numeric && !a.oneSlot() || slices.Contains(unlisted, req.attr.Name) {
			continue
		}
		offers := values(m, a.listed(req.attr.Name))
		if len(offers) == 0 {
			offers = complexValues(m, req.attr.Name)
		}
		met := len(offers) == 0
		for _, text := range offers {
			o := offer{attr: req.attr, perSlot: value{kind: fromFixed, text: text, amount: number(text)}}
			met = met || matches(req, o, 1, true)
		}
		if !met {
			return req
		}
	}
	return nil
}

// oneSlot reports whether the search is for a single slot.
func (a *attempt) oneSlot() bool { return a.pe == nil || a.slots == 1 }

// unlisted are the attributes of queues that the check of a whole cluster queue leaves to its instances.
var unlisted = []string{"qname", "hostname", slotsName, "seq_no", "rerun", "tmpdir"}

// listed is the attribute of a cluster queue that a request is compared with (D29).
func (a *attempt) listed(name string) string {
	if name == "s_fsize" && a.run.quirks.FileSizeByData {
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
