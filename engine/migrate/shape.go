package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// shapeOf is what a job would ask for.
func (x *mover) shapeOf(j *model.Job) shape {
	s := x.chunksOf(j)
	s.queue = x.queueOf(j)
	for _, r := range j.Hard {
		x.ask(&s, r)
	}
	x.defaultsOf(&s)
	x.quotasOf(&s, j)
	return s
}

// chunksOf are the chunks of a job's slots, by the rule of its parallel environment. Of a range it takes the least.
func (x *mover) chunksOf(j *model.Job) shape {
	s := shape{count: 1, cpus: 1, place: "free", slots: 1}
	if j.PE == "" || len(j.PERange) == 0 {
		return s
	}
	s.slots = max(1, int(j.PERange[0].Min))
	rule := "$pe_slots"
	for i := range x.From.PEs {
		if p := &x.From.PEs[i]; glob.Match(j.PE, p.Name) {
			rule = p.AllocationRule
			if r := x.made.peSlots[p.Name]; r != "" {
				s.add(r, strconv.Itoa(s.slots))
			}
			break
		}
	}
	switch n, err := strconv.Atoi(rule); {
	case rule == "$fill_up":
		s.count = s.slots
	case rule == "$round_robin":
		s.count = s.slots
		if s.slots <= len(x.To.Hosts) {
			s.place = "scatter"
		}
	case err == nil && n > 0:
		s.count, s.cpus, s.place = max(1, s.slots/n), n, "scatter"
	default:
		s.cpus = s.slots
	}
	return s
}

// add asks for a resource of the whole job.
func (s *shape) add(name, value string) {
	n, _ := model.PBSAmount(value)
	s.whole = append(s.whole, model.Request{Resource: name, Value: value, Amount: n})
}

// queueOf is the queue of a job: the one that it names, one that has what it asks for, else that of jobs
// that name none.
func (x *mover) queueOf(j *model.Job) string {
	patterns := slices.Clone(j.HardQueues)
	for _, r := range j.Hard {
		if e, ok := x.entryOf(r.Resource); ok && x.choosesQueue(e) {
			for _, c := range x.Submit.Choices {
				if c.Resource == e.name && isTrue(r.Value) {
					return c.Queue
				}
			}
		}
		if r.Resource == "qname" || r.Resource == "q" {
			patterns = append(patterns, r.Value)
		}
	}
	found := ""
	for _, q := range x.From.Queues {
		for _, p := range patterns {
			name, _, _ := strings.Cut(p, "@")
			if !glob.Match(cmp.Or(name, "*"), q.Name) {
				continue
			}
			if found != "" && found != q.Name {
				return x.Submit.Default
			}
			found = q.Name
		}
	}
	if found == "" {
		return x.Submit.Default
	}
	return x.queueName(found)
}

func isTrue(value string) bool {
	on, err := model.ParseBool(value)
	return err == nil && on
}

// ask adds a request of Grid Engine, where how says.
func (x *mover) ask(s *shape, r model.Request) {
	e, known := x.entryOf(r.Resource)
	value, ok := amount(e.kind, r.Value)
	if !known || e.name == "" || !ok || e.ge.Name == "slots" || x.choosesQueue(e) {
		return
	}
	switch x.how(e) {
	case model.PBSOfJob:
		s.add(e.name, value)
	case model.PBSOfSlots:
		s.add(e.name, times(value, s.slots))
	case model.PBSOfFirst:
		s.first = append(s.first, model.Setting{Name: e.name, Value: value})
		s.add(e.name, value)
	case model.PBSOfSlot:
		s.chunk = append(s.chunk, model.Setting{Name: e.name, Value: times(value, s.cpus)})
		s.add(e.name, times(value, s.slots))
	default:
		s.chunk = append(s.chunk, model.Setting{Name: e.name, Value: value})
	}
}

// times multiplies an amount as PBS writes it.
func times(value string, n int) string {
	i := 0
	for i < len(value) && (value[i] >= '0' && value[i] <= '9' || value[i] == '.') {
		i++
	}
	number, err := strconv.ParseFloat(value[:i], 64)
	if err != nil {
		return value
	}
	return strconv.FormatFloat(number*float64(n), 'f', -1, 64) + value[i:]
}

