package listing

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// jobLine matches a line of qstat -j: the name, the task number if any, and the value.
var jobLine = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z_ -]*?(?: \(req\)|\.)?)\s*(\d+)?:(?:\s+(.*))?$`)

// plain are the elements for lines of qstat -j whose value does not change.
var plain = map[string]string{"job_number": "JB_job_number", "job_name": "JB_job_name", "owner": "JB_owner",
	"group":      "JB_group",
	"project":    "JB_project",
	"department": "JB_department", "account": "JB_account", "jobshare": "JB_jobshare",
	"override_tickets": "JB_override_tickets",
	"oticket":          "JB_override_tickets",
	"task_concurrency": "JB_ja_task_concurrency", "maximum concurrency": "JB_ja_task_concurrency",
	"checkpoint_object": "JB_checkpoint_name", "ar_id": "JB_ar", "restart": "JB_restart",
	"binding": "binding",
	"version": "JB_version"}

// moments are the elements for dates.
var moments = map[string]string{"submission_time": "JB_submission_time", "execution_time": "JB_execution_time",
	"deadline": "JB_deadline"}

// requested and named are the elements for lists.
var (
	requested = map[string]string{"hard resource_list": "JB_hard_resource_list",
		"hard_resource_list": "JB_hard_resource_list",
		"soft resource_list": "JB_soft_resource_list", "soft_resource_list": "JB_soft_resource_list"}
	named = map[string]struct{ list, entry string }{"hard_queue_list": {"JB_hard_queue_list", "QR_name"},
		"soft_queue_list":              {"JB_soft_queue_list", "QR_name"},
		"jid_predecessor_list":         {"JB_jid_predecessor_list", "JRE_job_number"},
		"jid_predecessor_list (req)":   {"JB_jid_request_list", "JRE_job_name"},
		"ja_ad_predecessor_list":       {"JB_ja_ad_predecessor_list", "JRE_job_number"},
		"master hard queue_list":       {"JB_master_hard_queue_list", "QR_name"},
		"predecessor_list (req)":       {"JB_jid_request_list", "JRE_job_name"},
		"jid_request_list (req)":       {"JB_jid_request_list", "JRE_job_name"},
		"jid_predecessor_list (array)": {"JB_ja_ad_predecessor_list", "JRE_job_number"}}
)

// scoped matches requests of the master task or of the other tasks.
var scoped = regexp.MustCompile(`^(master|slave)_(hard|soft)_(resource|queue)_list$`)

// passed matches lines that say how a job runs, not when. The XML form has them too, and no reader uses them.
var passed = regexp.MustCompile(
	`^(category_id|exec_file|(effective_)?submit_cmd_line|submission_command_line|uid|gid|groups|supplementary group|sge_o_\w+|mail_\w+|notify|env_list|job_args|` +
		`script_file|cwd|std(out|err|in)_path_list|merge(_stderr)?|shell_list|exec_binding_list|sync_options|verify|context|directive_prefix|submit_cmd|request_dispatch_info|mbind|job_type|pty|jclass|jid_successor_list|ja_ad_(request|successor|predecessor)_list \(req\)|ja_ad_successor_list|qs_args|script_size|path_aliases|verify_suitable_queues|checkpoint_(attr|interval)|job_identifier_list|(soft|hard)_wallclock_gmt|script_ptr)$`)

// detailedQstat is for qstat -j.
type detailedQstat struct {
	open     bool
	number   string // number of the job
	pending  string // number of waiting tasks, without those in error; empty if unknown
	tasks    []jobTask
	scopes   [3]string // requests of the master task in [1], of the other tasks in [2]
	info     bool      // the last line was scheduling info
	messages string    // why jobs do not start
}

// A jobTask is a task that runs, or that the master keeps.
type jobTask struct {
	number, state, started string
	usage, granted         string // elements
	runs                   bool   // a line shows that the task runs
}

func (q *detailedQstat) start() string { return "<detailed_job_info><djob_info>" }

func (q *detailedQstat) end() string {
	out := q.close() + "</djob_info>"
	if q.messages != "" {
		out += around("messages", around("element", around("SME_message_list", q.messages)))
	}
	return out + "</detailed_job_info>\n"
}

func (q *detailedQstat) close() (out string) {
	if !q.open {
		return ""
	}
	waiting, err := strconv.Atoi(q.pending)
	for _, t := range q.tasks {
		out += t.element()
		if t.waits() && !strings.Contains(t.state, "E") {
			waiting--
		}
	}
	if err == nil {
		out += element("pending_tasks", strconv.Itoa(max(waiting, 0)))
	}
	for part, list := range q.scopes {
		if list != "" {
			out += around("JB_request_set_list", around("element", element("JRS_scope", strconv.Itoa(part))+list))
		}
	}
	q.open, q.tasks, q.scopes = false, nil, [3]string{}
	return out + "</element>"
}

// Values of JAT_status.
const (
	statusIdle    = "0"
	statusRunning = "128"
)

func (t *jobTask) waits() bool { return strings.ContainsAny(t.state, "qw") || t.state == "" && !t.runs }

func (t *jobTask) element() string {
	status := statusRunning
	if t.waits() {
		status = statusIdle
	}
	out := element("JAT_status", status) + element("JAT_task_number", t.number)
	if t.started != "" {
		out += element("JAT_start_time", t.started)
	}
	if t.usage != "" {
		out += around("JAT_scaled_usage_list", t.usage)
	}
	if t.granted != "" {
		out += around("JAT_granted_destin_identifier_list", t.granted)
	}
	return around("JB_ja_tasks", around("element", out))
}

func (q *detailedQstat) line(text string) string {
	m := jobLine.FindStringSubmatch(text)
	switch {
	case isRule(text):
		return ""
	case m != nil && m[1] == "job_number":
		out := q.close() + "<element>"
		q.open, q.pending, q.number, q.info = true, "", strings.TrimSpace(m[3]), false
		return out + element("JB_job_number", m[3])
	case q.info && indentOf(text) >= infoIndent:
		q.message(text)
		return ""
	case !q.open: // the element would end the list of jobs
		return "</djob_info>" + unknownLine(text) + "<djob_info>"
	case m == nil:
		return unknownLine(text)
	case m[2] != "":
		return q.ofTask(strings.TrimSpace(strings.ReplaceAll(m[1], " ", "_")), m[2], strings.TrimSpace(m[3]))
	case m[1] == "scheduling info":
		q.info = true
		q.message(m[3])
		return ""
	case m[1] == "pending_tasks" && isNumber(strings.TrimSpace(m[3])):
		q.pending = strings.TrimSpace(m[3])
		return ""
	}
	return q.value(m[1], strings.TrimSpace(m[3]))
}

// infoIndent is the least number of blanks before further lines of scheduling info.
const infoIndent = 20

// ofAllJobs are messages about all jobs, which XML has in SME_global_message_list.
var ofAllJobs = regexp.MustCompile(
	`^(queue instance "|All queues dropped |There are no messages|\(Collecting |Collecting of )`)

// message notes why the job does not start.
func (q *detailedQstat) message(text string) {
	if text = strings.TrimSpace(text); text != "" && !ofAllJobs.MatchString(text) {
		q.messages += around("element", around("MES_job_number_list", around("element", element("ULNG_value", q.number)))+
			element("MES_message", text))
	}
}

// passedOfTask matches lines that say how a task runs.
var passedOfTask = regexp.MustCompile(
	`^(binding|exec_binding_list|resource_map|granted_req\.?|granted_license|cpuset|end_time)$`)

// ofTask reads a line about a task.
func (q *detailedQstat) ofTask(name, number, text string) string {
	t := q.task(number)
	switch name {
	case "usage":
		t.runs = true
		usage, rest := amounts(text)
		if t.usage += usage; rest != "" {
			return element("usage", rest)
		}
	case "job_state":
		t.state = text
	case "start_time":
		t.started, t.runs = moment(text), true
	case "exec_queue_list":
		t.runs = true
		if t.granted = grants(text); t.granted == "" {
			return element(name, text)
		}
	case "exec_host_list": // exec_queue_list has more data
		t.runs = true
	case "error_reason":
		q.message(text)
	default:
		if !passedOfTask.MatchString(name) {
			return element(strings.Trim(name, "."), text)
		}
	}
	return ""
}

// task returns the task with a number. If it is unknown, task makes it.
func (q *detailedQstat) task(number string) *jobTask {
	for i := range q.tasks {
		if q.tasks[i].number == number {
			return &q.tasks[i]
		}
	}
	q.tasks = append(q.tasks, jobTask{number: number})
	return &q.tasks[len(q.tasks)-1]
}

// grants makes elements for queue instances and slots: all.q@node01=2,all.q@node02=1. In 9.0 there is a colon.
func grants(text string) (out string) {
	for _, g := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		at := strings.LastIndexAny(g, "=:")
		if at < 0 || !isNumber(g[at+1:]) {
			return ""
		}
		name, slots := g[:at], g[at+1:]
		out += around("element", element("JG_qname", name)+element("JG_slots", slots))
	}
	return out
}

