package anonymize

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"qprism/importer"
)

// eachLine writes a file line by line. It leaves out a line that becomes empty.
func eachLine(data []byte, write func(line string) (string, bool)) []byte {
	var b bytes.Buffer
	for text := range strings.Lines(string(data)) {
		if line, ok := write(strings.TrimRight(text, "\r\n")); ok {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// urgencies keeps the columns of qstat -urg before the job's name.
func (w *writer) urgencies(_ string, data []byte) ([]byte, error) {
	columns := 0
	return eachLine(data, func(line string) (string, bool) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "job-ID ") {
			columns = max(0, slices.Index(f, "name"))
			if columns == 0 {
				return "", false
			}
			for _, heading := range f[:columns] {
				w.isFormat(heading)
			}
			return strings.Join(f[:columns+1], " "), true
		}
		if len(f) == 0 || columns == 0 || len(f) <= columns || !isNumber(f[0]) {
			return "", false
		}
		return w.Value(strings.Join(f[:columns], " ")), true
	}), nil
}

var releaseLine = regexp.MustCompile(`^(SGE|GE|UGE|AGE|OCS|OGE|GCS|Grid Engine) [0-9][0-9a-zA-Z._-]{0,20}$`)

// help keeps the release, which is the first line of qstat -help.
func (w *writer) help(name string, data []byte) ([]byte, error) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	text := strings.Join(strings.Fields(string(line)), " ")
	if !releaseLine.MatchString(text) {
		w.leave(name, "line 1", "no release is known by it")
		return nil, nil
	}
	w.isFormat(text)
	return []byte(text + "\n"), nil
}

// clients writes the table of event clients. Its heading stays.
func (w *writer) clients(_ string, data []byte) ([]byte, error) {
	return eachLine(data, func(line string) (string, bool) {
		f := strings.Fields(line)
		return w.Free(line), len(f) > 0 && f[0] != "ID" && strings.Trim(f[0], "-") != ""
	}), nil
}

var shareNames = set("node_name user_name project_name")

// shares writes nodes of the share tree with their usage. The fields have names, or the order of a heading.
func (w *writer) shares(name string, data []byte) ([]byte, error) {
	order := strings.Fields("curr_time usage_time node_name user_name project_name")
	number := 0
	return eachLine(data, func(line string) (string, bool) {
		number++
		fields := strings.Split(line, "\t")
		if fields[0] == "curr_time" {
			order = fields
			return strings.Join(fields, "\t"), w.headings(fields)
		}
		if len(fields) < 5 {
			if strings.TrimSpace(line) != "" {
				w.leave(name, "line "+strconv.Itoa(number), "not a node of the share tree")
			}
			return "", false
		}
		for i, field := range fields {
			key, value, given := strings.Cut(field, "=")
			switch {
			case given && shareField.MatchString(key):
				w.isFormat(key)
				fields[i] = key + "=" + w.shareValue(key, value)
			case i < len(order):
				fields[i] = w.shareValue(order[i], field)
			default:
				fields[i] = w.Value(field)
			}
		}
		return strings.Join(fields, "\t"), true
	}), nil
}

var shareField = regexp.MustCompile(`^[a-z_]+%?$`)

func (w *writer) headings(fields []string) bool {
	for _, f := range fields {
		if f != "" && !shareField.MatchString(f) {
			return false
		}
		w.isFormat(f)
	}
	return true
}

func (w *writer) shareValue(key, value string) string {
	if shareNames[key] {
		return w.Name(value)
	}
	return w.Value(value)
}

var scheduleWords = set("RUNNING SUSPENDED MIGRATING STARTING RESERVING PREEMPTING UNKNOWN P G H Q L")

// schedule writes job:task:state:start:duration:level:object:resource:amount. Only the object may have colons.
func (w *writer) schedule(name string, data []byte) ([]byte, error) {
	return eachLine(data, func(line string) (string, bool) {
		f := strings.Split(line, ":")
		last := len(f) - 1
		for i := range f {
			switch {
			case i < 6:
				f[i] = w.ValueOf(f[i], scheduleWords)
			case i < last-1:
				f[i] = w.Name(f[i])
			default:
				f[i] = w.Value(f[i])
			}
		}
		return strings.Join(f, ":"), true
	}), nil
}

var (
	messageTime = regexp.MustCompile(`^[0-9/:. -]+$`)
	level       = regexp.MustCompile(`^[A-Z]$`)
	profile     = listed("profile")
)

