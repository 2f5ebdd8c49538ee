package gridengine

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// listing is qstat -xml -pri of all jobs. It lists pending jobs in the order in which the scheduler last ranked them.
var listing = []string{"qstat", "-xml", "-pri", "-u", "*"}

// A listed job is a job_list element of qstat -xml -pri.
type listed struct {
	Number   string `xml:"JB_job_number"`
	Prio     string `xml:"JAT_prio"`
	Posix    string `xml:"JB_nppri"`
	Urgency  string `xml:"JB_nurg"`
	Tickets  string `xml:"JAT_ntix"`
	Priority string `xml:"JB_priority"`
	State    string `xml:"state"`
}

// Read asks the master for every job's -p and for the order of pending jobs. A job's -p is Taken when the scheduler has
// computed its posix priority from it, as npprior shows.
func (Priorities) Read(ctx context.Context, r exporter.Runner) (*exporter.Live, error) {
	results, err := r.Run(ctx, [][]string{listing})
	if err != nil {
		return nil, err
	}
	if len(results) != 1 || results[0].Exit != 0 {
		return nil, exporter.Failure(listing, results...)
	}
	jobs, err := parse[listed](results[0].Out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(listing, " "), err)
	}
	return liveOf(jobs)
}

// parse reads the job_list elements.
func parse[T any](text string) ([]T, error) {
	d := xml.NewDecoder(strings.NewReader(strings.Map(printing, text)))
	d.Strict = false // names of jobs are anything
	var jobs []T
	root := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if !root {
				return nil, errors.New("no job_info in the output")
			}
			return jobs, nil
		}
		if err != nil {
			return nil, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		root = root || start.Name.Local == "job_info"
		if start.Name.Local == "job_list" {
			var j T
			if err := d.DecodeElement(&j, &start); err != nil {
				return nil, err
			}
			jobs = append(jobs, j)
		}
	}
}

// printing replaces what XML does not allow and job names may hold.
func printing(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return '?'
	}
	return r
}

// liveOf makes what orders need of a listing. Tasks of an array are one job: it waits if one of them does.
func liveOf(jobs []listed) (*exporter.Live, error) {
	live := &exporter.Live{Jobs: make(map[string]exporter.LiveJob, len(jobs))}
	listed := map[string]bool{}
	for _, j := range jobs {
		p, err := strconv.Atoi(j.Priority)
		if err != nil {
			return nil, fmt.Errorf("job %s: JB_priority %q is no number", j.Number, j.Priority)
		}
		was := live.Jobs[j.Number]
		now := exporter.LiveJob{Values: map[string]string{Priority: j.Priority}, Waiting: was.Waiting || waits(j.State),
			Taken: was.Taken || strings.TrimSpace(j.Posix) == strconv.FormatFloat(float64(p+1024)/2048, 'f', 5, 64), Terms: was.Terms}
		if pending(j.State) && !listed[j.Number] {
			listed[j.Number] = true
			now.Terms = termsOf(j)
			live.Order = append(live.Order, j.Number)
		}
		live.Jobs[j.Number] = now
	}
	return live, nil
}

// termsOf are the terms that a listing prints.
func termsOf(j listed) *exporter.Terms {
	urgency, err := strconv.ParseFloat(strings.TrimSpace(j.Urgency), 64)
	tickets, bad := strconv.ParseFloat(strings.TrimSpace(j.Tickets), 64)
	if err != nil || bad != nil {
		return nil
	}
	return &exporter.Terms{Urgency: urgency, Tickets: tickets}
}

// waits reports whether a state is of a task that has not started.
func waits(state string) bool {
	return strings.ContainsRune(state, 'q') || strings.ContainsRune(state, 'E')
}

// pending reports whether the scheduler ranks tasks of a state: those that are neither held nor in error.
func pending(state string) bool { return waits(state) && !strings.ContainsAny(state, "hEd") }

// Rights asks who is manager or operator: only they may raise -p, and alter jobs of others.
func (Priorities) Rights(ctx context.Context, r exporter.Runner, _ []model.Order) (missing string, err error) {
	commands := [][]string{{"id", "-un"}, {"qconf", "-sm"}, {"qconf", "-so"}}
	results, err := r.Run(ctx, commands)
	if err != nil {
		return "", err
	}
	if len(results) != len(commands) {
		return "", fmt.Errorf("%d commands, %d results", len(commands), len(results))
	}
	if results[0].Exit != 0 {
		return "", exporter.Failure(commands[0], results[0])
	}
	if results[1].Exit != 0 {
		return "", exporter.Failure(commands[1], results[1])
	}
	user := strings.TrimSpace(results[0].Out) // qconf -so fails where there is no operator
	if slices.Contains(exporter.Lines(results[1].Out), user) || slices.Contains(exporter.Lines(results[2].Out), user) {
		return "", nil
	}
	return fmt.Sprintf("%s is neither manager nor operator (qconf -sm, -so): only they may raise -p, or alter jobs of others; as a manager: qconf -ao %s", user, user), nil
}