// amountLine matches an amount in a line of usage: cpu=00:39:00, mem=0.03044 GBs, vmem=4.2G.
var amountLine = regexp.MustCompile(`^(\w+)=(N/A|[\d:.]+)\s*([KMGTP]?(?:B ?s?)?|s)$`)

// amounts makes elements for the amounts in a line of usage. rest has amounts of unknown form.
func amounts(text string) (out, rest string) {
	for _, a := range strings.Split(text, ",") {
		m := amountLine.FindStringSubmatch(strings.TrimSpace(a))
		switch {
		case m == nil:
			rest += strings.TrimSpace(a)
		case m[2] != "N/A":
			value := seconds(m[2])
			if unit := strings.TrimRight(m[3], "B s"); unit != "" {
				value *= sizes[unit] / unitOf(m[1])
			}
			out += around("element", element("UA_name", m[1])+element("UA_value", strconv.FormatFloat(value, 'f', -1, 64)))
		}
	}
	return out, rest
}

// unitOf returns the unit in bytes of a kind of usage. The master counts memory seconds and transfers in
// gigabytes.
func unitOf(usage string) float64 {
	if usage == "mem" || usage == "io" {
		return sizes["G"]
	}
	return 1
}

// value reads a line about the whole job.
func (q *detailedQstat) value(name, text string) string {
	switch {
	case passed.MatchString(name), text == "" || text == "NONE":
		return ""
	case plain[name] != "":
		return element(plain[name], text)
	case moments[name] != "":
		return element(moments[name], moment(text))
	case requested[name] != "":
		return requestList(requested[name], text)
	case scoped.MatchString(name):
		m := scoped.FindStringSubmatch(name)
		part := map[string]int{"master": 1, "slave": 2}[m[1]]
		if m[3] == "resource" {
			q.scopes[part] += requestList("JRS_"+m[2]+"_resource_list", text)
		} else {
			q.scopes[part] += nameList("JRS_"+m[2]+"_queue_list", "QR_name", text)
		}
		return ""
	case named[name].list != "":
		return nameList(named[name].list, named[name].entry, text)
	}
	return special(name, text)
}

