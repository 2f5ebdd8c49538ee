package ticket

import (
	"math"
	"slices"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// A decay says how much of each usage is left after a minute.
type decay struct {
	byName map[string]float64
	other  float64
}

// newDecay takes the half-lives of sched_conf(5): halftime for all names that halflife_decay_list does not have (Q24).
func newDecay(p *model.Policy, quirks model.Quirks) decay {
	constant := func(half time.Duration) float64 {
		minutes := half.Minutes()
		switch {
		case minutes < 0:
			return 0
		case minutes == 0:
			return 1
		case quirks.LinearDecay:
			return 1 - -math.Log(0.5)/(minutes*60)*60
		}
		return power(0.5, 1/minutes)
	}
	d := decay{byName: map[string]float64{}, other: constant(p.HalfTime)}
	for _, h := range p.HalfLives {
		d.byName[h.Name] = constant(h.Every)
	}
	if len(p.HalfLives) == 0 {
		d.byName["finished_jobs"] = constant(-time.Minute)
	}
	return d
}

// Kept is the fraction of usage that remains after one minute, by kind of usage. The empty name is for all
// other kinds.
func Kept(p *model.Policy, quirks model.Quirks) map[string]float64 {
	d := newDecay(p, quirks)
	d.byName[""] = d.other
	return d.byName
}

// usage decays a list of usage by a number of seconds.
func (d decay) usage(list []model.Amount, seconds int64) {
	for i := range list {
		c, ok := d.byName[list[i].Name]
		if !ok {
			c = d.other
		}
		list[i].Value *= power(c, float64(seconds)/60)
	}
}

// decayAccount decays an account's usage up to the moment of the run, once a pass. Long-term usage never decays (R34).
func (r *run) decayAccount(a *Account) {
	if a == nil || a.decayedIn == r.number {
		return
	}
	if a.stamp > 0 && r.second > a.stamp {
		r.decay.usage(a.Usage.Decayed, r.second-a.stamp)
		for i := range a.Projects {
			r.decay.usage(a.Projects[i].Decayed, r.second-a.stamp)
		}
	}
	a.stamp, a.decayedIn = r.second, r.number
	a.Usage.At = r.At.Truncate(time.Second)
}

func (r *run) decayAll() {
	if r.UsageBooked {
		return
	}
	for _, a := range r.users {
		r.decayAccount(a)
	}
	for _, a := range r.projects {
		r.decayAccount(a)
	}
}

// measureUsage sets the usage of every node from the usage of the users and projects that it stands for (R28).
func (r *run) measureUsage() {
	weights, sum := map[string]float64{}, 0.0
	for _, w := range r.policy.UsageWeights {
		weights[w.Name] = w.Value
		sum += w.Value
	}
	r.measureNode(r.tree, "", weights, sum)
}

func (r *run) measureNode(n *Node, project string, weights map[string]float64, sum float64) float64 {
	holder, isProject := r.holder(n, project)
	usage := 0.0
	for _, u := range r.usageOf(holder, project) {
		if w, ok := weights[u.Name]; ok && sum > 0 {
			usage += float64(u.Value * (w / sum))
		}
	}
	if isProject {
		project = n.Name
	}
	if len(n.Children) > 0 {
		children := 0.0
		for _, c := range n.Children {
			children += r.measureNode(c, project, weights, sum)
		}
		if !isProject {
			usage += children
		} else if rest := usage - children; rest > 1 {
			n.addToDefault(rest)
		}
	}
	n.Usage = usage
	return usage
}

// holder is the user or project whose usage a node shows: a leaf's user, else its project; of the inner nodes only
// those of projects have usage of their own.
func (r *run) holder(n *Node, project string) (a *Account, isProject bool) {
	switch user := r.userByName[n.Name]; {
	case len(n.Children) > 0 && project == "":
		p := r.projectByName[n.Name]
		return p, p != nil
	case len(n.Children) > 0:
		return nil, false
	case project != "" || user != nil:
		return user, false
	}
	return r.projectByName[n.Name], false
}

// usageOf is an account's usage, or its usage inside a project, decayed to the moment of the run. One that was never
// used keeps its time stamp.
func (r *run) usageOf(a *Account, project string) []model.Amount {
	if a == nil {
		return nil
	}
	list := &a.Usage.Decayed
	if project != "" {
		list = nil
		for i := range a.Projects {
			if a.Projects[i].Project == project {
				list = &a.Projects[i].Decayed
			}
		}
	}
	if list == nil || *list == nil {
		return nil
	}
	r.decayAccount(a)
	return *list
}

// addToDefault adds usage that none of a project's users has to all nodes on the way down to "default".
func (n *Node) addToDefault(rest float64) bool {
	for _, c := range n.Children {
		if c.Name == "default" || c.addToDefault(rest) {
			c.Usage += rest
			return true
		}
	}
	return false
}

// book adds what the running tasks of each job have used since they were last booked to the job's user and project; once
// a job (R33). The entries are those from the given one on.
func (r *run) book(entries []split.Entry, first int) {
	for i := range entries {
		refs := r.refs[r.bounds[first+i]:r.bounds[first+i+1]]
		if len(refs) == 0 {
			continue
		}
		user, project := refs[0].user, refs[0].project
		if r.Quirks.DecayAll {
			r.decayAccount(user)
			r.decayAccount(project)
		}
		if len(entries[i].Tasks) > 0 {
			r.bookEntry(&entries[i], user, project, nil, false)
		}
	}
}

// bookFinished books the jobs that ended since the last run.
func (r *run) bookFinished(finished, running []split.Entry) {
	still := map[*model.Job]*split.Entry{}
	for i := range running {
		still[running[i].Job] = &running[i]
	}
	for i := range finished {
		e := &finished[i]
		if len(e.Tasks) == 0 {
			continue
		}
		r.bookEntry(e, r.userByName[e.Job.Owner], r.projectByName[e.Job.Project], still[e.Job], true)
	}
}

// bookEntry books the usage of one job in one list; rest are its tasks that still run where it has finished ones.
func (r *run) bookEntry(e *split.Entry, user, project *Account, rest *split.Entry, finished bool) {
	holder := user
	if holder == nil {
		holder = project
	}
	if holder == nil {
		return
	}
	r.decayAccount(user)
	r.decayAccount(project)
	usage := jobUsage(e, finished)
	var ended []model.Amount
	if rest != nil {
		ended = append(ended, usage...)
		for _, u := range jobUsage(rest, false) {
			*entry(&usage, u.Name) += u.Value
		}
	}
	booked := holder.bookedUsage(e.Job.Number)
	r.addUsage(user, project, usage, booked)
	for _, u := range ended {
		v := entry(&usage, u.Name)
		*v = math.Max(*v-u.Value, 0)
	}
	if finished && rest == nil {
		usage = nil
	}
	holder.setBooked(e.Job.Number, usage)
}

// addUsage adds what is new in a job's usage to its user, or the user's part of its project, and to its project.
func (r *run) addUsage(user, project *Account, usage, booked []model.Amount) {
	var lists []*[]model.Amount
	if user != nil && project != nil {
		p := user.projectUsage(project.Name)
		lists = append(lists, &p.LongTerm, &p.Decayed)
	} else if user != nil {
		lists = append(lists, &user.Usage.LongTerm, &user.Usage.Decayed)
	}
	if project != nil {
		lists = append(lists, &project.Usage.LongTerm, &project.Usage.Decayed)
	}
	for _, l := range lists {
		if *l == nil {
			*l = []model.Amount{{Name: "cpu"}, {Name: "mem"}, {Name: "io"}}
		}
	}
	for _, u := range usage {
		added := math.Max(u.Value-*entry(&booked, u.Name), 0)
		for _, l := range lists {
			*entry(l, u.Name) += added
		}
	}
}

// entry is the value of that name in a list, appended as 0 where there is none.
func entry(list *[]model.Amount, name string) *float64 {
	for i := range *list {
		if (*list)[i].Name == name {
			return &(*list)[i].Value
		}
	}
	*list = append(*list, model.Amount{Name: name})
	return &(*list)[len(*list)-1].Value
}

// jobUsage sums the usage of a job's tasks by name; a finished task counts as one finished job.
func jobUsage(e *split.Entry, finished bool) []model.Amount {
	var sum []model.Amount
	for _, t := range e.Tasks {
		counted := !finished
		for _, u := range t.Usage {
			if summedUsage(u.Name) {
				*entry(&sum, u.Name) += u.Value
			}
			counted = counted || u.Name == "finished_jobs"
		}
		if !counted {
			*entry(&sum, "finished_jobs") += 1
		}
	}
	return sum
}

// summedUsage says whether usage of that name is booked.
func summedUsage(name string) bool {
	switch name {
	case "cpu", "io", "iow", "vmem", "mem", "finished_jobs":
		return true
	}
	return len(name) > 5 && name[:5] == "acct_" || len(name) > 3 && name[:3] == "ru_"
}

func (a *Account) projectUsage(project string) *model.ProjectUsage {
	for i := range a.Projects {
		if a.Projects[i].Project == project {
			return &a.Projects[i]
		}
	}
	a.Projects = append(a.Projects, model.ProjectUsage{Project: project})
	return &a.Projects[len(a.Projects)-1]
}

func (a *Account) bookedUsage(job uint32) []model.Amount {
	if i, booked := a.bookedPlaces()[job]; booked {
		return slices.Clone(a.Booked[i].Usage)
	}
	return []model.Amount{{Name: "cpu"}, {Name: "mem"}, {Name: "io"}}
}

func (a *Account) setBooked(job uint32, usage []model.Amount) {
	places := a.bookedPlaces()
	i, booked := places[job]
	if !booked {
		i = len(a.Booked)
		a.Booked, places[job] = append(a.Booked, model.JobUsage{Job: job}), i
	}
	a.Booked[i].Usage = usage
}

// bookedPlaces says where each job is in Booked. A search would be slow: thousands of jobs of a user can run.
func (a *Account) bookedPlaces() map[uint32]int {
	if a.bookedAt == nil {
		a.bookedAt = make(map[uint32]int, len(a.Booked))
		for i, b := range slices.Backward(a.Booked) {
			a.bookedAt[b.Job] = i
		}
	}
	return a.bookedAt
}
