package sqlite

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing/fstest"
	"time"

	"qprism/engine/model"
)

// A fakeCluster makes snapshots and bundles of a cluster whose jobs come, wait and go. The waiting time contributes to
// the priority and the functional policy gives tickets, so that the values of every job change in every snapshot, which
// is the hardest case for a store. The files look like those of a real master.
type fakeCluster struct {
	rng   *rand.Rand
	now   time.Time
	last  uint32 // job number
	hosts int
	jobs  []model.Job
	load  []float64
}

func newFakeCluster(seed uint64, jobs, hosts int) *fakeCluster {
	c := &fakeCluster{
		rng: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1_700_000_000, 0).UTC(), last: 1000, hosts: hosts,
		load: make([]float64, hosts),
	}
	begin := c.now
	for i := range jobs {
		c.now = begin.Add(time.Duration(i-jobs) * 100 * time.Second)
		c.submit()
	}
	c.now = begin
	c.schedule(min(jobs/5, 4*hosts))
	return c
}

// step lets time pass: some jobs end, as many start and as many are submitted.
func (c *fakeCluster) step(pass time.Duration, churn int) {
	c.now = c.now.Add(pass)
	for range churn {
		if i := slices.IndexFunc(c.jobs, isRunning); i >= 0 {
			i = c.rng.IntN(i + 1 + c.running() - 1)
			c.jobs = slices.Delete(c.jobs, i, i+1)
		}
		c.submit()
	}
	c.schedule(churn)
}

func isRunning(j model.Job) bool { return len(j.Tasks[0].Granted) > 0 }

// running counts the running jobs, which come first.
func (c *fakeCluster) running() int {
	n := 0
	for n < len(c.jobs) && isRunning(c.jobs[n]) {
		n++
	}
	return n
}

func (c *fakeCluster) submit() {
	c.last++
	c.jobs = append(c.jobs, model.Job{
		Number: c.last, Name: fmt.Sprintf("run_%d.sh", c.rng.IntN(100000)),
		Owner: fmt.Sprintf("usr%d", c.rng.IntN(60)), Group: "users", Project: fmt.Sprintf("prj%d", c.rng.IntN(10)),
		Department: "defaultdepartment", Account: "sge", Submitted: c.now, Rerun: "0", Type: 64, Version: 1, Detailed: true,
		Hard: []model.Request{
			{Resource: "h_rt", Value: fmt.Sprint(3600 * (1 + c.rng.IntN(24))), Contribution: 0},
			{Resource: "mem_free", Value: "4G", Amount: 4 << 30, Contribution: 1000},
		},
		Tasks:    []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}},
		Reported: &model.JobReport{},
	})
}

// schedule starts the first waiting jobs and gives every job its priority, as qstat would print it.
func (c *fakeCluster) schedule(starts int) {
	running := c.running()
	for i := running; i < min(running+starts, len(c.jobs)); i++ {
		t := &c.jobs[i].Tasks[0]
		host := fmt.Sprintf("all.q@node%03d", c.rng.IntN(c.hosts))
		t.State, t.Enrolled, t.Started = "r", true, c.now.Add(-time.Duration(c.rng.IntN(60))*time.Second)
		t.Granted = []model.Grant{{Instance: host, Slots: 1}}
	}
	owned := map[string]int{}
	for _, j := range c.jobs {
		owned[j.Owner]++
	}
	most := c.now.Sub(slices.MinFunc(c.jobs, func(a, b model.Job) int {
		return a.Submitted.Compare(b.Submitted)
	}).Submitted)
	for i := range c.jobs {
		c.report(&c.jobs[i], owned, most)
	}
	slices.SortStableFunc(c.jobs, func(a, b model.Job) int {
		if isRunning(a) != isRunning(b) {
			return cmp.Compare(boolNumber(isRunning(b)), boolNumber(isRunning(a)))
		}
		if isRunning(a) {
			return cmp.Compare(a.Tasks[0].Granted[0].Instance, b.Tasks[0].Granted[0].Instance)
		}
		return cmp.Compare(b.Tasks[0].Reported.Prio, a.Tasks[0].Reported.Prio)
	})
	for i := range c.load {
		c.load[i] = printed(4*c.rng.Float64(), 2)
	}
}

