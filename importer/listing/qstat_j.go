package listing

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// jobLine is a line of qstat -j: what it says, of which task, and the value.
var jobLine = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z_ -]*?(?: \(req\))?)\s*(\d+)?:(?:\s+(.*))?$`)

// plain are the elements that lines of qstat -j become as they are.
var plain = map[string]string{"job_number": "JB_job_number", "job_name": "JB_job_name", "owner": "JB_owner", "group": "JB_group",
	"project":    "JB_project",
	"department": "JB_department", "account": "JB_account", "jobshare": "JB_jobshare", "override_tickets": "JB_override_tickets",
	"oticket":          "JB_override_tickets",
	"task_concurrency": "JB_ja_task_concurrency", "checkpoint_object": "JB_checkpoint_name", "ar_id": "JB_ar", "restart": "JB_restart",
	"version": "JB_version"}

// moments are the elements of dates.
var moments = map[string]string{"submission_time": "JB_submission_time", "execution_time": "JB_execution_time", "deadline": "JB_deadline"}

// requested and named are the elements of lists.
var (
	requested = map[string]string{"hard resource_list": "JB_hard_resource_list", "hard_resource_list": "JB_hard_resource_list",
		"soft resource_list": "JB_soft_resource_list", "soft_resource_list": "JB_soft_resource_list"}
	named = map[string]struct{ list, entry string }{"hard_queue_list": {"JB_hard_queue_list", "QR_name"},
		"soft_queue_list":              {"JB_soft_queue_list", "QR_name"},
		"master_hard_queue_list":       {"JB_master_hard_queue_list", "QR_name"},
		"jid_predecessor_list":         {"JB_jid_predecessor_list", "JRE_job_number"},
		"jid_predecessor_list (req)":   {"JB_jid_request_list", "JRE_job_name"},
		"ja_ad_predecessor_list":       {"JB_ja_ad_predecessor_list", "JRE_job_number"},
		"master hard queue_list":       {"JB_master_hard_queue_list", "QR_name"},
		"predecessor_list (req)":       {"JB_jid_request_list", "JRE_job_name"},
		"jid_predecessor_list (array)": {"JB_ja_ad_predecessor_list", "JRE_job_number"}}
)

// passed say how a job runs, not when; the XML form has them too, and no reader uses them there.
var passed = regexp.MustCompile(`^(category_id|exec_file|(effective_)?submit_cmd_line|submission_command_line|uid|gid|groups|supplementary group|sge_o_\w+|mail_\w+|notify|env_list|job_args|` +
	`script_file|cwd|std(out|err|in)_path_list|merge|shell_list|binding|exec_binding_list|sync_options|verify|context|directive_prefix|job_type|pty|jclass|jid_successor_list|script_size|path_aliases)$`)

// detailedQstat is what qstat -j prints.
type detailedQstat struct{ open bool }

func (q *detailedQstat) start() string { return "<detailed_job_info><djob_info>" }
func (q *detailedQstat) end() string   { return q.close() + "</djob_info></detailed_job_info>\n" }

func (q *detailedQstat) close() string {
	if !q.open {
		return ""
	}
	q.open = false
	return "</element>"
}

func (q *detailedQstat) line(text string) string {
	m := jobLine.FindStringSubmatch(text)
	switch {
	case isRule(text):
		return ""
	case m != nil && m[1] == "job_number":
		out := q.close() + "<element>"
		q.open = true
		return out + element("JB_job_number", m[3])
	case !q.open:
		return unknownLine(text)
	case m == nil:
		return unknownLine(text)
	}
	if m[1] == "usage" && m[2] != "" { // of a task that runs; its amounts are not used
		return "<JB_ja_tasks><element>" + element("JAT_status", "128") + element("JAT_task_number", m[2]) + "</element></JB_ja_tasks>" +
			element("usage", m[3])
	}
	if m[2] != "" || m[1] == "scheduling info" {
		return element(strings.ReplaceAll(m[1], " ", "_"), m[3])
	}
	return q.value(m[1], strings.TrimSpace(m[3]))
}

// value is a line about the whole job.
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
		return element("JB_reserve", strconv.FormatBool(text == "y" || text == "TRUE"))
	case "parallel environment":
		pe, slots, ok := strings.Cut(text, " range: ")
		if ranges, read := ranges(slots); ok && read {
			return element("JB_pe", pe) + "<JB_pe_range>" + ranges + "</JB_pe_range>"
		}
	case "job-array tasks":
		words := strings.Fields(text) // "i 1-10:1" in newer releases
		if ranges, read := ranges(words[len(words)-1]); read {
			return element("JB_type", "128") + "<JB_ja_structure>" + ranges + "</JB_ja_structure>"
		}
	}
	return element(strings.ReplaceAll(name, " ", "_"), text)
}

// moment is a date in the order that the XML form has; another text stays, and its reader says what it thinks of it.
func moment(text string) string {
	for _, form := range []string{"Mon Jan _2 15:04:05 2006", "Mon Jan _2 15:04:05 MST 2006", "01/02/2006 15:04:05.999999"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.Format("2006-01-02 15:04:05.000000")
		}
	}
	return text
}

func requestList(tag, text string) string {
	out := "<" + tag + ">"
	for _, r := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(r), "=")
		out += "<qstat_l_requests>" + element("CE_name", name) + element("CE_stringval", value) + "</qstat_l_requests>"
	}
	return out + "</" + tag + ">"
}

func nameList(tag, entry, text string) string {
	out := "<" + tag + ">"
	for _, name := range strings.Split(text, ",") {
		out += "<element>" + element(entry, strings.TrimSpace(name)) + "</element>"
	}
	return out + "</" + tag + ">"
}

var oneRange = regexp.MustCompile(`^(\d+)(?:-(\d+)(?::(\d+))?)?$`)

// ranges are the elements of numbers such as 1-10:2,15.
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
		out += "<ranges>" + element("RN_min", m[1]) + element("RN_max", last) + element("RN_step", step) + "</ranges>"
	}
	return out, true
}
