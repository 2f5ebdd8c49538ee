package pbs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/exporter"
)

// listing prints all jobs and subjobs with all attributes.
var listing = []string{"qstat", "-f", "-t", "-F", "json"}

// A listed job has the attributes of qstat -f -F json that orders need.
type listed struct {
	Owner     string                     `json:"Job_Owner"`
	Submitted string                     `json:"ctime"`
	State     string                     `json:"job_state"`
	QueueRank json.Number                `json:"queue_rank"` // may be printed as 1.79524947980989e+15
	Queue     string                     `json:"queue"`
	ExecVnode string                     `json:"exec_vnode"`
	Comment   string                     `json:"comment"`
	Priority  json.Number                `json:"Priority"`
	Resources map[string]json.RawMessage `json:"Resource_List"`
}

// read lists all jobs by id.
func read(ctx context.Context, r exporter.Runner) (map[string]listed, error) {
	results, err := exporter.Ask(ctx, r, listing)
	if err != nil {
		return nil, err
	}
	return parse([]byte(results[0].Out))
}

func parse(text []byte) (map[string]listed, error) {
	var all struct{ Jobs map[string]listed }
	if err := json.Unmarshal(mend(text), &all); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(listing, " "), err)
	}
	return all.Jobs, nil
}

// rank returns the queue rank as a whole number. It is empty if there is none.
func (j *listed) rank() string {
	f, err := j.QueueRank.Float64()
	if err != nil {
		return ""
	}
	return strconv.FormatInt(int64(f), 10)
}

// amount returns the amount of a resource that a job requests. It is empty if the job does not request it.
func (j *listed) amount(resource string) string {
	return string(bytes.Trim(j.Resources[resource], `"`))
}

// priority returns -p. It is 0 if the server shows none.
func (j *listed) priority() string { return cmp.Or(j.Priority.String(), "0") }

// waiting reports whether a job, or some subjob of an array, has not started.
func (j *listed) waiting() bool { return strings.ContainsAny(j.State, "QHWTB") }

// movable reports whether qorder can move a job. It cannot if a part of the job has started. Subjobs move with
// their array.
func (j *listed) movable(id string) bool {
	subjob := strings.Contains(id, "[") && !strings.Contains(id, "[]")
	return !subjob && strings.ContainsAny(j.State, "QHW")
}

// byRank lists the jobs that can move, in the order of their queues.
func byRank(jobs map[string]listed) (order []string) {
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		if j := jobs[id]; j.movable(id) {
			order = append(order, id)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int {
		x, _ := jobs[a].QueueRank.Float64()
		y, _ := jobs[b].QueueRank.Float64()
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return order
}

// mend corrects the JSON of qstat. Several releases print bare words such as 005, escapes that JSON does not
// have, and control characters.
func mend(text []byte) []byte {
	var out bytes.Buffer
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = mendString(&out, text, i)
		case strings.ContainsRune(" \t\r\n,:{}[]", rune(c)):
			out.WriteByte(c)
			i++
		default:
			end := i
			for end < len(text) && !strings.ContainsRune(" \t\r\n,:{}[]\"", rune(text[end])) {
				end++
			}
			if word := text[i:end]; json.Valid(word) {
				out.Write(word)
			} else {
				quoted, _ := json.Marshal(string(word))
				out.Write(quoted)
			}
			i = end
		}
	}
	return out.Bytes()
}

// mendString copies a string that begins at i, and returns its end.
func mendString(out *bytes.Buffer, text []byte, i int) int {
	out.WriteByte('"')
	for i++; i < len(text) && text[i] != '"'; i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && strings.IndexByte(`"\/bfnrtu`, text[i+1]) >= 0:
			out.Write(text[i : i+2])
			i++
		case c == '\\':
			out.WriteString(`\\`)
		case c < ' ':
			out.WriteByte(' ')
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return i + 1
}

// whoseOf returns the owners and times of some jobs.
func whoseOf(all map[string]listed, jobs []string) map[string]string {
	list := map[string]string{}
	for _, id := range jobs {
		if j, there := all[id]; there {
			owner, _, _ := strings.Cut(j.Owner, "@")
			list[id] = exporter.Whose(owner, wallClock(j.Submitted))
		}
	}
	return list
}

// wallClock turns a time of ctime(3) into the form of exporter.WhoseJobs. It is empty for any other text.
func wallClock(text string) string {
	at, err := time.Parse(time.ANSIC, text)
	if err != nil {
		return ""
	}
	return at.Format("2006-01-02T15:04:05")
}
