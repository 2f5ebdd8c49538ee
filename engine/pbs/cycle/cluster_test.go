package cycle_test

import (
	"fmt"
	"time"

	"qprism/engine/model"
)

// A complex is a made-up PBS complex for tests.
type complex struct {
	at     time.Time
	vnodes int
	ncpus  int
	mem    int // GB
	sched  func(*model.SchedConfig)
	jobs   []request
}

// A request is a job that waits in a made-up complex, or runs where vnode is set.
type request struct {
	user, queue   string
	priority      int
	chunks, ncpus int
	mem           int // GB of each chunk
	place         string
	walltime      int    // seconds, 0 for none
	vnode         string // exec_vnode of a running job
	started       time.Duration
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// resources are the resources that a PBS server knows of itself, as far as tests need them.
var resources = []model.Resource{
	{Name: "ncpus", Type: model.TypePBSLong, Flags: "hnq"}, {Name: "mem", Type: model.TypePBSSize, Flags: "hnq"},
	{Name: "walltime", Type: model.TypePBSTime}, {Name: "host", Type: model.TypePBSString, Flags: "h"},
	{Name: "vnode", Type: model.TypePBSString, Flags: "h"}, {Name: "gpus", Type: model.TypePBSLong, Flags: "hn"},
}

// snapshot is the complex as an importer would read it.
func (c complex) snapshot() *model.Snapshot {
	conf := model.SchedConfig{Resources: []string{"ncpus", "mem", "host", "vnode"}, PrimetimePrefix: "p_",
		NonprimetimePrefix: "np_", DedicatedPrefix: "ded"}
	conf.Prime.Backfill, conf.NonPrime.Backfill = true, true
	shares := model.DefaultFairsharePolicy()
	shares.UnknownShares = 10
	if c.sched != nil {
		c.sched(&conf)
	}
	s := &model.Snapshot{System: model.PBSSystem, TakenAt: c.at, Resources: resources, PBS: &model.PBS{
		Server: model.PBSServer{Name: "srv"}, SchedConfig: conf,
		Schedulers: []model.PBSScheduler{{Name: "default", PreemptQueuePrio: 150, PreemptPrio: "express_queue, normal_jobs",
			PreemptOrder: "SCR"}},
		Fairshare: model.Fairshare{Policy: shares},
	}}
	for _, q := range []struct {
		name     string
		priority int
	}{{"workq", 0}, {"fast", 50}, {"express", 200}} {
		s.Queues = append(s.Queues,
			model.Queue{Name: q.name, PBS: &model.PBSQueue{Type: "Execution", Priority: q.priority, Enabled: true,
				Started: true}})
	}
	for i := range c.vnodes {
		name := fmt.Sprintf("n%04d", i)
		s.Hosts = append(s.Hosts, model.Host{Name: name, Capacity: []model.Setting{
			{Name: "ncpus", Value: fmt.Sprint(c.ncpus)}, {Name: "mem", Value: fmt.Sprintf("%dgb", c.mem)},
			{Name: "host", Value: name},
			{Name: "vnode", Value: name},
		}, PBS: &model.PBSHost{State: []string{"free"}, Sharing: "default_shared"}})
	}
	for i, r := range c.jobs {
		s.Jobs = append(s.Jobs, r.job(uint32(i+1), c.at))
	}
	s.Hosts = occupied(s)
	return s
}

func (r request) job(number uint32, at time.Time) model.Job {
	if r.queue == "" {
		r.queue = "workq"
	}
	if r.user == "" {
		r.user = "alice"
	}
	chunks, ncpus := max(1, r.chunks), max(1, r.ncpus)
	spec := fmt.Sprintf("%d:ncpus=%d", chunks, ncpus)
	j := model.Job{Number: number, Owner: r.user, Group: r.user, Project: "_pbs_project_default",
		PosixPriority: r.priority}
	ask := func(name, value string) {
		amount, _ := model.PBSAmount(value)
		j.Hard = append(j.Hard, model.Request{Resource: name, Value: value, Amount: amount})
	}
	if r.mem > 0 {
		spec += fmt.Sprintf(":mem=%dgb", r.mem)
		ask("mem", fmt.Sprintf("%dgb", chunks*r.mem))
	}
	ask("ncpus", fmt.Sprint(chunks*ncpus))
	if r.walltime > 0 {
		ask("walltime", fmt.Sprintf("%d", r.walltime))
	}
	j.PBS = &model.PBSJob{ID: fmt.Sprintf("%d.srv", number), State: "Q", Queue: r.queue, Select: spec,
		SchedSelect: spec, Place: "free", QueueRank: int64(number)}
	if r.place != "" {
		j.PBS.Place = r.place
	}
	if r.vnode != "" {
		j.PBS.State, j.PBS.ExecVnode, j.PBS.Started = "R", r.vnode, at.Add(-r.started)
	}
	return j
}
