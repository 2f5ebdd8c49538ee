package qstat

import (
	"strings"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// ReadCluster reads the state of queue instances, hosts and advance reservations.
func ReadCluster(b *bundle.Reader) error {
	r := &reader{Reader: b}
	c := newClusterTable(r.Snap)
	for _, step := range []func(*reader, *clusterTable) error{readQstatF, readQstatGC, readQhost, readQrstat} {
		if err := step(r, c); err != nil {
			return err
		}
	}
	return nil
}

// A clusterTable finds the queue instances and hosts of a snapshot by name. If the configuration in the bundle
// lacks one, the table adds it, so that its state is kept.
type clusterTable struct {
	snap      *model.Snapshot
	instances map[string]int
	hosts     map[string]int
	loads     source.Slab[model.LoadValue]
}

func newClusterTable(snap *model.Snapshot) *clusterTable {
	c := &clusterTable{snap: snap, instances: map[string]int{}, hosts: map[string]int{}}
	for i := range snap.Instances {
		c.instances[instanceKey(snap.Instances[i].Name)] = i
	}
	for i := range snap.Hosts {
		c.hosts[strings.ToLower(snap.Hosts[i].Name)] = i
	}
	return c
}

// instanceKey returns a queue instance's name for comparison. Case matters in the queue, but not in the host.
func instanceKey(name string) string {
	queue, host, _ := strings.Cut(name, "@")
	return queue + "@" + strings.ToLower(host)
}

// instance returns the queue instance with a name. isNew reports that it is not configured.
func (c *clusterTable) instance(name string) (i *model.QueueInstance, isNew bool) {
	key := instanceKey(name)
	place, known := c.instances[key]
	if !known {
		place = len(c.snap.Instances)
		c.instances[key] = place
		queue, host, _ := strings.Cut(name, "@")
		c.snap.Instances = append(c.snap.Instances, model.QueueInstance{Name: name, Queue: queue, Host: host})
	}
	return &c.snap.Instances[place], !known
}

// host returns the host with a name.
func (c *clusterTable) host(name string) *model.Host {
	key := strings.ToLower(name)
	place, known := c.hosts[key]
	if !known {
		place = len(c.snap.Hosts)
		c.hosts[key] = place
		c.snap.Hosts = append(c.snap.Hosts, model.Host{Name: name})
	}
	return &c.snap.Hosts[place]
}

// typeOfLetters returns a queue's type in the words of queue_conf(5). The letters C and P of qstat are not part
// of the type.
func typeOfLetters(letters string) string {
	var words []string
	for _, c := range letters {
		switch c {
		case 'B':
			words = append(words, "BATCH")
		case 'I':
			words = append(words, "INTERACTIVE")
		}
	}
	return strings.Join(words, " ")
}
