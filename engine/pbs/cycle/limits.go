package cycle

// overLimit says which limit keeps a job from running, with the jobs that run now or start before it ends.
func (w *world) overLimit(c *claim, every *[]failure) failure {
	if len(w.server.limits.hard) == 0 && len(c.queue.limits.hard) == 0 {
		return failure{}
	}
	server, queue := w.countsUntilEnd(c)
	subject := c.subject()
	var why failure
	for i := range limitTests {
		t := &limitTests[i]
		counts, limits := server, &w.server.limits
		if t.queue {
			counts, limits = queue, &c.queue.limits
		}
		f := t.reached(&subject, limits, counts, w.limited, c.queue.name)
		if !f.failed() {
			continue
		}
		if every == nil {
			return f
		}
		*every = append(*every, f)
		why = why.or(f)
	}
	return why
}

// countsUntilEnd are the highest counts from now until a job that starts now would end.
func (w *world) countsUntilEnd(c *claim) (server, queue *counts) {
	end := w.willEnd(c)
	if !w.calendar.startsBefore(end) {
		return &w.server.counts, &c.queue.counts
	}
	now, most := w.server.counts.duplicate(), w.server.counts.duplicate()
	queueNow, queueMost := c.queue.counts.duplicate(), c.queue.counts.duplicate()
	w.calendar.ahead(end, func(e *event) bool {
		if e.claim == c || e.claim.isReservation {
			return true
		}
		s := e.claim.subject()
		follow := func(now, most *counts) {
			if e.kind == endEvent {
				now.book(&s, w.limited, -1)
				return
			}
			now.book(&s, w.limited, 1)
			most.raise(&s, now)
		}
		if follow(&now, &most); e.claim.queue == c.queue {
			follow(&queueNow, &queueMost)
		}
		return true
	})
	return &most, &queueMost
}
