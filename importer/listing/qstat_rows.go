package listing

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A row of qstat has the columns of its options, always in one order. Groups have the names of their elements.
// Groups in small letters need more work.

// columns are all columns, with their options: e for -ext, u for -urg, p for -pri, t for all except -ext alone.
var columns = []struct{ options, form string }{
	{"", `(?P<JB_job_number>\d+)`},
	{"", numberOf("JAT_prio")},
	{"up", numberOf("JB_nurg")},
	{"p", numberOf("JB_nppri")},
	{"ep", numberOf("JAT_ntix")},
	{"u", numberOf("JB_urg") + `\s+` + numberOf("JB_rrcontr") + `\s+` + numberOf("JB_wtcontr") +
		`\s+` + numberOf("JB_dlcontr")},
	{"p", `(?P<JB_priority>-?\d+)`},
	{"", `(?P<JB_name>\S.*?)`},
	{"", `(?P<JB_owner>\S+)`},
	{"e", `(?P<JB_project>\S+)\s+(?P<JB_department>\S+)`},
	{"", `(?P<state>[A-Za-z]{1,7})`},
	{"t", `(?P<moment>` + moments19 + `)`},
	{"u", `(?P<JB_deadline>` + moments19 + `)?`},
	{"e", `(?P<usage>(?:\d+(?::\d+){2,3}|NA)\s+(?:[\d.,]+|NA)\s+(?:[\d.,]+|NA))?`},
	{"e", amountOf("tickets") + `\s+` + amountOf("JB_override_tickets") + `\s+` + amountOf("otickets") +
		`\s+` + amountOf("ftickets") +
		`\s+` + amountOf("stickets") + `\s+` + amountOf("JAT_share")},
	{"", `(?P<queue>\S*[^\s\d,:-]\S*)?`}, // the queue instance of a running task, or MASTER
	{"", `(?P<class>\S*[^\s\d,:-]\S*)?`}, // the job's class, or MASTER
	{"", `(?P<slots>\d+)?`},
	{"", `(?P<tasks>\d[\d,:-]*)?`},
}

// moments19 matches a date and a time of day.
const moments19 = `(?:\d\d/\d\d/\d{4}|\d{4}-\d\d-\d\d)\s+\d\d:\d\d:\d\d(?:\.\d+)?`

// numberOf matches a number that is never missing. In some languages it has a comma.
func numberOf(name string) string {
	return `(?P<` + name + `>-?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?|-?nan|-?inf)`
}

// amountOf matches a number of a job that has not ended.
func amountOf(name string) string { return `(?P<` + name + `>\d+(?:[.,]\d+)?|NA)` }

// A rowForm matches the rows of some options.
type rowForm struct {
	row   *regexp.Regexp
	names []string
}

// rowForms are the forms, by their options. Forms with more columns come first, because the name of a job may
// be a number.
var rowForms = sync.OnceValue(func() (forms []rowForm) {
	for _, options := range []string{"eupt", "eut", "ept", "upt", "et", "e", "ut", "pt", "t"} {
		forms = append(forms, formOf(options))
	}
	return forms
})

func formOf(options string) rowForm {
	form := ""
	for _, c := range columns {
		optional, is := strings.CutSuffix(c.form, "?")
		switch {
		case c.options != "" && !strings.ContainsAny(c.options, options):
		case form == "":
			form = `^\s*` + c.form
		case is && strings.HasSuffix(optional, ")"):
			form += `(?:\s+` + optional + `)?`
		default:
			form += `\s+` + c.form
		}
	}
	row := regexp.MustCompile(form + `(?:\s+-)?$`)
	return rowForm{row, row.SubexpNames()}
}

// rows reads rows. It keeps the last one.
type rows struct {
	form     int  // form of the last row
	noSlots  bool // the column of slots has MASTER or SLAVE
	subtasks bool // tasks that the job started stand after the columns
	values   map[string]string
	slave    bool // the row was another slot of the previous task
}

// header reads the heading.
func (r *rows) header(text string) {
	names := strings.Fields(text)
	r.noSlots, r.subtasks = slices.Contains(names, "master"), slices.Contains(names, "task-ID")
}

