package gridengine

import (
	"fmt"
	"slices"

	"qprism/engine/model"
)

// readQstatF reads what qstat -f -F -xml printed: queue instances with their slots, states and resource values, and the
// running tasks of each, which shows how the slots of a parallel task are spread. The waiting tasks are those of qstat.xml.
func readQstatF(r *reader, c *clusterTable) error {
	return r.readXML("qstat-f.xml", func(x *xmlFile) error {
		q := &qstatFReader{xmlFile: x, cluster: c, spread: map[taskKey][]model.Grant{}}
		for x.child(1) {
			switch string(x.name()) {
			case "queue_info":
				if err := q.readQueues(); err != nil {
					return err
				}
			case "job_info":
			default:
				x.unknown()
			}
		}
		q.spreadSlots()
		return x.err
	}, "job_info")
}

type qstatFReader struct {
	*xmlFile
	cluster *clusterTable
	spread  map[taskKey][]model.Grant
	loads   []model.LoadValue
}

func (q *qstatFReader) readQueues() error {
	for d := q.depth(); q.child(d); {
		if string(q.name()) != "Queue-List" {
			if string(q.name()) != "dates" { // which the reader of jobs says
				q.unknown()
			}
			continue
		}
		if err := q.readQueue(); err != nil {
			return err
		}
	}
	return q.err
}

func (q *qstatFReader) readQueue() error {
	var name, kind, state, loadAvg, npLoadAvg, arch string
	var used, reserved, total int
	q.loads = q.loads[:0]
	for d := q.depth(); q.child(d); {
		switch string(q.name()) {
		case "name":
			name = q.str()
		case "qtype":
			kind = q.str()
		case "slots_used":
			used = q.count()
		case "slots_resv":
			reserved = q.count()
		case "slots_total":
			total = q.count()
		case "state":
			state = q.str()
		case "load_avg":
			loadAvg = q.str()
		case "np_load_avg": // of Univa
			npLoadAvg = q.str()
		case "arch":
			arch = q.str()
		case "resource":
			v := model.LoadValue{Name: q.attribute("name"), Dominance: q.attribute("type")}
			v.Value = q.str()
			q.loads = append(q.loads, v)
		case "job_list":
			if err := q.readTask(name); err != nil {
				return err
			}
		default:
			if !uninteresting[string(q.name())] {
				q.unknown()
			}
		}
	}
	if name == "" {
		q.note(nil, fmt.Errorf("name: %w", errMissing))
	}
	good, err := q.settle("queue instance", name)
	if !good {
		return err
	}
	i, isNew := q.cluster.instance(name)
	q.addLoad("load_avg", loadAvg)
	q.addLoad("np_load_avg", npLoadAvg)
	q.addLoad("arch", arch)
	i.Listed, i.State, i.Used, i.Reserved = true, state, used, reserved
	i.Load = q.cluster.loads.Keep(q.loads...)
	if isNew {
		i.Type, i.Slots = typeOfLetters(kind), total
	}
	return nil
}

// addLoad adds a value of the host, where -F does not show it among the resources.
func (q *qstatFReader) addLoad(name, value string) {
	shown := slices.ContainsFunc(q.loads, func(l model.LoadValue) bool { return l.Name == name })
	if value != "" && !shown {
		q.loads = append(q.loads, model.LoadValue{Name: name, Value: value})
	}
}

// readTask reads a row of a running task, in the list of the queue instance that it runs in. A row that cannot be read costs no queue
// instance; it is said once, here or where the jobs are read.
func (q *qstatFReader) readTask(instance string) error {
	before := q.fault
	q.readRow(instance)
	if before != nil || q.fault == nil {
		return q.err
	}
	if jobsFile(q.r) == q.file {
		q.fault = nil
	}
	_, err := q.settle("a task in", instance)
	return err
}

func (q *qstatFReader) readRow(instance string) {
	g := model.Grant{Instance: instance}
	key := taskKey{task: 1}
	tasks := ""
	for d := q.depth(); q.child(d); {
		switch string(q.name()) {
		case "JB_job_number":
			key.job = q.uint32()
		case "slots":
			g.Slots = q.count()
		case "tasks":
			tasks = q.str()
		}
	}
	if tasks != "" {
		ids, err := parseRanges(nil, tasks)
		if err != nil {
			q.note([]byte(tasks), fmt.Errorf("tasks: %w", err))
			return
		}
		key.task = ids[0].Min
	}
	if q.err == nil {
		q.spread[key] = append(q.spread[key], g)
	}
}

// spreadSlots gives parallel tasks of qstat.xml the slots by queue instance, where both commands saw the same of them.
func (q *qstatFReader) spreadSlots() {
	for i := range q.r.Snap.Jobs {
		j := &q.r.Snap.Jobs[i]
		for k := range j.Tasks {
			t := &j.Tasks[k]
			if len(t.Granted) != 1 || t.Granted[0].Slots != 0 {
				continue // known already, or not running
			}
			all := q.spread[taskKey{j.Number, t.IDs[0].Min}]
			master := slices.IndexFunc(all, func(g model.Grant) bool { return g.Instance == t.Granted[0].Instance })
			if master < 0 || granted(all) != t.Slots {
				continue
			}
			g := all[master]
			t.Granted = slices.Insert(slices.Delete(all, master, master+1), 0, g)
		}
	}
}
