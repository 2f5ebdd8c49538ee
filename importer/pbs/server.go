package pbs

import (
	"strings"

	"qprism/engine/model"
)

// readServer reads the server, its queues, schedulers and hooks.
func readServer(r *reader) error {
	for _, step := range []func(*reader) error{readServerObject, readQueues, readSchedulers, readHooks} {
		if err := step(r); err != nil {
			return err
		}
	}
	return nil
}

// readServerObject reads qstat -B -f, or what qmgr says of the server.
func readServerObject(r *reader) error {
	file := r.choose("server")
	f := &filler{reader: r, file: file}
	return r.eachConfigured(file, "Server", serverForm, r.shown("server", func(rec *record) error { return r.server(f, rec) }))
}

// eachConfigured reads objects from qstat, or in qmgr's list or print form, whichever the file's name says.
func (r *reader) eachConfigured(file, kind string, form textForm, each func(*record) error) error {
	base := file[strings.LastIndexByte(file, '/')+1:]
	switch {
	case strings.HasPrefix(base, "qmgr_l"):
		return r.eachText(file, listForm(kind), nil, each)
	case strings.HasPrefix(base, "qmgr_p"):
		return r.eachPrinted(file, strings.ToLower(kind), each)
	}
	return r.eachObject(file, kind, form, "", nil, each)
}

func (r *reader) server(f *filler, rec *record) error {
	f.rec, f.fault = rec, nil
	s := &r.pbs.Server
	s.Name = rec.id
	f.each(func(name string) {
		if !f.limits(name, &s.Limits) && !f.serverPolicy(name, s) {
			f.serverState(name, s)
		}
		s.Attributes = append(s.Attributes, f.setting())
	})
	if r.Snap.Cluster == "" {
		r.Snap.Cluster = s.Name
	}
	_, err := f.settle()
	return err
}

func (f *filler) serverPolicy(name string, s *model.PBSServer) bool {
	switch name {
	case "scheduling":
		s.Scheduling = f.bool()
	case "eligible_time_enable":
		s.EligibleTimeEnable = f.bool()
	case "backfill_depth":
		s.BackfillDepth = f.count()
	case "node_group_enable":
		s.NodeGroupEnable = f.bool()
	case "node_group_key":
		s.NodeGroupKey = f.str()
	case "job_sort_formula":
		s.Formula = f.str()
	case "default_queue":
		s.DefaultQueue = f.str()
	default:
		return false
	}
	return true
}

func (f *filler) serverState(name string, s *model.PBSServer) {
	switch name {
	case "server_state":
		s.State = f.str()
	case "server_host":
		s.Host = f.str()
	case "resources_available":
		s.Available = append(s.Available, f.resource())
	case "resources_assigned":
		s.Assigned = append(s.Assigned, f.resource())
	case "pbs_version":
		if f.Snap.Release.Version == "" {
			f.release(f.str())
		}
	}
}

// readQueues reads qstat -Q -f, or what qmgr says of the queues, in the server's order.
func readQueues(r *reader) error {
	file := r.choose("queues")
	f := &filler{reader: r, file: file}
	return r.eachConfigured(file, "Queue", queueForm, r.shown("queue", func(rec *record) error { return r.queue(f, rec) }))
}

func (r *reader) queue(f *filler, rec *record) error {
	f.rec, f.fault = rec, nil
	q := model.Queue{Name: r.Strings.Get([]byte(rec.id)), PBS: &model.PBSQueue{}}
	f.each(func(name string) {
		if ofTorque[name] {
			r.Snap.System = model.Torque
			return
		}
		if !f.limits(name, &q.PBS.Limits) {
			f.queueAttribute(name, q.PBS)
		}
		s := f.setting()
		q.Attributes = append(q.Attributes, model.QueueAttribute{Name: s.Name, Default: s.Value})
	})
	good, err := f.settle()
	if good {
		r.Snap.Queues = append(r.Snap.Queues, q)
	}
	return err
}

