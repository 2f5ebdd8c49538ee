package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"qprism/fixtures/master"
	"qprism/importer/collect"
)

// mostCost is how many times the master's processor time of qstat -f -u '*' a full capture may cost. The middle of three was
// ten times, of which qstat -j is five.
const mostCost = 15

// TestACaptureIsGentle measures what a capture costs a real master with many waiting jobs, beside the usual question of a
// monitoring script, and how long another client waits meanwhile.
func TestACaptureIsGentle(t *testing.T) {
	if *liveJobs == 0 {
		t.Skip("make bench-gentle")
	}
	s := &scale{t: t, m: busyMaster(t)}
	alone := s.weighIdle()
	state := t.TempDir()
	capture := func(full bool) {
		o := collect.Routine()
		o.Full, o.State = full, state
		if report, err := collect.Bundle(t.Context(), s, t.TempDir(), o); err != nil || len(report.Lacking) > 0 {
			t.Fatal(report, err)
		}
	}
	watch := func() { _, _, _, _ = s.Run(t.Context(), []string{"qstat", "-f", "-u", "*"}, io.Discard) }
	kinds := []string{"a monitoring script: qstat -f -u '*'", "a capture of all facts", "a capture soon after"}
	do := []func(){watch, func() { capture(true) }, func() { capture(false) }}
	const times = 3
	runs := make([][]weighed, len(kinds))
	for range times {
		for i, kind := range kinds {
			w := s.weigh(do[i])
			t.Logf("%s: %.2f s of the master's processor in %.0f s", kind, w.processor, w.took.Seconds())
			runs[i] = append(runs[i], w)
		}
	}
	rows := []string{"| what is asked | commands | master's processor | largest answer | all answers | time | others wait | at most |",
		"|---|---|---|---|---|---|---|---|", fmt.Sprintf("| nothing | 0 | %.4f s a second | | | | %s |", s.idle, waits(alone))}
	for i, kind := range kinds {
		slices.SortFunc(runs[i], func(a, b weighed) int { return int(1e6 * (a.processor - b.processor)) })
		w := runs[i][times/2]
		rows = append(rows, fmt.Sprintf("| %s | %d | %.2f s | %.1f MB | %.1f MB | %.0f s | %s |", kind, len(w.questions), w.processor,
			w.largest, w.all, w.took.Seconds(), waits(w.waits)))
	}
	t.Logf("%d jobs, %d hosts\n%s\n%s", *liveJobs, *liveHosts, strings.Join(rows, "\n"), runs[1][times/2].dearest())
	script, full, soon := runs[0][times/2].processor, runs[1][times/2].processor, runs[2][times/2].processor
	if full > mostCost*script || soon >= full {
		t.Errorf("qstat -f costs the master %.2f s, a capture of all facts %.2f s, one soon after %.2f s", script, full, soon)
	}
}

// busyMaster is a master that has filled its hosts, and on which so many jobs wait. qresub copies most of them: it takes a
// twentieth of the time of qsub.
func busyMaster(t *testing.T) *master.Master {
	m := master.Start(t, master.Options{})
	cluster, jobs := liveCluster(*liveJobs+4**liveHosts, *liveHosts)
	const first = 1000
	if err := errors.Join(m.Apply(cluster), m.SubmitAll(jobs[:min(len(jobs), first)])); err != nil {
		t.Fatal(err)
	}
	list, err := m.Run("qstat", "-u", "*")
	ids := map[string][]string{}
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); len(f) > 3 && f[2] == "live" {
			ids[f[3]] = append(ids[f[3]], f[0])
		}
	}
	for n := 2 * first; n <= len(jobs); n += first {
		for user, jobs := range ids {
			_, failed := m.Run("setpriv", "--reuid="+user, "--clear-groups", "--", "qresub", strings.Join(jobs, ","))
			err = errors.Join(err, failed)
		}
	}
	if _, failed := m.Trigger(); failed != nil || err != nil {
		t.Fatal(err, failed)
	}
	return m
}

