package cluster

import "slices"

// OpenQueues divides the queue instances: some can start jobs, others can only get reservations. Both keep
// the order of the scheduler's list.
func (r *Cluster) OpenQueues(list []*Instance) {
	for _, q := range list {
		switch {
		case q.IsOpen():
			r.Queues = append(r.Queues, q)
			q.ExecHost.Instances = append(q.ExecHost.Instances, q)
		case q.isReservable():
			r.closed = append(r.closed, q)
		}
	}
}

// OpenClosed adds the closed instances after the open ones, for reservations (D20).
func (r *Cluster) OpenClosed() {
	for _, q := range r.closed {
		q.ExecHost.Instances = append(q.ExecHost.Instances, q)
	}
	r.Queues = append(r.Queues, r.closed...)
	r.closed = r.closed[:0]
}

// Close moves queue instances from the list of open ones to the list of closed ones. If keep is true for a
// queue instance, it stays open.
func (r *Cluster) Close(keep func(*Instance) bool) {
	r.Discard(func(q *Instance) bool {
		if keep(q) {
			return false
		}
		r.closed = append(r.closed, q)
		return true
	})
}

func (r *Cluster) leaveHost(q *Instance) {
	if i := slices.Index(q.ExecHost.Instances, q); i >= 0 {
		q.ExecHost.Instances = slices.Delete(q.ExecHost.Instances, i, i+1)
	}
}

// Discard removes the queue instances for which drop is true from the run.
func (r *Cluster) Discard(drop func(*Instance) bool) {
	r.Queues = slices.DeleteFunc(r.Queues, func(q *Instance) bool {
		out := drop(q)
		if out {
			r.leaveHost(q)
		}
		return out
	})
}

// CloseFull takes out queue instances without a free slot: first those that were full before, then the
// others.
func (r *Cluster) CloseFull() {
	r.Close(func(q *Instance) bool { return !q.full })
	r.Close(func(q *Instance) bool {
		q.full = q.IsFull()
		return !q.full
	})
}

// CloseOn is Close for the queue instances on the hosts of a task. It does not look at the others.
func (r *Cluster) CloseOn(task []Grant, keep func(*Instance) bool) {
	var leave []int // places in the list
	for _, q := range r.onHostsOf(task) {
		if !keep(q) {
			leave = append(leave, slices.Index(r.Queues, q))
		}
	}
	slices.Sort(leave)
	for n, i := range leave {
		i -= n // because n before it have left
		r.closed = append(r.closed, r.Queues[i])
		r.leaveHost(r.Queues[i])
		r.Queues = slices.Delete(r.Queues, i, i+1)
	}
}

// onHostsOf lists the open queue instances on the hosts of a task.
func (r *Cluster) onHostsOf(task []Grant) (list []*Instance) {
	for n, g := range task {
		earlier := slices.ContainsFunc(task[:n], func(e Grant) bool { return e.Queue.ExecHost == g.Queue.ExecHost })
		if !earlier {
			list = append(list, g.Queue.ExecHost.Instances...)
		}
	}
	return list
}

// CloseFullOn is CloseFull, if only queue instances on the hosts of a task can be full.
func (r *Cluster) CloseFullOn(task []Grant) {
	r.CloseOn(task, func(q *Instance) bool {
		q.full = q.IsFull()
		return !q.full
	})
}

// DropUnusable takes out queue instances that exceed a threshold or are disabled. Full ones, and those closed
// by their calendar, can still get reservations.
func (r *Cluster) DropUnusable() {
	r.Discard(func(q *Instance) bool { return r.Refuses(q, q.SuspendLimits, false) })
	r.Discard(func(q *Instance) bool { return r.Refuses(q, q.LoadLimits, true) })
	r.Close(func(q *Instance) bool { return !q.CalendarOff })
	r.Discard(func(q *Instance) bool { return q.Disabled })
	r.Close(func(q *Instance) bool {
		q.full = q.IsFull()
		return !q.full
	})
}

// Refuses reports whether a queue instance exceeds a threshold, and remembers which.
func (r *Cluster) Refuses(q *Instance, thresholds []Threshold, consumables bool) bool {
	why, exceeded := r.Alarm(q, thresholds, consumables)
	if exceeded {
		q.Excluded = why
	}
	return exceeded
}

// AnyQueue reports whether any queue instance can start jobs or, if the run reserves, get a reservation.
func (r *Cluster) AnyQueue() bool {
	return len(r.Queues) > 0 || r.OverTime && len(r.closed) > 0
}

// RankOf is the rank of a queue instance, less is better. It combines the place of the host and the queue's
// sequence number in the order of queue_sort_method.
func (r *Cluster) RankOf(q *Instance, hostSeq int) int64 {
	if r.Snapshot.Policy.QueueSort == "seqno" {
		return q.Seq<<32 + int64(hostSeq)
	}
	return int64(hostSeq)<<32 + q.Seq
}
