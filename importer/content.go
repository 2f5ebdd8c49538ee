package importer

import (
	"bytes"
	"regexp"
	"strings"

	"qprism/importer/listing"
)

// headSize is how much of a file decides what it is.
const headSize = 64 << 10

// NameByContent returns the name that a bundle has for a file that begins with head. It is empty if the form is
// unknown. A name that ends in "/" is a folder. A table for people gets the name of the equivalent form for
// programs.
func NameByContent(head []byte) string {
	if table := listing.Find(head, FormOf); table != nil {
		return table.Name
	}
	if name := FormOf(head); name != "" {
		return name
	}
	if parts, _ := listing.Parts(head, FormOf); parts != nil {
		return parts[0].Name
	}
	return ""
}

// FormOf is NameByContent only for forms that programs can read. Text above such a form makes it unknown.
func FormOf(head []byte) string {
	text := trimmed(head)
	switch {
	case len(text) == 0:
		return ""
	case text[0] == '<':
		return xmlName(text)
	case text[0] == '{' && bytes.Contains(firstLine(text), []byte(`"job_number"`)):
		return "accounting.jsonl"
	case text[0] == '{' && jsonDocument.Match(text):
		return jsonName(text)
	}
	return textName(string(text))
}

// trimmed removes what editors and web pages put before a text.
func trimmed(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	return line
}

// rootElement finds the first element after declarations, instructions and comments.
var rootElement = regexp.MustCompile(`^(?s)(?:\s|<\?.*?\?>|<!--.*?-->)*<([A-Za-z_][A-Za-z_0-9]*)`)

// xmlNames has the files whose root element always means the same file.
var xmlNames = map[string]string{
	"detailed_job_info": "qstat-j.xml",
	"unknown_jobs":      "qstat-j.xml",
	"qhost":             "qhost.xml",
	"qrstat":            "qrstat.xml",
}

func xmlName(text []byte) string {
	m := rootElement.FindSubmatch(text)
	if m == nil {
		return ""
	}
	switch root := string(m[1]); {
	case root == "job_info" && bytes.Contains(text, []byte("<cluster_queue_summary>")):
		return "qstat-gc.xml"
	case root == "job_info" && bytes.Contains(text, []byte("<Queue-List>")):
		return "qstat-f.xml"
	case root == "job_info":
		return "qstat.xml"
	case root == "Data" && bytes.Contains(text, []byte("<Node>")):
		return "pbsnodes_x.xml"
	case root == "Data":
		return "qstat_x.xml"
	default:
		return xmlNames[root]
	}
}

var (
	jsonDocument = regexp.MustCompile(`^\{\s*"(timestamp|pbs_version|pbs_server|Jobs|Queue|Server|nodes)"`)
	jsonPart     = regexp.MustCompile(`"(Jobs|Queue|Server|nodes)"\s*:\s*\{`)
	jsonNames    = map[string]string{"Jobs": "qstat_f.json", "Queue": "qstat_Qf.json", "Server": "qstat_Bf.json",
		"nodes": "pbsnodes_av.json"}
)

// jsonName returns the file for JSON of PBS. If nothing is listed, the document has only its head.
func jsonName(text []byte) string {
	if m := jsonPart.FindSubmatch(text); m != nil {
		return jsonNames[string(m[1])]
	}
	return "qstat_f.json"
}

