package listing

import "strings"

// qstatLists are the lists of qstat, with the part of the XML form for each.
var qstatLists = map[string]string{"queues": "queue_info", "jobs_running": "queue_info", "jobs_pending": "job_info",
	"jobs_error": "job_info", "jobs_finished_retained": "job_info", "jobs_finished": "job_info"}

var jsonQstat = jsonForm{root: "job_info", lists: qstatLists, entry: func(list string, entry value) string {
	if list == "queues" {
		return instanceOf(entry)
	}
	return jobRow(list, entry)
}}

// ofInstance are the words of a queue instance. Alarms are missing, because the state shows them.
var ofInstance = map[string]string{"name": "name", "qtype": "qtype", "slots_used": "slots_used",
	"slots_resv":  "slots_resv",
	"slots_total": "slots_total", "arch": "arch", "state": "state", "load_alarm_reason": "",
	"suspend_alarm_reason": "", "message": ""}

// instanceOf writes a queue instance with its jobs.
func instanceOf(entry value) string {
	out := ""
	for _, m := range entry.members {
		text, known := worded(ofInstance, m)
		switch {
		case known:
			out += text
		case m.key == "load_avg" && entry.get("arch").text == "": // without a known load, 0 is printed
		case m.key == "load_avg":
			out += element("load_avg", m.text)
		case m.key == "queue_resources":
			for _, r := range m.members {
				out += element("resource", r.text, "name", r.key)
			}
		case qstatLists[m.key] != "" && !m.isWord:
			for _, j := range m.members {
				out += jobRow(m.key, j)
			}
		default:
			out += strange(m)
		}
	}
	return around("Queue-List", out)
}

// ofRow are the words of a job's row.
var ofRow = map[string]string{"job_number": "JB_job_number", "prio": "JAT_prio", "ntckts": "JAT_ntix",
	"ntix": "JAT_ntix",
	"nurg": "JB_nurg",
	"urg":  "JB_urg", "rrcontr": "JB_rrcontr", "wtcontr": "JB_wtcontr", "dlcontr": "JB_dlcontr", "nppri": "JB_nppri",
	"priority": "JB_priority", "name": "JB_name", "owner": "JB_owner", "project": "JB_project",
	"department": "JB_department",
	"state":      "state", "start_time": "JAT_start_time", "submission_time": "JB_submission_time",
	"deadline":   "JB_deadline",
	"queue_name": "queue_name",
	"cpu_usage":  "cpu_usage", "mem_usage": "mem_usage", "io_usage": "io_usage", "tickets": "tickets",
	"override_tickets": "JB_override_tickets", "jobshare": "JAT_share", "otickets": "otickets", "ftickets": "ftickets",
	"stickets": "stickets", "master": "master", "slots": "slots", "tasks": "tasks", "stat": ""}

// jobLists are the lists of a row, except requests.
var jobLists = map[string]string{"global_hard_queue": "hard_req_queue", "global_soft_queue": "soft_req_queue",
	"master_hard_queue":      "master_hard_req_queue",
	"predecessors_requested": "predecessor_jobs_req", "predecessors": "predecessor_jobs",
	"ad_predecessors_requested": "ad_predecessor_jobs", "ad_predecessors": "ad_predecessor_jobs"}

// jobRow writes a job's row in one of the lists.
func jobRow(list string, entry value) string {
	state := map[string]string{"jobs_running": "running", "jobs_finished": "zombie",
		"jobs_finished_retained": "zombie"}[list]
	if state == "" {
		state = "pending"
	}
	out, subtask := "", false
	for _, m := range entry.members {
		text, known := worded(ofRow, m)
		subtask = subtask || m.key == "task_id" // a task that the job started; its usage follows
		switch {
		case subtask && strings.HasSuffix(m.key, "_usage"), m.key == "task_id":
		case m.isWord && m.text == "" && m.key != "name":
		case known:
			out += text
		case jobLists[m.key] != "":
			for _, name := range m.words() {
				out += element(jobLists[m.key], name)
			}
		default:
			out += requestsOf(m)
		}
	}
	return begin("job_list", "state", state) + out + "</job_list>"
}

// requestsOf writes the requests of a job.
func requestsOf(m value) (out string) {
	scope, list, _ := strings.Cut(m.key, "_")
	switch {
	case m.key == "requested_pe":
		return element(m.key, m.get("pe_range").text, "name", m.get("pe_name").text)
	case m.key == "granted_pe":
		return element(m.key, m.get("slots").text, "name", m.get("pe_name").text)
	case m.key == "requested_binding":
		return element("binding", boundTo(m))
	case scope == "default":
		return ""
	case list == "hard_request" || list == "soft_request":
		tag := strings.TrimPrefix(m.key, "global_")
		for _, r := range m.members {
			out += element(tag, r.get("value").text, "name", r.get("name").text,
				"resource_contribution", r.get("utilization_contribution").text)
		}
		return out
	}
	return strange(m)
}

// jsonQueues is qstat -g c: a list of cluster queues.
var jsonQueues = jsonForm{root: "job_info", lists: map[string]string{"queues": ""},
	entry: func(_ string, entry value) (out string) {
		for _, m := range entry.members {
			out += element(m.key, m.text)
		}
		return around("cluster_queue_summary", out)
	}}

// jsonHosts is qhost, with -q, -F and -j or without.
var jsonHosts = jsonForm{root: "qhost", lists: map[string]string{"hosts": ""},
	entry: func(_ string, host value) (out string) {
		for _, m := range host.members {
			switch m.key {
			case "name":
			case "queues":
				for _, q := range m.members {
					out += queueBelow(q, host.get("name").text)
				}
			case "resources":
				for _, r := range m.members {
					out += element("resourcevalue", r.get("value").text, "name", r.get("name").text,
						"dominance", r.get("dominance").text)
				}
			case "jobs":
				out += tasksBelow(m, "")
			default:
				out += element("hostvalue", m.text, "name", m.key)
			}
		}
		return begin("host", "name", host.get("name").text) + out + "</host>"
	}}

// queueBelow is a queue instance below its host, and behind it the tasks in it.
func queueBelow(queue value, host string) string {
	name := queue.get("name").text
	out := begin("queue", "name", name)
	for _, m := range queue.members {
		if m.isWord && m.key != "name" {
			out += element("queuevalue", m.text, "name", m.key)
		}
	}
	return out + "</queue>" + tasksBelow(queue.get("jobs"), name+"@"+host)
}

// tasksBelow are tasks, in a queue instance where they do not say which.
func tasksBelow(jobs value, instance string) (out string) {
	for _, j := range jobs.members {
		out += begin("job", "name", j.get("id").text)
		if instance != "" && j.get("queue_name").text == "" {
			out += element("jobvalue", instance, "name", "qinstance_name")
		}
		for _, m := range j.members {
			if name := m.key; m.isWord && name != "id" {
				out += element("jobvalue", m.text, "name", strings.Replace(name, "queue_name", "qinstance_name", 1))
			}
		}
		out += "</job>"
	}
	return out
}
