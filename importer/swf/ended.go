package swf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// Of makes a log of ended tasks. Names become numbers in order of appearance; comments in the header list them.
// Tasks of an array become separate jobs, with numbers in the order of submission. The log lacks the master's
// job numbers.
func Of(tasks []model.EndedTask, computer string) *Log {
	tasks = slices.Clone(tasks)
	slices.SortStableFunc(tasks, func(a, b model.EndedTask) int {
		return cmp.Or(a.Submitted.Compare(b.Submitted), cmp.Compare(a.Job, b.Job), cmp.Compare(a.Task, b.Task),
			a.Started.Compare(b.Started))
	})
	var start, end time.Time
	for i, t := range tasks {
		if i == 0 {
			start = t.Submitted
		}
		if t.Ended.After(end) {
			end = t.Ended
		}
	}
	n := &names{}
	l := &Log{}
	for i := range tasks {
		l.Jobs = append(l.Jobs, n.job(int64(i+1), &tasks[i], start))
	}
	l.Header = []Comment{{"Version", "2.2"}, {"Computer", computer}, {"MaxJobs", strconv.Itoa(len(tasks))},
		{"MaxRecords", strconv.Itoa(len(tasks))},
		{"UnixStartTime", strconv.FormatInt(unix(start), 10)}, {"TimeZoneString", "UTC"}}
	if !start.IsZero() {
		l.Header = append(l.Header, Comment{"StartTime", start.UTC().Format(time.ANSIC)},
			Comment{"EndTime", end.UTC().Format(time.ANSIC)})
	}
	l.Header = append(l.Header, n.comments()...)
	return l
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// names gives numbers to names, because the format has only numbers.
type names struct {
	users, groups, queues, programs, hosts []string
}

func numberOf(list *[]string, name string) int64 {
	if name == "" {
		return unknown
	}
	i := slices.Index(*list, name)
	if i < 0 {
		i = len(*list)
		*list = append(*list, name)
	}
	return int64(i + 1)
}

func (n *names) job(number int64, t *model.EndedTask, start time.Time) Job {
	slots := max(int64(t.Slots), 1)
	j := Job{Number: number, Submit: t.Submitted.Sub(start).Seconds(), Wait: unknown, Run: t.Wallclock.Seconds(),
		Processors: slots,
		CPU:        t.CPU / float64(slots), Memory: unknown, AskedProcessors: slots, AskedTime: askedTime(t.Category),
		AskedMemory: unknown,
		Status:      Completed, User: numberOf(&n.users, t.Owner), Group: numberOf(&n.groups, t.Group),
		Executable: numberOf(&n.programs, t.Name),
		Queue:      numberOf(&n.queues, t.Queue), Partition: numberOf(&n.hosts, t.Host), Preceding: unknown, Think: unknown}
	if t.MaxVMem > 0 {
		j.Memory = math.Round(t.MaxVMem / 1024 / float64(slots))
	}
	switch {
	case t.Started.IsZero():
		j.Status, j.Run, j.CPU = Cancelled, unknown, unknown
	default:
		j.Wait = max(t.Started.Sub(t.Submitted).Seconds(), 0)
		if j.Run == 0 && t.Ended.After(t.Started) {
			j.Run = t.Ended.Sub(t.Started).Seconds()
		}
		if t.Failed != 0 || t.ExitStatus != 0 {
			j.Status = Failed
		}
	}
	return j
}

// askedTime returns the h_rt of a category's requests, in seconds.
func askedTime(category string) float64 {
	for _, request := range strings.FieldsFunc(category, func(r rune) bool { return r == ' ' || r == ',' }) {
		if text, is := strings.CutPrefix(request, "h_rt="); is {
			if n, err := model.ParseNumber(text); err == nil && n >= 0 && n < 1<<53 {
				return n
			}
			return unknown
		}
	}
	return unknown
}

// comments lists the names for the numbers.
func (n *names) comments() (list []Comment) {
	for _, kind := range []struct {
		key   string
		names []string
	}{{"User", n.users}, {"Group", n.groups}, {"Executable", n.programs}, {"Queue", n.queues}, {"Partition", n.hosts}} {
		for i, name := range kind.names {
			list = append(list, Comment{kind.key, fmt.Sprintf("%d %s", i+1, strconv.Quote(name))})
		}
	}
	return list
}

// Ended makes ended tasks from the jobs of a log. A number that the header has no name for gets one: "user7".
func (l *Log) Ended() []model.EndedTask {
	start, _ := strconv.ParseInt(l.Value("UnixStartTime"), 10, 64)
	if start < 0 || start > 1<<40 {
		start = 0
	}
	known := l.names()
	var tasks []model.EndedTask
	for i := range l.Jobs {
		tasks = append(tasks, l.Jobs[i].ended(time.Unix(start, 0).UTC(), known))
	}
	return tasks
}

// names returns the names that the header gives to numbers, by key and number.
func (l *Log) names() map[string]string {
	known := map[string]string{}
	for _, c := range l.Header {
		number, quoted, found := strings.Cut(c.Value, " ")
		if name, err := strconv.Unquote(quoted); found && err == nil {
			known[c.Key+" "+number] = name
		}
	}
	return known
}

func (j *Job) ended(start time.Time, known map[string]string) model.EndedTask {
	named := func(key string, n int64) string {
		if n < 0 {
			return ""
		}
		if name, is := known[fmt.Sprintf("%s %d", key, n)]; is {
			return name
		}
		return fmt.Sprintf("%s%d", strings.ToLower(key), n)
	}
	t := model.EndedTask{Job: uint32(min(max(j.Number, 0), math.MaxUint32)), Task: 1,
		Name:  named("Executable", j.Executable),
		Owner: named("User", j.User),
		Group: named("Group", j.Group), Queue: named("Queue", j.Queue), Host: named("Partition", j.Partition),
		Slots:     int(max(j.slots(), 0)),
		Submitted: start.Add(seconds(j.Submit)), Wallclock: seconds(max(j.Run, 0)),
		CPU:     max(j.CPU, 0) * float64(max(j.slots(), 1)),
		MaxVMem: max(j.Memory, 0) * 1024 * float64(max(j.slots(), 1))}
	if j.Wait >= 0 && j.Status != Cancelled {
		t.Started = t.Submitted.Add(seconds(j.Wait))
		t.Ended = t.Started.Add(t.Wallclock)
	}
	if j.Status == Failed {
		t.ExitStatus = 1
	}
	if j.AskedTime >= 0 {
		t.Category = fmt.Sprintf("-l h_rt=%s", strconv.FormatFloat(j.AskedTime, 'f', -1, 64))
	}
	return t
}

// slots returns the processors that the job had. If unknown, it returns the requested ones.
func (j *Job) slots() int64 {
	if j.Processors > 0 {
		return j.Processors
	}
	return j.AskedProcessors
}

// seconds limits a duration to the range of its type.
func seconds(n float64) time.Duration {
	return time.Duration(min(max(n, -1<<32), 1<<32) * float64(time.Second))
}
