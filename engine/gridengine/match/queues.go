package match

import (
	"strings"

	"qprism/engine/model"
)

// A QueueList is a list of queues as for -q and -masterq: "queue", "queue@host" or "queue@@group". Each part
// is an expression. The list selects whatever one of its entries selects.
type QueueList struct {
	entries []queueEntry
}

type queueEntry struct {
	queue    Pattern
	anywhere bool // no host part
	hosts    HostSet
}

// NewQueueList reads the entries of a list.
func NewQueueList(entries []string, hosts Hosts) QueueList {
	var l QueueList
	for _, text := range entries {
		queue, host, hasHost := strings.Cut(text, "@")
		e := queueEntry{queue: New(model.TypeString, queue), anywhere: !hasHost}
		if hasHost {
			e.hosts = hosts.Set(host)
		}
		l.entries = append(l.entries, e)
	}
	return l
}

// Empty reports whether the list has no entry. An empty list is no request; it selects nothing.
func (l QueueList) Empty() bool { return len(l.entries) == 0 }

// Cluster reports whether the list selects a cluster queue on any host.
func (l QueueList) Cluster(queue string) bool {
	for _, e := range l.entries {
		if e.queue.Match(queue) == Matches {
			return true
		}
	}
	return false
}

// Instance reports whether the list selects a queue on a host.
func (l QueueList) Instance(queue, host string) bool {
	for _, e := range l.entries {
		if e.queue.Match(queue) == Matches && e.on(host) {
			return true
		}
	}
	return false
}

// Host reports whether the list selects any queue on a host.
func (l QueueList) Host(host string) bool {
	for _, e := range l.entries {
		if e.on(host) {
			return true
		}
	}
	return false
}

func (e queueEntry) on(host string) bool { return e.anywhere || e.hosts.Has(host) }