// defaultsOf adds what server, queue and hook give jobs that do not ask.
func (x *mover) defaultsOf(s *shape) {
	for _, q := range x.Submit.Slots {
		if q.Queue == s.queue {
			s.chunk = append(s.chunk, model.Setting{Name: q.Resource, Value: strconv.Itoa(s.cpus)})
		}
	}
	given := x.To.PBS.Server.Attributes
	if q := x.queueNamed(s.queue); q != nil {
		given = slices.Clone(given)
		for _, a := range q.Attributes {
			given = append(given, model.Setting{Name: a.Name, Value: a.Default})
		}
	}
	for _, a := range given {
		if r, ok := strings.CutPrefix(a.Name, "default_chunk."); ok {
			if _, has := model.Text(s.chunk, r); !has {
				s.chunk = append(s.chunk, model.Setting{Name: r, Value: a.Value})
			}
		}
		if r, ok := strings.CutPrefix(a.Name, "resources_default."); ok && !s.asks(r) {
			s.add(r, a.Value)
		}
	}
	if x.Submit.Soft > 0 && !s.asks("walltime") {
		s.add("soft_walltime", clockText(x.Submit.Soft))
	}
	s.add("ncpus", strconv.Itoa(s.count*s.cpus))
	s.add("nodect", strconv.Itoa(s.count))
}

// asks reports whether a job asks for a resource.
func (s *shape) asks(resource string) bool {
	return slices.ContainsFunc(s.whole, func(r model.Request) bool { return r.Resource == resource })
}

// quotasOf adds what quota rules count, as the hook does.
func (x *mover) quotasOf(s *shape, j *model.Job) {
	project := x.projectOf(j)
	for _, q := range x.Submit.Quotas {
		for _, r := range q.Rules {
			if !fits(r.Users, j.Owner, j.Group) || !fits(r.Projects, project, "") || !fits(r.Queues, s.queue, "") {
				continue
			}
			if i := slices.IndexFunc(s.whole, func(h model.Request) bool { return h.Resource == r.Of }); i >= 0 {
				s.add(r.Resource, s.whole[i].Value)
			}
			break
		}
	}
}

// fits reports whether a filter fits a name: an empty one everybody, another nobody without a name.
func fits(f model.PBSFilter, name, group string) bool {
	if len(f.Include)+len(f.Exclude) == 0 {
		return true
	}
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(n string) bool {
			return n == "*" || n == name || n == "@"+group && group != ""
		})
	}
	return name != "" && (len(f.Include) == 0 || in(f.Include)) && !in(f.Exclude)
}

// bookAll notes what running jobs have of nodes, queues and server.
func (x *mover) bookAll() {
	nodes := map[string]*model.Host{}
	for i := range x.to.Hosts {
		nodes[x.to.Hosts[i].Name] = &x.to.Hosts[i]
	}
	for i := range x.to.Jobs {
		j := &x.to.Jobs[i]
		if j.PBS.State != "R" {
			continue
		}
		for _, part := range strings.Split(strings.NewReplacer("(", "", ")", "").Replace(j.PBS.ExecVnode), "+") {
			words := strings.Split(part, ":")
			if n := nodes[words[0]]; n != nil {
				n.PBS.Jobs = append(n.PBS.Jobs, j.PBS.ID)
				for _, w := range words[1:] {
					name, value, _ := strings.Cut(w, "=")
					n.PBS.Assigned = more(n.PBS.Assigned, name, value)
				}
			}
		}
		for _, r := range j.Hard {
			if q := queueIn(x.to.Queues, j.PBS.Queue); q != nil {
				q.PBS.Assigned = more(q.PBS.Assigned, r.Resource, r.Value)
			}
			x.to.PBS.Server.Assigned = more(x.to.PBS.Server.Assigned, r.Resource, r.Value)
		}
	}
	for _, n := range nodes {
		total, _ := model.Text(n.Capacity, "ncpus")
		used, _ := model.Text(n.PBS.Assigned, "ncpus")
		has, _ := model.PBSAmount(total)
		if u, ok := model.PBSAmount(used); ok && used != "" && u >= has {
			n.PBS.State = []string{"job-busy"}
		}
	}
}

// more adds an amount to what is assigned; sizes are kilobytes.
func more(list []model.Setting, name, value string) []model.Setting {
	n, ok := model.PBSAmount(value)
	if !ok || strings.EqualFold(value, "true") || strings.EqualFold(value, "false") {
		return list
	}
	if old, has := model.Text(list, name); has {
		m, _ := model.PBSAmount(old)
		n += m
	}
	text := fmt.Sprint(int64(n))
	if strings.HasSuffix(value, "b") {
		text += "kb"
	}
	return put(slices.Clone(list), name, text)
}
