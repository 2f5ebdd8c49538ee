package qstat

import (
	"fmt"

	"qprism/engine/model"
)

// readQstatGC reads the output of qstat -g c -xml: cluster queues with the slots of all their instances
// together. It has no instances, hosts or jobs.
func readQstatGC(r *reader, _ *clusterTable) error {
	return r.readXML("qstat-gc.xml", func(x *xmlFile) {
		var q model.QueueSummary
		known := x.summaryElements(&q)
		x.read(elements{"cluster_queue_summary": func() {
			q = model.QueueSummary{Load: nan}
			x.read(known)
			if q.Queue == "" {
				x.note(nil, fmt.Errorf("name: %w", errMissing))
			}
			if x.settle("cluster queue", q.Queue) {
				r.Snap.Summaries = append(r.Snap.Summaries, q)
			}
		}})
	}, "job_info")
}

func (x *xmlFile) summaryElements(q *model.QueueSummary) elements {
	known := elements{
		"name":                put(&q.Queue, x.str),
		"load":                put(&q.Load, x.number),
		"used":                put(&q.Used, x.count),
		"resv":                put(&q.Reserved, x.count),
		"available":           put(&q.Available, x.count),
		"total":               put(&q.Total, x.count),
		"temp_disabled":       put(&q.Off, x.count),
		"manual_intervention": put(&q.Manual, x.count),
	}
	for _, name := range []string{ // columns of -ext: states in which slots cannot be used
		"suspend_manual", "suspend_threshold", "suspend_on_subordinate", "suspend_calendar", "unknown", "load_alarm",
		"disabled_manual", "disabled_calendar", "ambiguous", "orphaned", "error",
	} {
		known[name] = func() {
			if n := x.count(); n > 0 {
				q.States = append(q.States, model.Amount{Name: name, Value: float64(n)})
			}
		}
	}
	return known
}