func (c *fakeCluster) report(j *model.Job, owned map[string]int, most time.Duration) {
	waited := math.Floor(c.now.Sub(j.Submitted).Seconds() * 0.1)
	urgency := printed((1000+waited)/(1000+most.Seconds()*0.1), 5)
	j.Reported = &model.JobReport{NPPrior: 0.5, NUrg: urgency, Urg: math.NaN(), RRContr: 1000, WTContr: waited}
	tickets := math.Floor(1e6 / float64(60*owned[j.Owner]))
	t := &j.Tasks[0]
	t.Reported = &model.TaskReport{Prio: printed(0.5+0.1*urgency+0.01*tickets/16666, 5), NTckts: printed(tickets/16666, 5),
		Tckts: tickets, Ftckt: tickets, Share: printed(tickets/(1e6+float64(c.now.Unix()%977)), 5)}
	if isRunning(*j) {
		t.Usage = []model.Amount{{Name: "cpu", Value: c.now.Sub(t.Started).Seconds() * 0.97}, {Name: "mem", Value: 0.5}}
	}
}

// printed is a number as it is after printing it with so many digits.
func printed(v float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(v*p) / p
}

// snapshot is what the cluster's bundle says.
func (c *fakeCluster) snapshot() *model.Snapshot {
	s := &model.Snapshot{
		Cluster: "master/default", Release: model.Release{Product: "SGE", Version: "8.1.9"},
		TakenAt: c.now, Location: "+0200",
		Policy: model.Policy{Algorithm: "default", HalfTime: 168 * time.Hour, WeightUrgency: 0.1,
			WeightTicket: 0.01, Hierarchy: "OFS"},
		Managers:  []string{"root"},
		ShareTree: &model.ShareNode{Name: "Root", Shares: 1, Children: []*model.ShareNode{{Name: "default", Shares: 10}}},
		Config:    model.Config{Global: []model.Setting{{Name: "execd_spool_dir", Value: "/var/spool/gridengine/execd"}}},
		Has:       []string{"MANIFEST", "qstat.xml"}, Missing: []string{"schedule"},
	}
	for _, j := range c.jobs {
		j.Tasks = slices.Clone(j.Tasks)
		s.Jobs = append(s.Jobs, j)
	}
	for i := range c.hosts {
		name := fmt.Sprintf("node%03d", i)
		s.Hosts = append(s.Hosts, model.Host{Name: name, Capacity: []model.Setting{{Name: "slots", Value: "4"}},
			Load: []model.LoadValue{{Name: "load_avg", Dominance: "hl", Value: fmt.Sprintf("%.6f", c.load[i])},
				{Name: "num_proc", Dominance: "hl", Value: "4"}, {Name: "arch", Dominance: "hl", Value: "lx-amd64"}}})
		s.Instances = append(s.Instances, model.QueueInstance{Name: "all.q@" + name, Queue: "all.q", Host: name, Slots: 4,
			Type: "BATCH INTERACTIVE", Limits: []model.Setting{{Name: "h_rt", Value: "INFINITY"}}, Listed: true,
			Load: []model.LoadValue{{Name: "load_avg", Dominance: "hl", Value: fmt.Sprintf("%.6f", c.load[i])}}})
	}
	for _, j := range s.Jobs[:c.running()] {
		var host int
		fmt.Sscanf(j.Tasks[0].Granted[0].Instance, "all.q@node%d", &host)
		s.Instances[host].Used++
	}
	for i := range 60 {
		s.Users = append(s.Users, model.User{Name: fmt.Sprintf("usr%d", i), FunctionalShares: 100, Usage: model.Usage{
			At: c.now, Decayed: []model.Amount{{Name: "cpu", Value: 1e6 / float64(i+1) / float64(c.now.Unix()%1e6)}}}})
	}
	return s
}

