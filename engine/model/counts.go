package model

import (
	"maps"
	"slices"
	"strings"
)

// Counts are the numbers of jobs, tasks, hosts and so on in a snapshot.
type Counts struct {
	Jobs           int   // listed, including ended jobs that are still listed
	Running        int64 // tasks with a place, including suspended ones and those about to end
	Waiting        int64 // waiting tasks, including held ones and those in error; each task of a group
	Hosts          int   // execution hosts or vnodes
	Queues         int
	QueueInstances int // for Grid Engine
	Resources      int // complex entries; for PBS those that administrators defined
	ShareTreeNodes int // with the root; for PBS lines of resource_group
	Ended          int // ended tasks, from accounting or because they are still listed
}

func (s *Snapshot) Counts() Counts {
	c := Counts{Jobs: len(s.Jobs), QueueInstances: len(s.Instances), Hosts: len(s.hostNames()),
		Queues: len(s.queueNames())}
	c.Running, c.Waiting = CountTasks(s.Jobs)
	for i := range s.Resources {
		if !s.Resources[i].BuiltIn {
			c.Resources++
		}
	}
	c.ShareTreeNodes = s.ShareTree.size()
	c.Ended = len(s.Ended)
	if s.PBS != nil {
		c.ShareTreeNodes = len(s.PBS.Fairshare.Groups)
		c.Ended = len(s.endedIDs())
	}
	return c
}

// NotListed are the kinds of objects that no file of the bundle lists, so a count of 0 means "unknown": jobs,
// hosts, queue instances.
func (s *Snapshot) NotListed() (kinds []string) {
	if len(s.Jobs) == 0 && !slices.ContainsFunc(jobListings, s.HasFile) {
		kinds = append(kinds, "jobs")
	}
	if len(s.Hosts)+len(s.Instances) == 0 && !slices.ContainsFunc(hostListings, s.HasFile) {
		kinds = append(kinds, "hosts")
		if s.PBS == nil {
			kinds = append(kinds, "queue instances")
		}
	}
	return kinds
}

// The files that list jobs and hosts, of Grid Engine, then of PBS and Torque.
var (
	jobListings = []string{"qstat.xml", "qstat-f.xml", "qstat-j.xml", "qstat_f.json", "qstat_f.txt",
		"qstat_f.dsv", "qstat_x.xml"}
	hostListings = []string{"qstat-f.xml", "qhost.xml", "hosts/", "pbsnodes_av.json", "pbsnodes_av.txt", "pbsnodes_x.xml",
		"qmgr_list_node.txt", "qmgr_print_node.txt"}
)

// hostNames are the hosts, those that only their queue instances tell of among them.
func (s *Snapshot) hostNames() map[string]bool {
	names := map[string]bool{}
	for i := range s.Hosts {
		names[strings.ToLower(s.Hosts[i].Name)] = true
	}
	for i := range s.Instances {
		names[strings.ToLower(s.Instances[i].Host)] = true
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return name == GlobalHost && s.PBS == nil })
	return names
}

// queueNames are the queues, those that only their instances tell of among them.
func (s *Snapshot) queueNames() map[string]bool {
	names := map[string]bool{}
	for i := range s.Queues {
		names[s.Queues[i].Name] = true
	}
	for i := range s.Instances {
		names[s.Instances[i].Queue] = true
	}
	for i := range s.Summaries {
		names[s.Summaries[i].Queue] = true
	}
	return names
}

// size is the number of nodes of a tree.
func (n *ShareNode) size() int {
	if n == nil {
		return 0
	}
	size := 1
	for _, c := range n.Children {
		size += c.size()
	}
	return size
}

// endedIDs are the ids of PBS jobs and subjobs that have ended. An array is listed if none of its subjobs
// is.
func (s *Snapshot) endedIDs() map[string]bool {
	ids, arrays := map[string]bool{}, arraysOf(s.Jobs)
	for i := range s.PBS.Accounting {
		r := &s.PBS.Accounting[i]
		if id, _ := ParsePBSID(r.ID); r.Type == "E" && (!id.Array || id.Subjob) {
			ids[r.ID] = true
		}
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && j.PBS.Over() && !arrays.subjobs[j.PBS.ID] {
			ids[j.PBS.ID] = true
		}
	}
	return ids
}

// CountEnded counts the ended tasks in the accounting file.
func (s *Snapshot) CountEnded() int {
	n := len(s.Ended)
	if s.PBS != nil {
		for i := range s.PBS.Accounting {
			if s.PBS.Accounting[i].Type == "E" {
				n++
			}
		}
	}
	return n
}

// Over reports whether a job has ended and is listed for its history: finished, expired; for Torque,
// completed.
func (j *PBSJob) Over() bool { return j.State == "F" || j.State == "X" || j.State == "C" }

// CountTasks counts running and waiting tasks, each task of a group.
func CountTasks(jobs []Job) (running, waiting int64) {
	arrays := arraysOf(jobs)
	for i := range jobs {
		j := &jobs[i]
		if j.PBS != nil {
			r, w := arrays.tasks(j)
			running, waiting = running+r, waiting+w
		}
		for k := range j.Tasks {
			if t := &j.Tasks[k]; t.Pending() {
				waiting += t.count()
			} else {
				running += t.count()
			}
		}
	}
	return running, waiting
}

// pbsArrays say of the arrays of a listing of PBS what tells of the subjobs that wait.
type pbsArrays struct {
	remaining map[string]bool // the array itself is listed, and says which have not started
	subjobs   map[string]bool // subjobs are listed
}

func arraysOf(jobs []Job) pbsArrays {
	a := pbsArrays{map[string]bool{}, map[string]bool{}}
	for i := range jobs {
		switch p := jobs[i].PBS; {
		case p == nil:
		case jobs[i].Array:
			a.remaining[p.ID] = len(p.ArrayRemaining) > 0
		case p.Array != "":
			a.subjobs[p.Array] = true
		}
	}
	return a
}

// tasks counts a job, or of an array the subjobs that have not started: those that have are jobs of their
// own. Torque lists the subjobs that wait without their array, or the array alone.
func (a pbsArrays) tasks(j *Job) (running, waiting int64) {
	p := j.PBS
	waits := p.State != "" && strings.Contains("QHWT", p.State)
	switch {
	case p.Over():
	case j.Array && waits && !a.remaining[p.ID] && !a.subjobs[p.ID]:
		return 0, int64(max(CountOf(j.Structure), 1)) // a table does not say how many
	case j.Array:
		return 0, int64(CountOf(p.ArrayRemaining))
	case p.State != "" && strings.Contains("RESU", p.State): // S and U are suspended, and keep their place
		return 1, 0
	case waits && !a.remaining[p.Array]:
		return 0, 1
	}
	return 0, 0
}

// Pending reports whether a task waits in the queue, by its state as qstat prints it: qw, hqw, Eqw, hRwq …
func (t *Task) Pending() bool { return strings.ContainsAny(t.State, "qw") }

func (t *Task) count() int64 { return int64(max(CountOf(t.IDs), 1)) }
