package migrate

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
)

// What is set of the objects of a PBS cluster: the attributes as qmgr prints them, and the fields that the
// engine reads. Both are always set together.

// defaults are what every cluster has that is made by a migration.
func defaults(t *Translation) {
	t.To.Release = model.Release{Product: "PBS", Version: "23.06.06"}
	t.To.PBS.Schedulers = []model.PBSScheduler{{Name: "default", PreemptQueuePrio: expressPriority,
		PreemptPrio:  "express_queue, normal_jobs",
		PreemptOrder: "S", PreemptSort: "min_time_since_start", Scheduling: true}}
	t.setServer("scheduling", "True")
	for _, option := range []string{"round_robin", "by_queue", "strict_ordering", "fair_share", "preemptive_sched"} {
		t.setSched(option, "False")
	}
}

// expressPriority is the priority from which a queue is express (preempt_queue_prio).
const expressPriority = 150

// setServer sets an attribute of the server.
func (t *Translation) setServer(name, value string) {
	s := &t.To.PBS.Server
	s.Attributes = put(s.Attributes, name, value)
	switch name {
	case "scheduling":
		s.Scheduling = value == "True"
	case "eligible_time_enable":
		s.EligibleTimeEnable = value == "True"
	case "backfill_depth":
		s.BackfillDepth = count(value)
	case "default_queue":
		s.DefaultQueue = value
	}
	if r, ok := strings.CutPrefix(name, "resources_available."); ok {
		s.Available = put(s.Available, r, value)
	}
}

// put sets the value of a name, at its place where it is there.
func put(list []model.Setting, name, value string) []model.Setting {
	for i := range list {
		if list[i].Name == name {
			list[i].Value = value
			return list
		}
	}
	return append(list, model.Setting{Name: name, Value: value})
}

func count(value string) model.Count {
	n, err := strconv.ParseInt(value, 10, 64)
	return model.Count{Set: err == nil, N: n}
}

// setQueue sets an attribute of a queue.
func setQueue(q *model.Queue, name, value string) {
	i := slices.IndexFunc(q.Attributes, func(a model.QueueAttribute) bool { return a.Name == name })
	if i < 0 {
		i = len(q.Attributes)
		q.Attributes = append(q.Attributes, model.QueueAttribute{Name: name})
	}
	q.Attributes[i].Default = value
	switch name {
	case "queue_type":
		q.PBS.Type = value
	case "Priority":
		q.PBS.Priority, _ = strconv.Atoi(value)
	case "enabled":
		q.PBS.Enabled = value == "True"
	case "started":
		q.PBS.Started = value == "True"
	}
	if r, ok := strings.CutPrefix(name, "resources_available."); ok {
		q.PBS.Available = put(q.PBS.Available, r, value)
	}
}

// queueNamed is a queue of the PBS cluster.
func (t *Translation) queueNamed(name string) *model.Queue { return queueIn(t.To.Queues, name) }

func queueIn(queues []model.Queue, name string) *model.Queue {
	i := slices.IndexFunc(queues, func(q model.Queue) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	return &queues[i]
}

// nodeNamed is a node of the PBS cluster.
func (t *Translation) nodeNamed(name string) *model.Host {
	if i, ok := t.made.nodes[name]; ok {
		return &t.To.Hosts[i]
	}
	return nil
}

// limitServer adds a limit to the server, limitQueue to a queue. The first limit of an entity stays, since
// Grid Engine goes by the first rule that fits.
func (t *Translation) limitServer(l model.Limit) string {
	s := &t.To.PBS.Server
	if addLimit(&s.Limits, l) {
		t.setServer(limitName(l), limitText(s.Limits, limitName(l)))
	}
	return "set server " + limitName(l) + " += " + limitItem(l)
}

func limitQueue(q *model.Queue, l model.Limit) string {
	if addLimit(&q.PBS.Limits, l) {
		setQueue(q, limitName(l), limitText(q.PBS.Limits, limitName(l)))
	}
	return "set queue " + q.Name + " " + limitName(l) + " += " + limitItem(l)
}

// newLimit is a limit of that amount.
func newLimit(attribute, resource, kind, entity, value string) model.Limit {
	n, _ := model.PBSAmount(value)
	return model.Limit{Attribute: attribute, Resource: resource, Kind: kind, Entity: entity, Value: value, Amount: n}
}

func addLimit(list *[]model.Limit, l model.Limit) bool {
	if slices.ContainsFunc(*list, func(old model.Limit) bool {
		return limitName(old) == limitName(l) && old.Kind == l.Kind && old.Entity == l.Entity
	}) {
		return false
	}
	*list = append(*list, l)
	return true
}

func limitName(l model.Limit) string {
	if l.Resource == "" {
		return l.Attribute
	}
	return l.Attribute + "." + l.Resource
}

// limitText is the value of a limit attribute: all its items.
func limitText(list []model.Limit, name string) string {
	var items []string
	for _, l := range list {
		if limitName(l) == name {
			items = append(items, limitItem(l))
		}
	}
	return strings.Join(items, ",")
}

func limitItem(l model.Limit) string {
	entity := l.Entity
	if strings.ContainsAny(entity, " \t,[]=@:\"'") {
		entity = `"` + entity + `"`
	}
	return "[" + l.Kind + ":" + entity + "=" + l.Value + "]"
}

// setSched sets an option of sched_config, for all times.
func (t *Translation) setSched(name, value string) {
	c := &t.To.PBS.SchedConfig
	value, prime := cutPrime(value)
	i := slices.IndexFunc(c.Lines, func(l model.SchedLine) bool { return l.Name == name })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, model.SchedLine{Name: name, Used: true})
	}
	c.Lines[i].Value, c.Lines[i].Prime = value, prime
	x := schedconfig.New()
	for _, l := range c.Lines {
		x.Line(model.SchedLine{Name: l.Name, Value: l.Value, Prime: l.Prime})
	}
	x.End()
	x.Config.Present = true
	*c, t.To.PBS.Fairshare.Policy = x.Config, x.Fairshare
}

// cutPrime takes the word for all times, and quotes, off an option's value.
func cutPrime(value string) (text, prime string) {
	text, prime = value, ""
	for _, word := range []string{"ALL", "all"} {
		if rest, ok := strings.CutSuffix(text, " "+word); ok {
			text, prime = strings.TrimSpace(rest), word
		}
	}
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		text = text[1 : len(text)-1]
	}
	return text, prime
}

// setScheduler sets an attribute of the scheduler object.
func (t *Translation) setScheduler(name, value string) {
	s := &t.To.PBS.Schedulers[0]
	s.Attributes = put(s.Attributes, name, value)
	switch name {
	case "scheduler_iteration":
		n, _ := strconv.Atoi(value)
		s.SchedulerIteration = time.Duration(n) * time.Second
	case "preempt_order":
		s.PreemptOrder = value
	case "preempt_prio":
		s.PreemptPrio = value
	case "preempt_queue_prio":
		s.PreemptQueuePrio, _ = strconv.Atoi(value)
	case "job_sort_formula":
		s.Formula = value
	case "log_events":
		s.LogEvents, _ = strconv.ParseInt(value, 10, 64)
	}
}
