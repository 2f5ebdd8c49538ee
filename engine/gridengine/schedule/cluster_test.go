package schedule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/gridengine/memory"
	"qprism/engine/model"
)

var noon = time.Unix(2_000_000, 0).UTC()

// lab is a cluster in which a test plans one run after the other.
type lab struct {
	*model.Snapshot
	memory memory.Memory
}

// newLab has hosts a, b, c …, each with one instance of all.q, a number of slots each.
func newLab(hosts, slots int) *lab {
	s := &model.Snapshot{Policy: model.Policy{QueueSort: "seqno", LoadFormula: "np_load_avg",
		DefaultDuration:  1000 * time.Second,
		ScheduleInterval: 15 * time.Second, MaxReservation: 20, WeightPriority: 1, MaxPendingTasks: 50,
		MaxFunctionalJobs: 200,
		Params:            []model.Setting{{Name: "DURATION_OFFSET", Value: "0"}}},
		Resources: []model.Resource{
			{Name: "slots", Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost,
				Requestable: model.RequestYes, Consumable: model.ConsumeYes,
				Default: "1"},
			{Name: "h_rt", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestYes,
				Consumable: model.ConsumeNo},
			{Name: "s_rt", Type: model.TypeTime, Relop: model.AtMost, Requestable: model.RequestYes,
				Consumable: model.ConsumeNo},
			{Name: "np_load_avg", Type: model.TypeDouble, Relop: model.AtLeast, Requestable: model.RequestYes,
				Consumable: model.ConsumeNo}}}
	for i := range hosts {
		name := string(rune('a' + i))
		s.Hosts = append(s.Hosts, model.Host{Name: name})
		s.Instances = append(s.Instances, model.QueueInstance{Name: "all.q@" + name, Queue: "all.q", Host: name, Slots: slots,
			Type: "BATCH INTERACTIVE",
			PEs:  []string{"mpi", "mpi2"}, Listed: true, Limits: []model.Setting{{Name: "h_rt", Value: "INFINITY"},
				{Name: "s_rt", Value: "INFINITY"}}})
	}
	return &lab{Snapshot: s}
}

// consumable adds a resource, and how much of it the cluster as a whole has.
func (l *lab) consumable(name, total string, kind model.Consumable) *lab {
	l.Resources = append(l.Resources, model.Resource{Name: name, Type: model.TypeInt, Relop: model.AtMost,
		Requestable: model.RequestYes,
		Consumable:  kind, Default: "0"})
	if total != "" {
		l.Hosts = append(l.Hosts, model.Host{Name: model.GlobalHost, Capacity: []model.Setting{{Name: name, Value: total}}})
	}
	return l
}

func (l *lab) pe(name, rule string, slots int) *lab {
	l.PEs = append(l.PEs, model.PE{Name: name, AllocationRule: rule, Slots: slots})
	return l
}

// submit adds a pending job: "-l license=4,h_rt=90 -R y -pe mpi 2-4 -t 1-3 -p 10".
func (l *lab) submit(options string) *model.Job {
	n := uint32(len(l.Jobs) + 1)
	j := model.Job{Number: n, Owner: "u", Submitted: noon.Add(time.Duration(n)*time.Second - time.Hour), Detailed: true,
		PosixPriority: -int(n)}
	tasks := model.Range{Min: 1, Max: 1, Step: 1}
	words := strings.Fields(options)
	for i := 0; i+1 < len(words); i += 2 {
		switch value := words[i+1]; words[i] {
		case "-l":
			j.Hard = requests(value)
		case "-master":
			j.MasterScope = &model.Scope{Hard: requests(value)}
		case "-slave":
			j.SlaveScope = &model.Scope{Hard: requests(value)}
		case "-slaveq":
			j.SlaveScope = &model.Scope{HardQueues: strings.Split(value, ",")}
		case "-soft":
			j.Soft = requests(value)
		case "-R":
			j.Reserve = value == "y"
		case "-p":
			fmt.Sscan(value, &j.PosixPriority)
		case "-u":
			j.Owner = value
		case "-q":
			j.HardQueues = strings.Split(value, ",")
		case "-masterq":
			j.MasterQueues = strings.Split(value, ",")
		case "-t":
			fmt.Sscanf(value, "%d-%d", &tasks.Min, &tasks.Max)
			j.Array = true
		case "-pe":
			j.PE = value
			var r model.Range
			if n, _ := fmt.Sscanf(words[i+2], "%d-%d", &r.Min, &r.Max); n == 1 {
				r.Max = r.Min
			}
			r.Step = 1
			j.PERange = []model.Range{r}
			i++
		}
	}
	j.Structure = []model.Range{tasks}
	j.Tasks = []model.Task{{IDs: []model.Range{tasks}, State: "qw", Slots: 1}}
	l.Jobs = append(l.Jobs, j)
	return &l.Jobs[len(l.Jobs)-1]
}