// bundle is what the cluster's commands print.
func (c *fakeCluster) bundle() fs.FS {
	b := fstest.MapFS{}
	add := func(name string, text string) { b[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644} }
	add("MANIFEST", fmt.Sprintf("taken_at %d\nmaster master\ncell default\n", c.now.Unix()))
	add("qstat-help.txt", "SGE 8.1.9\n")
	add("sched_conf.txt", "algorithm                         default\nweight_urgency                    0.100000\n")
	add("qstat.xml", c.qstat())
	add("qstat-f.xml", c.qstatF())
	add("qstat-j.xml", c.qstatJ())
	add("qhost.xml", c.qhost())
	for i := range c.hosts {
		add(fmt.Sprintf("hosts/node%03d.txt", i), fmt.Sprintf("hostname              node%03d\nload_scaling          NONE\n"+
			"complex_values        slots=4\nuser_lists            NONE\nxuser_lists           "+
			"NONE\nprojects              NONE\n"+
			"xprojects             NONE\nusage_scaling         NONE\nreport_variables      NONE\n", i))
	}
	for i := range 60 {
		add(fmt.Sprintf("users/usr%d.txt", i),
			fmt.Sprintf("name usr%d\noticket 0\nfshare 100\ndelete_time %d\ndefault_project NONE\n",
				i, c.now.Unix()/7200))
	}
	return b
}

func (c *fakeCluster) qstat() string {
	var b bytes.Buffer
	b.WriteString("<?xml version='1.0'?>\n<job_info>\n  <queue_info>\n")
	for _, j := range c.jobs {
		writeJob(&b, j)
	}
	b.WriteString("  </queue_info>\n</job_info>\n")
	return b.String()
}

func (c *fakeCluster) qstatF() string {
	var b bytes.Buffer
	b.WriteString("<?xml version='1.0'?>\n<job_info>\n  <queue_info>\n")
	next := 0
	for i := range c.hosts {
		instance := fmt.Sprintf("all.q@node%03d", i)
		fmt.Fprintf(&b, "    <Queue-List>\n      <name>%s</name>\n      <qtype>BIP</qtype>\n      "+
			"<slots_total>4</slots_total>\n"+
			"      <load_avg>%.5f</load_avg>\n      <resource name=\"load_avg\" type=\"hl\">%.6f</resource>\n",
			instance, c.load[i], c.load[i])
		for ; next < c.running() && c.jobs[next].Tasks[0].Granted[0].Instance == instance; next++ {
			writeJob(&b, c.jobs[next])
		}
		b.WriteString("    </Queue-List>\n")
	}
	b.WriteString("  </queue_info>\n  <job_info>\n")
	for _, j := range c.jobs[next:] {
		writeJob(&b, j)
	}
	b.WriteString("  </job_info>\n</job_info>\n")
	return b.String()
}

func writeJob(b *bytes.Buffer, j model.Job) {
	t := j.Tasks[0]
	state, instance := "pending", ""
	when := fmt.Sprintf("<JB_submission_time>%s</JB_submission_time>", j.Submitted.Format("2006-01-02T15:04:05"))
	if isRunning(j) {
		state, instance = "running", t.Granted[0].Instance
		when = fmt.Sprintf("<JAT_start_time>%s</JAT_start_time>", t.Started.Format("2006-01-02T15:04:05"))
	}
	fmt.Fprintf(b, "    <job_list state=%q>\n      <JB_job_number>%d</JB_job_number>\n      <JAT_prio>%.5f</JAT_prio>\n"+
		"      <JAT_ntix>%.5f</JAT_ntix>\n      <JB_nppri>0.50000</JB_nppri>\n      <JB_nurg>%.5f</JB_nurg>\n"+
		"      <JB_rrcontr>1000</JB_rrcontr>\n      <JB_wtcontr>%.0f</JB_wtcontr>\n      <JB_dlcontr>0</JB_dlcontr>\n"+
		"      <JB_priority>0</JB_priority>\n      <JB_name>%s</JB_name>\n      <JB_owner>%s</JB_owner>\n"+
		"      <JB_project>%s</JB_project>\n      <JB_department>%s</JB_department>\n      <state>%s</state>\n      %s\n"+
		"      <tickets>%.0f</tickets>\n      <JB_override_tickets>0</JB_override_tickets>\n      "+
		"<JB_jobshare>0</JB_jobshare>\n"+
		"      <otickets>0</otickets>\n      <ftickets>%.0f</ftickets>\n      <stickets>0</stickets>\n  "+
		"    <JAT_share>%.5f</JAT_share>\n"+
		"      <queue_name>%s</queue_name>\n      <slots>1</slots>\n      <full_job_name>%s</full_job_name>\n"+
		"      <hard_request name=\"h_rt\" resource_contribution=\"0.000000\">%s</hard_request>\n"+
		"      <hard_request name=\"mem_free\" resource_contribution=\"1000.000000\">4G</hard_request>\n"+
		"      <binding>NONE</binding>\n    </job_list>\n",
		state, j.Number, t.Reported.Prio, t.Reported.NTckts, j.Reported.NUrg, j.Reported.WTContr, j.Name, j.Owner, j.Project,
		j.Department, t.State, when, t.Reported.Tckts, t.Reported.Ftckt, t.Reported.Share, instance, j.Name, j.Hard[0].Value)
}

