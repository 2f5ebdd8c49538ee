package listing

import "strings"

// queueColumns are the elements for the columns of qstat -g c. The columns of -ext show why slots cannot be
// used.
var queueColumns = map[string]string{"CQLOAD": "load", "USED": "used", "RES": "resv", "AVAIL": "available",
	"TOTAL":  "total",
	"aoACDS": "temp_disabled", "cdsuE": "manual_intervention"}

// stateColumns are the columns of -ext in their order. Their titles have one letter each.
var stateColumns = []string{"suspend_manual", "suspend_threshold", "suspend_on_subordinate",
	"suspend_calendar", "unknown", "load_alarm",
	"disabled_manual", "disabled_calendar", "ambiguous", "orphaned", "error"}

// clusterQueues is for qstat -g c, which prints a line for each cluster queue.
type clusterQueues struct{ columns []string }

func (q *clusterQueues) start() string { return "<job_info>" }
func (q *clusterQueues) end() string   { return "</job_info>\n" }

func (q *clusterQueues) line(text string) string {
	fields := strings.Fields(text)
	switch {
	case isRule(text):
		return ""
	case strings.HasPrefix(strings.TrimSpace(text), "CLUSTER QUEUE"):
		q.columns = q.names(fields[2:])
		return ""
	case len(fields) != len(q.columns)+1:
		return unknownLine(text)
	}
	out := element("name", fields[0])
	for i, name := range q.columns {
		if value := fields[i+1]; value != "-NA-" {
			out += element(name, strings.ReplaceAll(value, ",", "."))
		}
	}
	return around("cluster_queue_summary", out)
}

// names returns the elements for the columns.
func (q *clusterQueues) names(header []string) (names []string) {
	states := stateColumns
	for _, name := range header {
		switch {
		case queueColumns[name] != "":
			name = queueColumns[name]
		case len(name) == 1 && len(states) > 0:
			name, states = states[0], states[1:]
		}
		names = append(names, name)
	}
	return names
}
