package gridengine

import (
	"fmt"

	"qprism/engine/model"
)

// readQstatGC reads what qstat -g c -xml printed: cluster queues with the slots of all their instances together. It tells neither instances
// nor hosts nor jobs.
func readQstatGC(r *reader, _ *clusterTable) error {
	return r.readXML("qstat-gc.xml", func(x *xmlFile) error {
		for x.child(1) {
			if string(x.name()) != "cluster_queue_summary" {
				x.unknown()
				continue
			}
			q, err := x.queueSummary()
			if err != nil {
				return err
			}
			if q.Queue != "" {
				r.Snap.Summaries = append(r.Snap.Summaries, q)
			}
		}
		return x.err
	}, "job_info")
}

// ofStates are the elements of -ext: the states that slots are off for.
var ofStates = elements("suspend_manual", "suspend_threshold", "suspend_on_subordinate", "suspend_calendar", "unknown", "load_alarm",
	"disabled_manual", "disabled_calendar", "ambiguous", "orphaned", "error")

// queueSummary reads one cluster queue; of one that cannot be read the name is empty.
func (x *xmlFile) queueSummary() (model.QueueSummary, error) {
	q := model.QueueSummary{Load: nan}
	counts := map[string]*int{"used": &q.Used, "resv": &q.Reserved, "available": &q.Available, "total": &q.Total,
		"temp_disabled": &q.Off, "manual_intervention": &q.Manual}
	for d := x.depth(); x.child(d); {
		switch name := string(x.name()); {
		case name == "name":
			q.Queue = x.str()
		case name == "load":
			q.Load = x.number()
		case counts[name] != nil:
			*counts[name] = x.count()
		case ofStates[name]:
			if n := x.count(); n > 0 {
				q.States = append(q.States, model.Amount{Name: name, Value: float64(n)})
			}
		default:
			x.unknown()
		}
	}
	if q.Queue == "" {
		x.note(nil, fmt.Errorf("name: %w", errMissing))
	}
	good, err := x.settle("cluster queue", q.Queue)
	if !good {
		return model.QueueSummary{}, err
	}
	return q, nil
}