func special(name, text string) string {
	switch name {
	case "priority":
		if p, err := strconv.Atoi(text); err == nil {
			return element("JB_priority", strconv.Itoa(p+1024))
		}
	case "reserve":
		return element("JB_reserve", strconv.FormatBool(text == "y" || strings.EqualFold(text, "true")))
	case "parallel environment", "parallel_environment":
		pe, slots, ok := strings.Cut(text, " range: ")
		if ranges, read := ranges(slots); ok && read {
			return element("JB_pe", pe) + around("JB_pe_range", ranges)
		}
	case "job-array tasks":
		words := strings.Fields(text) // "i 1-10:1" in newer releases
		if ranges, read := ranges(words[len(words)-1]); read {
			return element("JB_type", "128") + around("JB_ja_structure", ranges)
		}
	}
	return element(strings.ReplaceAll(name, " ", "_"), text)
}

// moment writes a date in the form of XML. Any other text stays.
func moment(text string) string {
	for _, form := range []string{"Mon Jan _2 15:04:05 2006", "Mon Jan _2 15:04:05 MST 2006",
		"01/02/2006 15:04:05.999999"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.Format("2006-01-02 15:04:05.000000")
		}
	}
	return text
}

func requestList(tag, text string) (out string) {
	for _, r := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(r), "=")
		out += around("qstat_l_requests", element("CE_name", name)+element("CE_stringval", value))
	}
	return around(tag, out)
}

func nameList(tag, entry, text string) (out string) {
	for _, name := range strings.Split(text, ",") {
		out += around("element", element(entry, strings.TrimSpace(name)))
	}
	return around(tag, out)
}

var oneRange = regexp.MustCompile(`^(\d+)(?:-(\d+)(?::(\d+))?)?$`)

// ranges makes elements for numbers such as 1-10:2,15.
func ranges(text string) (out string, ok bool) {
	for _, r := range strings.Split(text, ",") {
		m := oneRange.FindStringSubmatch(strings.TrimSpace(r))
		if m == nil {
			return "", false
		}
		last, step := m[2], m[3]
		if last == "" {
			last = m[1]
		}
		if step == "" {
			step = "1"
		}
		out += around("ranges", element("RN_min", m[1])+element("RN_max", last)+element("RN_step", step))
	}
	return out, true
}
