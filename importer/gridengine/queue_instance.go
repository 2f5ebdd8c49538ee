package gridengine

import (
	"strings"

	"qprism/engine/model"
)

// maxInstances bounds the queue instances of a bundle: each queue has one on each of its hosts.
const maxInstances = 1 << 19

// resolveInstances works out the queue instances of every queue, as the master does when it makes them.
//
// They are queue by queue, each queue's in the order in which its host list resolves (groupResolver.resolve). That is
// the master's own order while a queue is as it was added; hosts that join it later stand at the end, and a master that
// starts again reads the instances in the order of its spool. No command that the bundle holds prints that order.
func (c *configReader) resolveInstances() error {
	groups := newGroupResolver(c.snap.HostGroups)
	for _, q := range c.snap.Queues {
		instances, err := newInstances(q, groups, maxInstances-len(c.snap.Instances))
		if err != nil {
			return c.problem("queues", 0, q.Name, err)
		}
		c.snap.Instances = append(c.snap.Instances, instances...)
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
		if err := groups.spend(testWork * len(hosts) * len(all[i].groups)); err != nil {
			return nil, err
		}
	}
	instances := make([]model.QueueInstance, len(hosts))
	for i, host := range hosts {
		instances[i] = newInstance(q.Name, host, all)
	}
	return instances, nil
}

func newInstance(queue, host string, all []overrides) model.QueueInstance {
	i := model.QueueInstance{Name: queue + "@" + host, Queue: queue, Host: host}
	for _, o := range all {
		value, ambiguous := o.value(host)
		if ambiguous {
			i.Ambiguous = append(i.Ambiguous, o.Name)
		}
		// The values were tried when the queue was read, and an attribute with one that cannot be read is not there.
		_ = apply(attributes[o.Name], &i, value)
	}
	return i
}

// overrides are a queue attribute's values, ready to be looked up by host.
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

// value is what holds for a host: the value for the host itself, else the one for the group it is in. A host in
// several of the groups has the default, and the attribute is ambiguous, even where the groups' values are the same.
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