func (f *filler) queueAttribute(name string, q *model.PBSQueue) {
	switch name {
	case "queue_type":
		q.Type = f.str()
	case "Priority":
		q.Priority = queuePriority(f.str())
	case "enabled":
		q.Enabled = f.bool()
	case "started":
		q.Started = f.bool()
	case "partition":
		q.Partition = f.str()
	case "backfill_depth":
		q.BackfillDepth = f.count()
	case "hasnodes":
		q.HasNodes = f.bool()
	case "node_group_key":
		q.NodeGroupKey = f.str()
	case "reserve_ID", "resv":
		q.Reservation = f.str()
	case "resources_available":
		q.Available = append(q.Available, f.resource())
	case "resources_assigned":
		q.Assigned = append(q.Assigned, f.resource())
	}
}

// queuePriority is the number that the scheduler makes of a priority: -1 of what is none.
func queuePriority(text string) int {
	n, err := parseInt(text)
	if err != nil || n != int64(int32(n)) {
		return -1
	}
	return int(n)
}

// readSchedulers reads what qmgr says of the schedulers.
func readSchedulers(r *reader) error {
	file := r.choose("schedulers")
	f := &filler{reader: r, file: file}
	err := r.eachConfigured(file, "Sched", textForm{}, r.shown("sched", func(rec *record) error { return r.scheduler(f, rec) }))
	r.nameScheduler()
	return err
}

func (r *reader) scheduler(f *filler, rec *record) error {
	f.rec, f.fault = rec, nil
	s := model.PBSScheduler{Name: rec.id}
	f.each(func(name string) {
		if !f.schedObject(name, &s) && !f.schedPreemption(name, &s) {
			f.schedPolicy(name, &s)
		}
		s.Attributes = append(s.Attributes, f.setting())
	})
	good, err := f.settle()
	if good {
		r.pbs.Schedulers = append(r.pbs.Schedulers, s)
	}
	return err
}

func (f *filler) schedObject(name string, s *model.PBSScheduler) bool {
	switch name {
	case "sched_host":
		s.Host = f.str()
	case "state":
		s.State = f.str()
	case "scheduling":
		s.Scheduling = f.bool()
	case "partition":
		s.Partition = f.str()
	case "sched_cycle_length":
		s.CycleLength = f.duration()
	case "scheduler_iteration":
		s.SchedulerIteration = f.duration()
	case "log_events":
		s.LogEvents = f.int()
	case "throughput_mode":
		s.NoThroughput = !f.bool()
	default:
		return false
	}
	return true
}

func (f *filler) schedPreemption(name string, s *model.PBSScheduler) bool {
	switch name {
	case "preempt_queue_prio":
		s.PreemptQueuePrio = f.small()
	case "preempt_prio":
		s.PreemptPrio = f.str()
	case "preempt_order":
		s.PreemptOrder = f.str()
	case "preempt_sort":
		s.PreemptSort = f.str()
	case "sched_preempt_enforce_resumption":
		s.EnforceResumption = f.bool()
	case "preempt_targets_enable":
		s.NoPreemptTargets = !f.bool()
	default:
		return false
	}
	return true
}

func (f *filler) schedPolicy(name string, s *model.PBSScheduler) {
	switch name {
	case "job_sort_formula":
		s.Formula = f.str()
	case "job_sort_formula_threshold":
		s.Threshold = f.str()
	case "opt_backfill_fuzzy":
		s.Fuzzy = f.str()
	case "do_not_span_psets":
		s.DoNotSpanSets = f.bool()
	case "only_explicit_psets":
		s.OnlyExplicitSets = f.bool()
	}
}

// readHooks reads what qmgr says of the hooks. Their contents stay in the bundle.
func readHooks(r *reader) error {
	file := r.choose("hooks")
	f := &filler{reader: r, file: file}
	return r.eachConfigured(file, "Hook", textForm{}, r.shown("hook", func(rec *record) error {
		f.rec = rec
		h := model.PBSHook{Name: rec.id}
		f.each(func(string) { h.Attributes = append(h.Attributes, f.setting()) })
		r.pbs.Hooks = append(r.pbs.Hooks, h)
		return nil
	}))
}
