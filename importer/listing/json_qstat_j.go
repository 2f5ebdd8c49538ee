package listing

import (
	"slices"
	"strconv"
	"strings"
)

// jsonDetails is for qstat -j. Each member becomes the line that the command prints for people.
var jsonDetails = jsonForm{root: "detailed_job_info", lists: map[string]string{"jobs": ""},
	entry: func(_ string, job value) string {
		q := &detailedQstat{}
		out := q.line("job_number: " + job.get("job_number").text)
		for _, m := range job.members {
			if m.key != "job_number" {
				for _, line := range linesOf(m) {
					out += q.line(line)
				}
			}
		}
		return "<djob_info>" + out + strings.TrimSuffix(q.end(), "</detailed_job_info>\n")
	}}

// otherNames are members whose lines have another name.
var otherNames = map[string]string{"deadline_time": "deadline", "job_share": "jobshare"}

// ofRun are members that say how a job runs, not when.
var ofRun = map[string]bool{"environment_core": true, "env_list": true, "context": true, "mail_list": true,
	"shell_list":   true,
	"path_aliases": true, "stdin_path_list": true, "stdout_path_list": true, "stderr_path_list": true, "job_args": true}

// linesOf writes the lines for a member of a job.
func linesOf(m value) []string {
	name := m.key
	if other := otherNames[name]; other != "" {
		name = other
	}
	switch {
	case m.isWord:
		return []string{name + ": " + m.text}
	case name == "ownership":
		return []string{"owner: " + m.get("primary").get("owner").text, "group: " + m.get("primary").get("group").text}
	case name == "pe":
		return []string{"parallel_environment: " + m.get("name").text + " range: " + m.get("range").text}
	case name == "job_array_tasks":
		return []string{"job-array tasks: " + m.get("start").text + "-" + m.get("end").text + ":" + m.get("step").text}
	case name == "checkpoint":
		return []string{"checkpoint_object: " + m.get("name").text}
	case name == "scheduling_info":
		return append([]string{"scheduling info: "}, indented(m.words())...)
	case name == "array_tasks":
		return taskLines(m)
	case strings.HasSuffix(name, "resource_list"):
		return []string{name + ": " + pairs(m, "name", "value")}
	case name == "binding":
		return []string{name + ": " + boundTo(m)}
	case ofRun[name]:
		return nil
	}
	return []string{name + ": " + strings.Join(m.words(), ",")}
}

func indented(texts []string) (lines []string) {
	for _, text := range texts {
		lines = append(lines, strings.Repeat(" ", infoIndent)+text)
	}
	return lines
}

// pairs writes name=value,name=value for the members of a member.
func pairs(m value, name, text string) string {
	list := make([]string, len(m.members))
	for i, p := range m.members {
		list[i] = p.get(name).text + "=" + p.get(text).text
	}
	return strings.Join(list, ",")
}

// taskLines writes the lines of tasks that run or that the master keeps.
func taskLines(tasks value) (lines []string) {
	for _, t := range tasks.members {
		number := " " + t.get("task_id").text + ": "
		for _, m := range t.members {
			switch m.key {
			case "job_state", "start_time":
				lines = append(lines, m.key+number+m.text)
			case "granted_queue_list":
				lines = append(lines, "exec_queue_list"+number+pairs(m, "queue_name", "slots"))
			case "usage":
				lines = append(lines, "usage"+number+usageWords(m))
			case "error_reason":
				for _, text := range m.words() {
					lines = append(lines, m.key+number+text)
				}
			}
		}
	}
	return lines
}

// usageWords writes the amounts of a task like a line of usage.
func usageWords(m value) string {
	list := make([]string, len(m.members))
	for i, a := range m.members {
		text := a.text
		if v, err := strconv.ParseFloat(text, 64); err == nil { // 1.5e+09
			text = strconv.FormatFloat(v, 'f', -1, 64)
		}
		list[i] = a.key + "=" + text
	}
	return strings.Join(list, ",")
}

// boundTo writes the requested binding in the form of other outputs, "bamount=2,bunit=C". It is empty if there
// is none.
func boundTo(m value) string {
	var list []string
	for _, p := range m.members {
		name := "b" + strings.TrimPrefix(p.key, "b")
		if p.text != "" && p.text != "0" && !strings.EqualFold(p.text, "none") {
			list = append(list, name+"="+p.text)
		}
	}
	if slices.Sort(list); len(list) == 0 || !strings.HasPrefix(list[0], "bamount=") {
		return ""
	}
	return strings.Join(list, ",")
}