func requests(text string) (list []model.Request) {
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		amount, _ := model.ParseNumber(value)
		list = append(list, model.Request{Resource: name, Value: value, Amount: amount})
	}
	return list
}

// runs adds a job that started before noon: "all.q@a=2".
func (l *lab) runs(ago time.Duration, options string, grants ...string) *model.Job {
	j := l.submit(options)
	t := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r", Enrolled: true,
		Started: noon.Add(-ago), PE: j.PE}
	for _, text := range grants {
		g := model.Grant{Slots: 1}
		g.Instance, _, _ = strings.Cut(text, "=")
		fmt.Sscanf(text, g.Instance+"=%d", &g.Slots)
		t.Granted = append(t.Granted, g)
		t.Slots += g.Slots
		for i := range l.Instances {
			if l.Instances[i].Name == g.Instance {
				l.Instances[i].Used += g.Slots
			}
		}
	}
	j.Tasks = []model.Task{t}
	return j
}

func (l *lab) plan(q model.Quirks) *model.Plan {
	return Run(l.Snapshot, Options{At: noon, Quirks: q, Memory: &l.memory})
}

// story tells what becomes of each job, in the order of the plan: "1 starts on a; 2 is reserved for on b at +90".
func story(p *model.Plan) string {
	var parts []string
	for _, d := range p.Decisions {
		name := fmt.Sprint(d.Job)
		if d.Tasks[0].Min != 1 || d.Tasks[0].Max != 1 {
			name += "." + fmt.Sprint(d.Tasks[0].Min)
		}
		switch d.Verdict {
		case model.Now:
			parts = append(parts, name+" starts on "+places(d.Slots))
		case model.Later:
			at := fmt.Sprintf("at %d", d.Start.Unix())
			if d.Start.Unix() >= noon.Unix() {
				at = fmt.Sprintf("at +%d", d.Start.Unix()-noon.Unix())
			}
			parts = append(parts, name+" is reserved for on "+places(d.Slots)+" "+at)
		default:
			parts = append(parts, name+" waits")
		}
	}
	return strings.Join(parts, "; ")
}

func places(grants []model.Grant) string {
	var parts []string
	for _, g := range grants {
		host := strings.TrimPrefix(g.Instance, "all.q@")
		if g.Slots > 1 {
			host = fmt.Sprintf("%s×%d", host, g.Slots)
		}
		parts = append(parts, host)
	}
	return strings.Join(parts, "+")
}

// without is a profile without one of its quirks.
func without(id string) model.Quirks { return compat.Without("8.1.9", id) }

// expect plans a run and compares what becomes of the jobs.
func expect(t *testing.T, what string, l *lab, q model.Quirks, want string) *model.Plan {
	t.Helper()
	p := l.plan(q)
	if got := story(p); got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
	return p
}

func kinds(why []model.Reason) string {
	var list []string
	for _, r := range why {
		list = append(list, string(r.Kind))
	}
	slices.SortFunc(list, cmp.Compare[string])
	return strings.Join(slices.Compact(list), ", ")
}