// qstatJ prints jobs by number, as the master keeps them.
func (c *fakeCluster) qstatJ() string {
	var b bytes.Buffer
	b.WriteString("<?xml version='1.0'?>\n<detailed_job_info>\n  <djob_info>\n")
	jobs := slices.Clone(c.jobs)
	slices.SortFunc(jobs, func(a, b model.Job) int { return cmp.Compare(a.Number, b.Number) })
	for _, j := range jobs {
		fmt.Fprintf(&b, "    <element>\n      <JB_job_number>%d</JB_job_number>\n      <JB_ar>0</JB_ar>\n"+
			"      <JB_exec_file>job_scripts/%d</JB_exec_file>\n      <JB_submission_time>%d</JB_submission_time>\n"+
			"      <JB_owner>%s</JB_owner>\n      <JB_uid>1061</JB_uid>\n      <JB_project>%s</JB_project>\n"+
			"      <JB_job_name>%s</JB_job_name>\n", j.Number, j.Number, j.Submitted.Unix(), j.Owner, j.Project, j.Name)
		for _, r := range j.Hard {
			fmt.Fprintf(&b, "        <qstat_l_requests>\n          <CE_name>%s</CE_name>\n          "+
				"<CE_valtype>3</CE_valtype>\n"+
				"          <CE_stringval>%s</CE_stringval>\n          <CE_doubleval>%.6f</CE_doubleval>\n"+
				"          <CE_relop>0</CE_relop>\n          <CE_consumable>0</CE_consumable>\n"+
				"          <CE_pj_doubleval>0.000000</CE_pj_doubleval>\n          <CE_requestable>0</CE_requestable>\n"+
				"        </qstat_l_requests>\n", r.Resource, r.Value, r.Amount)
		}
		for _, variable := range []string{"HOME", "LOGNAME", "PATH", "SHELL", "HOST", "WORKDIR"} {
			fmt.Fprintf(&b, "        <job_sublist>\n          <VA_variable>__SGE_PREFIX__O_%s</VA_variable>\n"+
				"          <VA_value>/home/%s/%s</VA_value>\n        </job_sublist>\n", variable, j.Owner, variable)
		}
		t := j.Tasks[0]
		if isRunning(j) {
			fmt.Fprintf(&b, "        <ulong_sublist>\n          <JAT_status>128</JAT_status>\n          "+
				"<JAT_task_number>1</JAT_task_number>\n"+
				"          <JAT_start_time>%d</JAT_start_time>\n          <cpu>%.6f</cpu>\n        "+
				"</ulong_sublist>\n", t.Started.Unix(),
				t.Usage[0].Value)
		}
		b.WriteString("      <JB_cwd>/tmp</JB_cwd>\n      <JB_deadline>0</JB_deadline>\n      " +
			"<JB_execution_time>0</JB_execution_time>\n" +
			"      <JB_reserve>false</JB_reserve>\n      <JB_priority>1024</JB_priority>\n      <JB_restart>0</JB_restart>\n" +
			"      <JB_version>1</JB_version>\n      <JB_type>64</JB_type>\n    </element>\n")
	}
	b.WriteString("  </djob_info>\n</detailed_job_info>\n")
	return b.String()
}

func (c *fakeCluster) qhost() string {
	var b bytes.Buffer
	b.WriteString("<?xml version='1.0'?>\n<qhost>\n")
	for i, load := range c.load {
		fmt.Fprintf(&b, " <host name='node%03d'>\n   <hostvalue "+
			"name='arch_string'>lx-amd64</hostvalue>\n   <hostvalue name='num_proc'>4</hostvalue>\n"+
			"   <resourcevalue name='load_avg' dominance='hl'>%.6f</resourcevalue>\n </host>\n", i, load)
	}
	b.WriteString("</qhost>\n")
	return b.String()
}
