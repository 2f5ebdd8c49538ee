package qstat

import (
	"fmt"
	"slices"

	"qprism/engine/model"
)

// readQstatF reads the output of qstat -f -F -xml: queue instances with their values, and the running tasks of
// each. These show how the slots of a parallel task are spread.
func readQstatF(r *reader, c *clusterTable) error {
	return r.readXML("qstat-f.xml", func(x *xmlFile) {
		q := &qstatFReader{xmlFile: x, cluster: c, spread: map[taskKey][]model.Grant{}}
		q.known = q.queueElements()
		queues := elements{"Queue-List": q.readQueue, "dates": nil} // the reader of jobs notes the form of dates
		q.read(elements{"queue_info": func() { q.read(queues) }, "job_info": nil})
		if q.Err == nil {
			q.spreadSlots()
		}
	}, "job_info")
}

type qstatFReader struct {
	*xmlFile
	cluster *clusterTable
	known   elements
	queue   listedQueue
	spread  map[taskKey][]model.Grant
}

// A listedQueue is a queue instance in the output.
type listedQueue struct {
	name, kind, state        string
	loadAvg, npLoadAvg, arch string
	used, reserved, total    int
	loads                    []model.LoadValue
}

func (q *qstatFReader) queueElements() elements {
	i := &q.queue
	return elements{
		"name":        put(&i.name, q.str),
		"qtype":       put(&i.kind, q.str),
		"slots_used":  put(&i.used, q.count),
		"slots_resv":  put(&i.reserved, q.count),
		"slots_total": put(&i.total, q.count),
		"state":       put(&i.state, q.str),
		"load_avg":    put(&i.loadAvg, q.str),
		"np_load_avg": put(&i.npLoadAvg, q.str), // of Univa
		"arch":        put(&i.arch, q.str),
		"resource":    add(&i.loads, func() model.LoadValue { return q.loadValue("type") }),
		"job_list":    q.readTask,
	}
}

// loadValue reads a value of a host or queue instance. An attribute says where the value comes from.
func (x *xmlFile) loadValue(dominance string) model.LoadValue {
	v := model.LoadValue{Name: x.attribute("name"), Dominance: x.attribute(dominance)}
	v.Value = x.str()
	return v
}

func (q *qstatFReader) readQueue() {
	got := &q.queue
	*got = listedQueue{loads: got.loads[:0]}
	q.read(q.known)
	if got.name == "" {
		q.note(nil, fmt.Errorf("name: %w", errMissing))
	}
	if !q.settle("queue instance", got.name) {
		return
	}
	i, isNew := q.cluster.instance(got.name)
	q.addLoad("load_avg", got.loadAvg)
	q.addLoad("np_load_avg", got.npLoadAvg)
	q.addLoad("arch", got.arch)
	i.Listed, i.State, i.Used, i.Reserved = true, got.state, got.used, got.reserved
	i.Load = q.cluster.loads.Keep(got.loads...)
	if isNew {
		i.Type, i.Slots = typeOfLetters(got.kind), got.total
	}
}

// addLoad adds a value of the host, if -F does not show it among the resources.
func (q *qstatFReader) addLoad(name, value string) {
	shown := slices.ContainsFunc(q.queue.loads, func(l model.LoadValue) bool { return l.Name == name })
	if value != "" && !shown {
		q.queue.loads = append(q.queue.loads, model.LoadValue{Name: name, Value: value})
	}
}

// readTask reads a row of a running task in the list of its queue instance. If a row cannot be read, the queue
// instance stays. The error is reported once, here or by the reader of jobs.
func (q *qstatFReader) readTask() {
	before := q.fault
	q.readRow()
	if before != nil || q.fault == nil {
		return
	}
	if q.r.JobsFile() == q.File {
		q.fault = nil
	}
	q.settle("a task in", q.queue.name)
}

func (q *qstatFReader) readRow() {
	g := model.Grant{Instance: q.queue.name}
	key := taskKey{task: 1}
	tasks := ""
	for d := q.Depth(); q.Child(d); {
		switch string(q.Name()) {
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
	if q.Err == nil {
		q.spread[key] = append(q.spread[key], g)
	}
}

// spreadSlots gives parallel tasks of qstat.xml their slots by queue instance, if both commands show the same
// tasks.
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