// messages keeps the lines of the scheduler's thread: time|thread|host|level|text. In newer releases the thread
// has a number.
func (w *writer) messages(_ string, data []byte) ([]byte, error) {
	scheduler := false
	return eachLine(data, func(line string) (string, bool) {
		f := strings.SplitN(line, "|", 6)
		if len(f) < 5 || !messageTime.MatchString(f[0]) {
			return w.Free(line), scheduler
		}
		thread := strings.TrimSpace(f[1])
		if scheduler = thread == "schedu" || thread == "scheduler"; !scheduler {
			return "", false
		}
		at := 2 // place of the host
		if thread == "scheduler" && len(f) == 6 {
			at = 3
		}
		for i := 2; i < len(f); i++ {
			switch {
			case i == at || i < at && !isNumber(f[i]):
				f[i] = w.Name(f[i])
			case i == at+1 && level.MatchString(f[i]) || i < at:
			default:
				f[i] = w.message(f[i])
			}
		}
		return strings.Join(f, "|"), true
	}), nil
}

// message writes a message of the scheduler. Its figures about runs have no names. They stay, because they show
// when it ran.
func (w *writer) message(text string) string {
	if strings.HasPrefix(text, "PROF: ") && runs(text, inIdentifier, profileOnly) == runs(text, inIdentifier,
		func(s string) string { return s }) {
		return text
	}
	return w.Free(text)
}

// profileOnly returns an identifier of the scheduler's figures, and an empty text for any other.
func profileOnly(id string) string {
	if profile[id] || profile[id+":"] || isNumber(id) {
		return id
	}
	return ""
}

// nameFields are the fields of an accounting record with names: queue, host, group, owner, job, account,
// project, department, PE.
var nameFields = []int{0, 1, 2, 3, 4, 6, 31, 32, 33}

// options are the options in a job's category.
var options = set("l pe q U u P soft hard masterq ckpt ar js I y n R now binding scope mods b")

// accounting writes records with colons between their fields. The category may have colons, too.
func (w *writer) accounting(_ string, data []byte) ([]byte, error) {
	return eachLine(data, func(line string) (string, bool) {
		if strings.HasPrefix(line, "#") {
			return "", false
		}
		f := strings.Split(line, ":")
		for i := range f {
			switch {
			case slices.Contains(nameFields, i):
				f[i] = w.Name(f[i])
			case i < categoryField:
				f[i] = w.Value(f[i])
			default:
				f[i] = w.category(f[i])
			}
		}
		return strings.Join(f, ":"), true
	}), nil
}

const categoryField = 39

// nameOptions are the options of a category with a name after them.
var nameOptions = set("-u -U -P -q -pe -masterq -ckpt")

// category writes the requests of a job as options.
func (w *writer) category(text string) string {
	f := strings.Split(text, " ")
	for i := range f {
		if i > 0 && nameOptions[f[i-1]] {
			f[i] = w.Name(f[i])
		} else {
			f[i] = w.ValueOf(f[i], options)
		}
	}
	return strings.Join(f, " ")
}

var (
	jsonNames = set("owner group account qname hostname project department granted_pe job_name")
	jsonDrops = set("submit_command_line submission_command_line submit_host submit_cmd command cwd")
	jsonKey   = regexp.MustCompile(`^[a-z_]+$`)
)

// accountingJSON writes records that are JSON objects.
func (w *writer) accountingJSON(name string, data []byte) ([]byte, error) {
	var b bytes.Buffer
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	for {
		var record map[string]any
		err := in.Decode(&record)
		if err == io.EOF {
			return b.Bytes(), nil
		}
		if err != nil {
			return nil, &importer.Problem{File: name, Err: err}
		}
		line, err := json.Marshal(w.jsonObject(name, record))
		if err != nil {
			return nil, &importer.Problem{File: name, Err: err}
		}
		b.Write(append(line, '\n'))
	}
}

func (w *writer) jsonObject(file string, object map[string]any) map[string]any {
	made := map[string]any{}
	for key, value := range object {
		if jsonDrops[key] || !jsonKey.MatchString(key) {
			continue
		}
		w.isFormat(key)
		switch v := value.(type) {
		case string:
			if jsonNames[key] {
				made[key] = w.Name(v)
			} else {
				made[key] = w.category(v)
			}
		case map[string]any:
			made[key] = w.jsonObject(file, v)
		case json.Number, bool, nil:
			made[key] = v
		default:
			w.leave(file, key, "a list")
		}
	}
	return made
}
