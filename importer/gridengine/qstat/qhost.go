package qstat

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// readQhost reads what qhost -q -F -j -xml printed: hosts with their values, and their queue instances. Its jobs count
// only where no other file lists jobs.
func readQhost(r *reader, c *clusterTable) error {
	return r.readXML("qhost.xml", func(x *xmlFile) {
		q := &qhostReader{xmlFile: x, cluster: c, jobs: map[uint32]*model.Job{}}
		q.known = q.hostElements()
		q.read(elements{"host": q.readHost})
		if q.Err != nil {
			return
		}
		r.Snap.Queues = inMasterOrder(r.Snap.Queues, q.lists)
		if len(r.Snap.Jobs) == 0 && r.JobsFile() == "" {
			r.Snap.Jobs = q.running()
		}
	}, "qhost")
}

type qhostReader struct {
	*xmlFile
	cluster *clusterTable
	known   elements // of a host
	host    listedHost
	lists   [][]string // the queues of each host, in the order of the list
	jobs    map[uint32]*model.Job
}

// A listedHost is a host in the output, with its queue instances.
type listedHost struct {
	name   string
	values []model.Setting
	loads  []model.LoadValue
	queues []model.QueueInstance
}

func (q *qhostReader) hostElements() elements {
	h := &q.host
	return elements{
		"hostvalue": func() {
			v := model.Setting{Name: q.attribute("name"), Value: q.str()}
			if v.Value != "-" && v.Value != "" {
				h.values = append(h.values, v)
			}
		},
		"resourcevalue": add(&h.loads, func() model.LoadValue { return q.loadValue("dominance") }),
		"queue":         add(&h.queues, q.readQueue),
		"job":           q.readJob,
	}
}

func (q *qhostReader) readHost() {
	h := &q.host
	*h = listedHost{name: q.attribute("name"), loads: h.loads[:0]}
	q.read(q.known)
	if h.name == "" {
		q.note(nil, fmt.Errorf("name: %w", errMissing))
	}
	if !q.settle("host", h.name) {
		return
	}
	host := q.cluster.host(h.name)
	host.Values, host.Load = h.values, q.cluster.loads.Keep(h.loads...)
	list := make([]string, len(h.queues))
	for n, i := range h.queues {
		q.addInstance(i)
		list[n] = i.Queue
	}
	q.lists = append(q.lists, list)
}

// readQueue reads a queue instance of a host.
func (q *qhostReader) readQueue() model.QueueInstance {
	i := model.QueueInstance{Queue: q.attribute("name"), Host: q.host.name, Listed: true}
	i.Name = i.Queue + "@" + i.Host
	for d := q.Depth(); q.Child(d); {
		if string(q.Name()) != "queuevalue" {
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
			q.r.Unknown(q.File, q.Line(), "queuevalue "+name, q.str())
		}
	}
	return i
}

// readJob reads a row of a running task. There is one row for each slot.
func (q *qhostReader) readJob() {
	number, err := strconv.ParseUint(q.attribute("name"), 10, 32)
	j := &model.Job{Number: uint32(number)}
	t := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, Enrolled: true}
	var instance string
	for d := q.Depth(); q.Child(d); {
		switch q.attribute("name") {
		case "qinstance_name":
			instance = q.str()
		case "job_name":
			j.Name = q.str()
		case "job_owner":
			j.Owner = q.str()
		case "job_state":
			t.State = q.str()
		case "taskid":
			if id, err := strconv.ParseUint(q.str(), 10, 32); err == nil && id > 0 {
				j.Array, t.IDs[0].Min, t.IDs[0].Max = true, uint32(id), uint32(id)
			}
		}
	}
	if err == nil {
		q.addSlot(j, t, instance)
	}
}

// addSlot adds a slot to its task, or adds a new task.
func (q *qhostReader) addSlot(row *model.Job, t model.Task, instance string) {
	j := q.jobs[row.Number]
	if j == nil {
		j = row
		q.jobs[row.Number] = j
	}
	at := slices.IndexFunc(j.Tasks, func(have model.Task) bool { return have.IDs[0] == t.IDs[0] })
	if at < 0 {
		at = len(j.Tasks)
		j.Tasks = append(j.Tasks, t)
	}
	task := &j.Tasks[at]
	task.Slots++
	for i := range task.Granted {
		if task.Granted[i].Instance == instance {
			task.Granted[i].Slots++
			return
		}
	}
	task.Granted = append(task.Granted, model.Grant{Instance: instance, Slots: 1})
}

// running returns the running jobs, with the data of their rows.
func (q *qhostReader) running() (list []model.Job) {
	for _, number := range slices.Sorted(maps.Keys(q.jobs)) {
		list = append(list, *q.jobs[number])
	}
	return list
}

// addInstance keeps the state of a queue instance, unless qstat -f has already shown it.
func (q *qhostReader) addInstance(got model.QueueInstance) {
	i, isNew := q.cluster.instance(got.Name)
	switch {
	case isNew:
		*i = got
	case !i.Listed:
		i.Listed, i.State, i.Used, i.Reserved = true, got.State, got.Used, got.Reserved
	}
}
