package pbs

import (
	"qprism/engine/model"
	"qprism/importer/pbs/object"
)

var (
	servers = &kind{part: "server", Kind: object.Kind{
		Name: "Server", Key: "Server", Text: object.Text{Heads: []string{"Server:"}, Indent: 4}, Repeats: limitNames}}
	queues = &kind{part: "queues", Kind: object.Kind{
		Name: "Queue", Key: "Queue", Text: object.Text{Heads: []string{"Queue:"}, Indent: 4}, Repeats: limitNames}}
	schedulers = &kind{part: "schedulers", Kind: object.Kind{Name: "Sched"}}
	hooks      = &kind{part: "hooks", Kind: object.Kind{Name: "Hook"}}
)

// readServer reads the server from qstat -B -f or qmgr.
func readServer(r *reader) error {
	f := r.filler(servers)
	s := &r.pbs.Server
	to := withLimits(places{
		"scheduling":           &s.Scheduling,
		"eligible_time_enable": &s.EligibleTimeEnable,
		"backfill_depth":       &s.BackfillDepth,
		"node_group_enable":    &s.NodeGroupEnable,
		"node_group_key":       &s.NodeGroupKey,
		"job_sort_formula":     &s.Formula,
		"default_queue":        &s.DefaultQueue,
		"server_state":         &s.State,
		"server_host":          &s.Host,
		"resources_available":  &s.Available,
		"resources_assigned":   &s.Assigned,
		"pbs_version": func() {
			if r.Snap.Release.Version == "" {
				r.release(f.str())
			}
		},
	}, &s.Limits)
	return f.objects(func() {
		s.Name = f.rec.ID
		f.fillAll(to, &s.Attributes)
		if r.Snap.Cluster == "" {
			r.Snap.Cluster = s.Name
		}
		f.whole()
	})
}

// readQueues reads the queues from qstat -Q -f or qmgr, in the server's order.
func readQueues(r *reader) error {
	f := r.filler(queues)
	var q model.PBSQueue
	var attributes []model.Setting
	to := withLimits(places{
		"queue_type":          &q.Type,
		"Priority":            func() { q.Priority = queuePriority(f.str()) },
		"enabled":             &q.Enabled,
		"started":             &q.Started,
		"partition":           &q.Partition,
		"backfill_depth":      &q.BackfillDepth,
		"hasnodes":            &q.HasNodes,
		"node_group_key":      &q.NodeGroupKey,
		"reserve_ID":          &q.Reservation,
		"resv":                &q.Reservation,
		"resources_available": &q.Available,
		"resources_assigned":  &q.Assigned,
	}, &q.Limits)
	return f.objects(func() {
		q, attributes = model.PBSQueue{}, nil
		f.fillAll(to, &attributes)
		if !f.whole() {
			return
		}
		own := q
		queue := model.Queue{Name: r.Strings.Get([]byte(f.rec.ID)), PBS: &own}
		for _, a := range attributes {
			if ofTorque[a.Name] {
				r.Snap.System = model.Torque
				continue
			}
			queue.Attributes = append(queue.Attributes, model.QueueAttribute{Name: a.Name, Default: a.Value})
		}
		r.Snap.Queues = append(r.Snap.Queues, queue)
	})
}

// queuePriority returns the number that the scheduler reads from a priority. It is -1 for any other text.
func queuePriority(text string) int {
	n, err := parseInt(text)
	if err != nil || n != int64(int32(n)) {
		return -1
	}
	return int(n)
}

// readSchedulers reads the schedulers from qmgr.
func readSchedulers(r *reader) error {
	f := r.filler(schedulers)
	var s model.PBSScheduler
	to := places{
		"sched_host":                       &s.Host,
		"state":                            &s.State,
		"scheduling":                       &s.Scheduling,
		"partition":                        &s.Partition,
		"sched_cycle_length":               &s.CycleLength,
		"scheduler_iteration":              &s.SchedulerIteration,
		"log_events":                       &s.LogEvents,
		"throughput_mode":                  (*inverse)(&s.NoThroughput),
		"preempt_queue_prio":               &s.PreemptQueuePrio,
		"preempt_prio":                     &s.PreemptPrio,
		"preempt_order":                    &s.PreemptOrder,
		"preempt_sort":                     &s.PreemptSort,
		"sched_preempt_enforce_resumption": &s.EnforceResumption,
		"preempt_targets_enable":           (*inverse)(&s.NoPreemptTargets),
		"job_sort_formula":                 &s.Formula,
		"job_sort_formula_threshold":       &s.Threshold,
		"opt_backfill_fuzzy":               &s.Fuzzy,
		"do_not_span_psets":                &s.DoNotSpanSets,
		"only_explicit_psets":              &s.OnlyExplicitSets,
	}
	err := f.objects(func() {
		s = model.PBSScheduler{Name: f.rec.ID}
		f.fillAll(to, &s.Attributes)
		if f.whole() {
			r.pbs.Schedulers = append(r.pbs.Schedulers, s)
		}
	})
	r.nameScheduler()
	return err
}

// readHooks reads the hooks from qmgr. Their contents stay in the bundle.
func readHooks(r *reader) error {
	f := r.filler(hooks)
	return f.objects(func() {
		h := model.PBSHook{Name: f.rec.ID}
		f.fillAll(nil, &h.Attributes)
		r.pbs.Hooks = append(r.pbs.Hooks, h)
	})
}