// A scale runs commands, and weighs what each costs the master.
type scale struct {
	t         *testing.T
	m         *master.Master
	idle      float64 // processor seconds a second of a master that is asked nothing
	questions []question
}

// A question is a command, and what it cost.
type question struct {
	argv      string
	processor float64
	megabytes float64
}

// Run is that of a collect.Runner.
func (s *scale) Run(_ context.Context, argv []string, stdout io.Writer) (status int, complaints string, took time.Duration, err error) {
	var out, said bytes.Buffer
	c := s.m.Command(argv...)
	c.Stdout, c.Stderr = &out, &said
	before, begin := s.processor(), time.Now()
	err = c.Run()
	took = time.Since(begin)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status, err = exit.ExitCode(), nil
	}
	s.questions = append(s.questions, question{strings.Join(argv, " "), s.processor() - before, float64(out.Len()) / 1e6})
	_, failed := out.WriteTo(stdout)
	return status, said.String(), took, errors.Join(err, failed)
}

// processor is how many seconds of processor the master has used.
func (s *scale) processor() float64 {
	text, err := s.m.Run("sh", "-c", `cd "$SGE_ROOT/spool/qmaster"
		sed 's/.*) //' "/proc/$(cat qmaster.pid)/stat" | awk '{ print ($12 + $13) / 100 }'`)
	seconds, invalid := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || invalid != nil {
		s.t.Fatal(err, invalid)
	}
	return seconds
}

// weighIdle weighs a master that is asked nothing, and returns how long another client waits then. After many starts it is busy for
// a while. Its scheduler runs every ten minutes at least, which takes seconds: the middle of several runs leaves that out.
func (s *scale) weighIdle() []float64 {
	const long = 30 * time.Second
	time.Sleep(2 * long)
	before := s.processor()
	time.Sleep(long)
	s.idle = (s.processor() - before) / long.Seconds()
	return s.beside(func() { time.Sleep(long) })
}

// weighed is what something cost the master.
type weighed struct {
	processor    float64 // seconds, without those of an idle master
	all, largest float64 // megabytes of answers
	took         time.Duration
	questions    []question
	waits        []float64 // seconds that another client waited, each time
}

// weigh does something once alone, and once beside another client.
func (s *scale) weigh(do func()) (w weighed) {
	s.questions = nil
	before, begin := s.processor(), time.Now()
	do()
	w.took, w.questions = time.Since(begin), s.questions
	w.processor = s.processor() - before - s.idle*w.took.Seconds()
	for _, q := range w.questions {
		w.all, w.largest = w.all+q.megabytes, max(w.largest, q.megabytes)
	}
	w.waits = s.beside(do)
	return w
}

// beside asks something small again and again while something is done, and returns how many seconds each answer took.
func (s *scale) beside(do func()) (list []float64) {
	ctx, over := context.WithCancel(s.t.Context())
	var asking sync.WaitGroup
	asking.Go(func() {
		for ctx.Err() == nil {
			begin := time.Now()
			if _, err := s.m.Run("qstat", "-j", "1"); err != nil {
				s.t.Error(err)
			}
			list = append(list, time.Since(begin).Seconds())
			time.Sleep(100 * time.Millisecond)
		}
	})
	do()
	over()
	asking.Wait()
	return list
}

// waits are the middle and the longest of times.
func waits(list []float64) string {
	slices.Sort(list)
	return fmt.Sprintf("%.0f ms | %.0f ms", 1000*list[len(list)/2], 1000*list[len(list)-1])
}

// dearest are the commands that cost the master most.
func (w weighed) dearest() string {
	slices.SortStableFunc(w.questions, func(a, b question) int { return int(1e6 * (b.processor - a.processor)) })
	text := "| command | master's processor | answer |\n|---|---|---|"
	for _, q := range w.questions[:min(len(w.questions), 8)] {
		text += fmt.Sprintf("\n| %.60s | %.2f s | %.1f MB |", q.argv, q.processor, q.megabytes)
	}
	return text
}