// furtherSlot matches a row without a job: with -g t, its task has another slot.
var furtherSlot = regexp.MustCompile(`^\s+(?:(\S+)\s+)?(MASTER|SLAVE)(?:\s+(\d+))?$`)

// read reads a row. It returns false for a line of another form.
func (r *rows) read(text string) bool {
	if m := furtherSlot.FindStringSubmatch(text); m != nil && r.values != nil {
		r.values["queue"], r.values["master"], r.values["tasks"], r.slave = m[1], m[2], m[3], true
		return true
	}
	if r.subtasks {
		text = subtask.ReplaceAllString(text, "$1")
	}
	for i := range rowForms() {
		at := (r.form + i) % len(rowForms())
		if m := rowForms()[at].row.FindStringSubmatch(text); m != nil {
			r.form = at
			r.take(m)
			return true
		}
	}
	return false
}

// subtask matches the text after a row with -t: a task that the job started, its state and usage.
var subtask = regexp.MustCompile(
	`^(.*?\s(?:MASTER|SLAVE)(?:\s+\d+)?)\s+(?:\S+\s+)?[A-Za-z]{1,6}\s+(?:NA|[\d:.]+)(?:\s+(?:NA|[\d.]+)){0,4}$`)

func (r *rows) take(m []string) {
	r.values, r.slave = map[string]string{}, false
	for i, name := range rowForms()[r.form].names {
		if name != "" {
			r.values[name] = m[i]
		}
	}
	for _, place := range []string{"class", "queue"} {
		if v := r.values[place]; v == "MASTER" || v == "SLAVE" {
			r.values["master"], r.values[place] = v, ""
		}
	}
	if (r.noSlots || r.values["master"] != "") && r.values["tasks"] == "" {
		r.values["tasks"], r.values["slots"] = r.values["slots"], ""
	}
}

// elements returns the elements of the row, for a running, waiting or ended job.
func (r *rows) elements(state string) (out string) {
	for _, name := range rowForms()[r.form].names {
		value := r.values[name]
		if value == "" || value == "NA" || r.slave && !ofEverySlot[name] {
			continue
		}
		switch name {
		case "JB_name", "JB_owner", "JB_project", "JB_department", "state":
			out += element(name, value)
		case "moment":
			out += element(momentOf[state], oneBlank(value))
		case "JB_deadline":
			out += element(name, oneBlank(value))
		case "usage":
			out += usageOf(value)
		case "queue", "class", "slots", "tasks": // place
		default:
			out += element(name, strings.ReplaceAll(value, ",", "."))
		}
	}
	return out + r.place(state)
}

// ofEverySlot are the elements that further slots of a task have, too.
var ofEverySlot = map[string]bool{"JB_job_number": true, "JB_name": true, "JB_owner": true, "state": true}

// momentOf is the element for the only moment of a row.
var momentOf = map[string]string{"pending": "JB_submission_time", "running": "JAT_start_time",
	"zombie": "JAT_start_time"}

// place returns the elements for the place and number of a task.
func (r *rows) place(state string) (out string) {
	for _, v := range [][2]string{{"slots", r.values["slots"]}, {"queue_name", r.values["queue"]},
		{"master", r.values["master"]},
		{"tasks", r.values["tasks"]}} {
		if v[1] != "" && (state == "running" || v[0] != "queue_name") {
			out += element(v[0], v[1])
		}
	}
	return out
}

func oneBlank(text string) string { return strings.Join(strings.Fields(text), " ") }

// usageOf returns the elements for processor time (days:hours:minutes:seconds), memory and transfers.
func usageOf(text string) (out string) {
	for i, value := range strings.Fields(text) {
		if i == 0 && value != "NA" {
			value = strconv.FormatFloat(seconds(value), 'f', -1, 64)
		}
		if value != "NA" {
			out += element([]string{"cpu_usage", "mem_usage", "io_usage"}[i], strings.ReplaceAll(value, ",", "."))
		}
	}
	return out
}

// seconds adds up a time such as 1:00:10:05 or 00:10:05.5, if its parts are numbers.
func seconds(text string) (sum float64) {
	parts := strings.Split(strings.ReplaceAll(text, ",", "."), ":")
	for i, part := range parts {
		unit := 60.0
		if len(parts) == 4 && i == 1 {
			unit = 24
		}
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		sum = sum*unit + n
	}
	return sum
}
