package gridengine

import (
	"regexp"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// Priorities sets -p by qalter(1) and reads it by qstat(1).
type Priorities struct{}

// Priority is the attribute that Grid Engine orders set.
const Priority = "priority"

// jobsPerCall limits the length of a command line. Job numbers have up to ten digits, and one argument may have
// 128 KiB.
const jobsPerCall = 2000

// The least and greatest -p that the master accepts, sge_priority(5).
const (
	MinP = -1023
	MaxP = 1024
)

// Kind returns "qalter -p", because each priority is a call of qalter -p.
func (Priorities) Kind() string { return "qalter -p" }

// SystemOf returns the System for a kind of pushes. It is nil if the kind is not one of Grid Engine.
func SystemOf(kind string) exporter.System {
	if kind == (Priorities{}).Kind() {
		return Priorities{}
	}
	return nil
}

// Orders returns orders that set -p.
func (Priorities) Orders(changes []exporter.PriorityChange) []model.Order {
	return exporter.PriorityOrders(Priority, changes)
}

// Commands returns a call of qalter for each priority, the highest first.
func (Priorities) Commands(orders []model.Order) (list []exporter.Command) {
	for _, group := range exporter.ByPriority(orders, jobsPerCall) {
		jobs := make([]string, len(group))
		for i, k := range group {
			jobs[i] = orders[k].Job
		}
		list = append(list, exporter.Command{Args: []string{"qalter", "-p", orders[group[0]].To,
			strings.Join(jobs, ",")}, Orders: group})
	}
	return list
}

// Undo returns the order that sets the old -p of the job.
func (Priorities) Undo(o model.Order) (model.Order, bool) { return exporter.Inverse(o), true }

// Chained is false: no command needs the success of another one.
func (Priorities) Chained() bool { return false }

// Answers of qalter of 8.1.9 about a job. If operator rights are missing, its answer does not name the job.
var (
	agreed  = regexp.MustCompile(`^\S+ sets scheduling priority of job (\d+) to (-?\d+)$`)
	absent  = regexp.MustCompile(`^denied: job "(\d+)" does not exist$`)
	foreign = regexp.MustCompile(`^denied: "[^"]*" must be at least owner of job (\d+) to change job attributes$`)
	denial  = regexp.MustCompile(`^(denied: |rejected due to )`)
)

// Answers reads the output of qalter. It has a line for each job, in order. If the call did not reach the
// master, or the output was cut short, some jobs have no answer.
func (Priorities) Answers(c exporter.Command, orders []model.Order, r exporter.Result) []exporter.Answer {
	answers := make([]exporter.Answer, len(c.Orders))
	lines := exporter.Lines(r.Text())
	if reason := wholeCall(lines, r.Exit); reason != "" {
		for i := range answers {
			answers[i] = exporter.Answer{Known: true, Refused: true, Words: reason}
		}
		return answers
	}
	next := 0 // the job of the next line, unless the line names another one
	for _, line := range lines {
		job, a, ok := read(line)
		if !ok {
			continue
		}
		if job != "" {
			for k := range c.Orders {
				if at := (next + k) % len(c.Orders); orders[c.Orders[at]].Job == job {
					next = at
					break
				}
			}
		}
		if next < len(answers) && (job == "" || orders[c.Orders[next]].Job == job) {
			answers[next] = a
			next++
		}
	}
	if r.Exit == 0 {
		agree(answers)
	}
	return answers
}

// agree notes success for answers in the words of an unknown release, if the call succeeded.
func agree(answers []exporter.Answer) {
	for i := range answers {
		if !answers[i].Known {
			answers[i] = exporter.Answer{Known: true, Words: "accepted"}
		}
	}
}

// read reads a line about a job. job is empty if the line does not name it.
func read(line string) (job string, a exporter.Answer, ok bool) {
	a = exporter.Answer{Known: true, Words: line}
	if m := agreed.FindStringSubmatch(line); m != nil {
		return m[1], a, true
	}
	a.Refused = true
	if m := absent.FindStringSubmatch(line); m != nil {
		a.Gone = true
		return m[1], a, true
	}
	if m := foreign.FindStringSubmatch(line); m != nil {
		return m[1], a, true
	}
	return "", a, denial.MatchString(line)
}

// wholeCall returns why the master did nothing at all, if the output says so.
func wholeCall(lines []string, exit int) string {
	if exit == 0 {
		return ""
	}
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "No job modification allowed"), strings.HasPrefix(line, "qalter: "),
			strings.HasPrefix(line, "error: no suitable queues"):
			return line
		case strings.HasPrefix(line, "qprism-gate: not permitted"), strings.HasPrefix(line, "denied: host "),
			strings.HasPrefix(line, "denied: the selected option"):
			return line
		}
	}
	return ""
}