// textForms are the forms of text files. More specific forms come first.
var textForms = []struct {
	form *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`^Job Id: ?[^\n]*\|`), "qstat_f.dsv"},
	{regexp.MustCompile(`^Job Id: `), "qstat_f.txt"},
	{regexp.MustCompile(`^Job: \S+[ \t\r]*\n\s+Job_Name = `), "qstat_f.txt"}, // form at some sites
	{regexp.MustCompile(`^Queue: \S+[ \t\r]*\n`), "qstat_Qf.txt"},
	{regexp.MustCompile(`^Server: \S+[ \t\r]*\n`), "qstat_Bf.txt"},
	{regexp.MustCompile(`^Queue \S+[ \t\r]*\n[ \t]+\w+ = `), "qmgr_list_queue.txt"},
	{regexp.MustCompile(`^Server \S+[ \t\r]*\n[ \t]+\w+ = `), "qmgr_list_server.txt"},
	{regexp.MustCompile(`^Node \S+[ \t\r]*\n[ \t]+\w+ = `), "qmgr_list_node.txt"},
	{regexp.MustCompile(`^Sched \S+[ \t\r]*\n[ \t]+\w+ = `), "qmgr_list_sched.txt"},
	{regexp.MustCompile(`^Hook \S+[ \t\r]*\n[ \t]+\w+ = `), "qmgr_list_hook.txt"},
	{regexp.MustCompile(`^Resource \S+[ \t\r]*\n[ \t]+\w+ = `), "qmgr_list_resource.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*[^#](?s:.*\n)?set server `), "qmgr_print_server.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*\s*set server `), "qmgr_print_server.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*\s*create queue `), "qmgr_print_queue.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*\s*create node `), "qmgr_print_node.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*\s*create sched `), "qmgr_print_sched.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*\s*create hook `), "qmgr_print_hook.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*\s*create resource `), "qmgr_print_resource.txt"},
	{regexp.MustCompile(`^(#[^\n]*\n)*[A-Za-z0-9][\w.\[\]-]*[ \t\r]*\n([ \t\r]*\n)?[ \t]+(Mom|state|ntype|Port) = `), "pbsnodes_av.txt"},
	{regexp.MustCompile(`^(?:[^;\n]{0,200}[: ])?\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Za-z];`), "accounting.txt"},
	{regexp.MustCompile(`^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(\.\d+)?;[0-9a-f]{4};pbs_sched`), "sched_log.txt"},
	{regexp.MustCompile(`(?m)^(round_robin|by_queue|strict_fifo|strict_ordering|fair_share):`), "sched_config"},
	{regexp.MustCompile(`^(#[^\n]*\n)*([^:\n]*:){39}[^\n]*`), "accounting"},
	{regexp.MustCompile(`^algorithm\s+\S+\s*\nschedule_interval\s`), "sched_conf.txt"},
	{regexp.MustCompile(`^#?global:[ \t\r]*\n`), "conf.txt"},
	{regexp.MustCompile(`^#name\s+shortcut\s+type\s+relop\s`), "complex.txt"},
	{regexp.MustCompile(`^id=\S+\s*\nname=`), "share_tree.txt"},
	{regexp.MustCompile(`^curr_time=|^usage_time=`), "sge_share_mon.txt"},
	{regexp.MustCompile(`^qname\s+\S`), "queues/"},
	{regexp.MustCompile(`^hostname\s+\S+\s*\nload_scaling\s`), "hosts/"},
	{regexp.MustCompile(`^group_name\s+@`), "hostgroups/"},
	{regexp.MustCompile(`^pe_name\s+\S`), "pes/"},
	{regexp.MustCompile(`^calendar_name\s+\S`), "calendars/"},
	{regexp.MustCompile(`^ckpt_name\s+\S`), "ckpts/"},
	{regexp.MustCompile(`^name\s+\S+\s*\ntype\s`), "usersets/"},
	{regexp.MustCompile(`^name\s+\S+\s*\noticket\s+\S+\s*\nfshare\s+\S+\s*\ndelete_time\s`), "users/"},
	{regexp.MustCompile(`^name\s+\S+\s*\noticket\s+\S+\s*\nfshare\s+\S+\s*\nacl\s`), "projects/"},
	{regexp.MustCompile(`^\{\s*\n\s*name\s`), "rqs/"},
	{regexp.MustCompile(`^(SGE|GE|UGE|OGS|OCS|GCS|OGE|AGE|Univa Grid Engine|Altair Grid Engine|Sun Grid Engine)\b[^\n|]* v?\d+\.\d`),
		"qstat-help.txt"},
	{regexp.MustCompile(`^(:{9}|\d+:\d+:(STARTING|RUNNING|RESERVING|SUSPENDED|PREEMPTING|MIGRATING):)`), "schedule"},
	{regexp.MustCompile(`^(\d\d/\d\d/\d{4}|\d{4}-\d\d-\d\d) [\d:.]+\|[^|\n]*\|[^|\n]*\|`), "messages"},
}

// textName returns the name of a text file. A copied listing may be indented as a whole.
func textName(text string) string {
	for _, f := range textForms {
		if f.form.MatchString(text) {
			return f.name
		}
	}
	return ""
}

// baseByContent is NameByContent for a bundle of a single file.
func baseByContent(head []byte) string {
	name := NameByContent(head)
	if folder, is := strings.CutSuffix(name, "/"); is {
		return folder + ".txt"
	}
	return name
}

// unread are listings that qprism does not read, by their beginning, and the listings that it reads instead.
var unread = []struct {
	form *regexp.Regexp
	is   string
}{
	{regexp.MustCompile(`(?i)^active jobs-{5,}`), "showq of Maui or Moab is not read; qstat -f and pbsnodes -a are"},
	{regexp.MustCompile(`^(?:checking )?job \S+[^\n]*\n(?:[ \t\r]*\n|[^\n]*(?:AName|RM settings)[^\n]*\n)*State: `),
		"checkjob of Maui or Moab is not read; qstat -f is"},
	{regexp.MustCompile(`^Job: \S+[ \t\r]*\n\s*\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(?:\.\d+)?\s+[A-Z]\s`),
		"tracejob is not read; the files that it searches are (server_priv/accounting, sched_logs)"},
	{regexp.MustCompile(`^(?:[^\n]*[$%>❯»#]\s*(?:/\S*/)?pbsnodes -l[^\n]*\n)?(?:[\w.-]+ +(?:down|offline|state-unknown|unknown|stale|free|job-exclusive|busy)(?:,[\w-]+)*(?:[ \t][^\n]*)?(?:\n|$))+$`),
		"pbsnodes -l lists some vnodes only; pbsnodes -av is read"},
	{regexp.MustCompile(`^resource quota rule\s+limit\s+filter`), quota},
	{regexp.MustCompile(`^\s*\{[^{}\[\]]*/ocs-qquota-[\w-]*\.schema\.json"`), quota},
	{regexp.MustCompile(`^\s*\{[^{}\[\]]*/ocs-[\w-]*\.schema\.json"`),
		"this JSON of Open Cluster Scheduler is not read; the command's text or XML may be"},
	{regexp.MustCompile(`^\s*JOBID\s+PARTITION\s+NAME\s|^JobID(?:Raw)?\s*[| ]|^JobId=\d+ `),
		"listings of Slurm are not read; qprism migrate writes files for it"},
}

const quota = "qquota is not read; the rules are (qconf -srqs), and what the jobs take of them"

// Unread describes a listing that qprism cannot read, by the file's beginning. It is empty for other files.
func Unread(head []byte) string {
	text := trimmed(head)
	for _, u := range unread {
		if u.form.Match(text) {
			return u.is
		}
	}
	return ""
}
