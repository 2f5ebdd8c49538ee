package qconf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
)

// maxInstances limits the queue instances of a bundle. Each queue has one on each of its hosts.
const maxInstances = 1 << 19

// resolveInstances makes the queue instances, queue by queue, in the order of the host list. This is the
// master's order for a queue that nobody changed. For other queues, no command prints the order.
func (c *configReader) resolveInstances() error {
	groups := newGroupResolver(c.Snap.HostGroups)
	for _, q := range c.Snap.Queues {
		instances, err := newInstances(q, groups, maxInstances-len(c.Snap.Instances))
		if err != nil {
			c.LeaveOut("queues", 0, q.Name, fmt.Errorf("its queue instances: %w", err))
			continue
		}
		c.Snap.Instances = append(c.Snap.Instances, instances...)
	}
	return nil
}

func newInstances(q model.Queue, groups *groupResolver, most int) ([]model.QueueInstance, error) {
	hosts, _, err := groups.resolve(q.HostList)
	if err == nil && len(hosts) > most {
		err = errInstances
	}
	if err != nil {
		return nil, err
	}
	all := make([]overrides, len(q.Attributes))
	for i, a := range q.Attributes {
		if all[i], err = newOverrides(a, groups); err != nil {
			return nil, err
		}
		if err := groups.countWork(testWork * len(hosts) * len(all[i].groups)); err != nil {
			return nil, err
		}
	}
	var scratch model.QueueInstance
	known := instanceFields(&scratch)
	instances := make([]model.QueueInstance, len(hosts))
	alike := map[string]*model.QueueInstance{} // hosts with the same values share lists
	for n, host := range hosts {
		key := valuesKey(all, host)
		i := alike[key]
		if i == nil {
			i = newInstance(all, host, &scratch, known)
			alike[key] = i
		}
		instances[n] = *i
		instances[n].Name, instances[n].Queue, instances[n].Host = q.Name+"@"+host, q.Name, host
	}
	return instances, nil
}

// valuesKey distinguishes a host's values from the values of other hosts of the same queue.
func valuesKey(all []overrides, host string) string {
	var b []byte
	for _, o := range all {
		if o.hosts != nil || o.groups != nil {
			value, ambiguous := o.value(host)
			b = strconv.AppendBool(strconv.AppendQuote(b, value), ambiguous)
		}
	}
	return string(b)
}

// newInstance makes an instance for a host. It uses the table again, with a cleared instance.
func newInstance(all []overrides, host string, i *model.QueueInstance, known fields.Table) *model.QueueInstance {
	*i = model.QueueInstance{}
	for _, o := range all {
		value, ambiguous := o.value(host)
		if ambiguous {
			i.Ambiguous = append(i.Ambiguous, o.Name)
		}
		// readQueues has already checked the values. An attribute with an invalid value is missing.
		_ = apply(known[o.Name], value)
	}
	for _, list := range []*[]model.Setting{&i.LoadThresholds, &i.SuspendThresholds, &i.Capacity, &i.Limits} {
		*list = slices.Clip(*list) // so that append does not change a shared list
	}
	for _, list := range []*[]string{&i.PEs, &i.Checkpoints, &i.ACL, &i.XACL, &i.Projects, &i.XProjects, &i.Ambiguous} {
		*list = slices.Clip(*list)
	}
	i.Subordinates = slices.Clip(i.Subordinates)
	made := *i
	return &made
}

// overrides are a queue attribute's values, for lookup by host.
type overrides struct {
	model.QueueAttribute
	hosts  map[string]string // values of single hosts
	groups []groupValue      // values of host groups
}

type groupValue struct {
	members hostSet
	value   string
}

func newOverrides(a model.QueueAttribute, groups *groupResolver) (overrides, error) {
	o := overrides{QueueAttribute: a}
	for _, s := range a.Overrides {
		if strings.HasPrefix(s.Name, "@") {
			members, err := groups.members(s.Name)
			if err != nil {
				return o, err
			}
			o.groups = append(o.groups, groupValue{members, s.Value})
			continue
		}
		if o.hosts == nil {
			o.hosts = map[string]string{}
		}
		o.hosts[strings.ToLower(s.Name)] = s.Value
	}
	return o, nil
}

// value returns the value for a host. The host's own value comes before the value of its group. If a host is in
// several of the groups, it has the default, and the attribute is ambiguous. This is so even if the groups'
// values are equal.
func (o overrides) value(host string) (value string, ambiguous bool) {
	if v, ok := o.hosts[strings.ToLower(host)]; ok {
		return v, false
	}
	value = o.Default
	for n, i := 0, 0; i < len(o.groups); i++ {
		if !o.groups[i].members.has(host) {
			continue
		}
		if n++; n > 1 {
			return o.Default, true
		}
		value = o.groups[i].value
	}
	return value, false
}
