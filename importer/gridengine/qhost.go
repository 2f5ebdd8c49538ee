package gridengine

import (
	"fmt"

	"qprism/engine/model"
)

// readQhost reads what qhost -q -F -j -xml printed: hosts with their load and resource values, and their queue instances.
// The jobs in it are those of qstat.xml.
func readQhost(r *reader, c *clusterTable) error {
	return r.readXML("qhost.xml", func(x *xmlFile) error {
		q := &qhostReader{xmlFile: x, cluster: c}
		for x.child(1) {
			if string(x.name()) != "host" {
				x.unknown()
				continue
			}
			if err := q.readHost(); err != nil {
				return err
			}
		}
		r.Snap.Queues = inMasterOrder(r.Snap.Queues, q.lists)
		return x.err
	}, "qhost")
}

type qhostReader struct {
	*xmlFile
	cluster *clusterTable
	loads   []model.LoadValue
	lists   [][]string // the queues of each host, as listed
}

func (q *qhostReader) readHost() error {
	name := q.attribute("name")
	var values []model.Setting
	q.loads = q.loads[:0]
	var queues []model.QueueInstance
	for d := q.depth(); q.child(d); {
		switch string(q.name()) {
		case "hostvalue":
			v := model.Setting{Name: q.attribute("name"), Value: q.str()}
			if v.Value != "-" && v.Value != "" {
				values = append(values, v)
			}
		case "resourcevalue":
			v := model.LoadValue{Name: q.attribute("name"), Dominance: q.attribute("dominance")}
			v.Value = q.str()
			q.loads = append(q.loads, v)
		case "queue":
			queues = append(queues, q.readQueue(name))
		case "job":
		default:
			q.unknown()
		}
	}
	if name == "" {
		q.note(nil, fmt.Errorf("name: %w", errMissing))
	}
	good, err := q.settle("host", name)
	if !good {
		return err
	}
	h := q.cluster.host(name)
	h.Values, h.Load = values, q.cluster.loads.Keep(q.loads...)
	list := make([]string, len(queues))
	for n, i := range queues {
		q.addInstance(i)
		list[n] = i.Queue
	}
	q.lists = append(q.lists, list)
	return nil
}

// readQueue reads a queue instance of a host.
func (q *qhostReader) readQueue(host string) model.QueueInstance {
	i := model.QueueInstance{Queue: q.attribute("name"), Host: host, Listed: true}
	i.Name = i.Queue + "@" + host
	for d := q.depth(); q.child(d); {
		if string(q.name()) != "queuevalue" {
			q.unknown()
			continue
		}
		switch name := q.attribute("name"); name {
		case "qtype_string":
			i.Type = typeOfLetters(q.str())
		case "slots_used":
			i.Used = q.count()
		case "slots_resv":
			i.Reserved = q.count()
		case "slots":
			i.Slots = q.count()
		case "state_string":
			i.State = q.str()
		default:
			q.r.Unknown(q.file, q.line(), "queuevalue "+name, q.str())
		}
	}
	return i
}

// addInstance keeps the state of a queue instance, unless qstat -f showed it already.
func (q *qhostReader) addInstance(got model.QueueInstance) {
	i, isNew := q.cluster.instance(got.Name)
	switch {
	case isNew:
		*i = got
	case !i.Listed:
		i.Listed, i.State, i.Used, i.Reserved = true, got.State, got.Used, got.Reserved
	}
}
