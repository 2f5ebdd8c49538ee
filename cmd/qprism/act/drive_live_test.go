package act

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/adapters/shell"
	"qprism/cmd/qprism/cli"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

// drivenCluster has hosts with two queues, parallel environments of each kind, two users whose jobs are driven and one whose are not.
func drivenCluster(t *testing.T, hosts, slots int) *room {
	t.Helper()
	m := master.Start(t, master.Options{})
	s := master.Scenario{
		Queues: []master.Object{{"qname": "all.q", "slots": master.Value(strconv.Itoa(slots)), "pe_list": "fill round two one"},
			{"qname": "other.q", "slots": "2", "seq_no": "9", "pe_list": "fill"}},
		PEs: []master.Object{{"pe_name": "fill", "slots": "900", "allocation_rule": "$fill_up"},
			{"pe_name": "round", "slots": "900", "allocation_rule": "$round_robin"},
			{"pe_name": "two", "slots": "900", "allocation_rule": "2"}, {"pe_name": "one", "slots": "900", "allocation_rule": "$pe_slots"}},
		Users: []master.Object{{"name": "anna"}, {"name": "ben"}, {"name": "carl"}},
	}
	for i := range hosts {
		s.Hosts = append(s.Hosts, master.Object{"name": master.Value(fmt.Sprintf("node%02d", i+1))})
	}
	must(t, m.Apply(s))
	return &room{Master: m}
}

// submit submits jobs.
func (r *room) submit(t *testing.T, jobs ...master.Job) (numbers []string) {
	t.Helper()
	for _, j := range jobs {
		n, err := r.Submit(j)
		must(t, err)
		numbers = append(numbers, fmt.Sprint(n))
	}
	return numbers
}

// drive runs drive as a person would; a scheduler run comes whenever it waits.
func (r *room) drive(d *cli.Deps, host shell.Host, change func(*driveOptions)) (driveReport, string, error) {
	opts := newDriveOptions()
	opts.host, opts.apply, opts.once, opts.own = host, true, true, []string{"user=anna,ben"}
	opts.await, opts.lockDir = 100*time.Millisecond, filepath.Join(r.Root, "locks")
	opts.sleep = func(context.Context, time.Duration) error { _, err := r.Trigger(); return err }
	if change != nil {
		change(&opts)
	}
	var out, warn bytes.Buffer
	err := runDrive(context.Background(), d, opts, nil, &out, &warn)
	var report driveReport
	if out.Len() > 0 {
		if bad := json.Unmarshal(out.Bytes(), &report); bad != nil && err == nil {
			err = bad
		}
	}
	return report, warn.String(), err
}

var changing = regexp.MustCompile(`(?m)^(version|usage|binding|scheduling info|hard resource_list:\s*$|soft resource_list:\s*$).*\n(?:\s{5,}.*\n)*`)

// described is qstat -j of jobs that remain, without what a job's start or a change and its reversal leave: the job's version, usage,
// messages, and the name of an empty list.
func (r *room) described(t *testing.T, jobs []string) map[string]string {
	t.Helper()
	text, err := r.Master.Run("qstat", "-j", strings.Join(jobs, ","))
	must(t, err)
	list := map[string]string{}
	for _, part := range strings.Split(text, strings.Repeat("=", 62)+"\n")[1:] {
		number := strings.Fields(part)[1]
		list[number] = changing.ReplaceAllString(part+"\n", "")
	}
	if len(list) != len(jobs) {
		t.Fatalf("%d of %d jobs are described:\n%s", len(list), len(jobs), text)
	}
	return list
}

// inState lists jobs as qstat -s selects them: "r" running, "ho" with an operator hold.
func (r *room) inState(t *testing.T, kind string) (jobs []string) {
	t.Helper()
	text, err := r.Master.Run("qstat", "-u", "*", "-s", kind)
	must(t, err)
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 4 && regexp.MustCompile(`^\d+$`).MatchString(f[0]) {
			jobs = append(jobs, f[0])
		}
	}
	slices.SortFunc(jobs, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return jobs
}

// TestFiftyJobsStartWhereTheyWereDecided: sequential jobs, arrays and parallel ones of each allocation rule, while jobs of somebody else
// run on the same hosts under the native scheduler. What waits at the end has its requests and holds as before.
func TestFiftyJobsStartWhereTheyWereDecided(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 10, 14)
	var jobs []master.Job
	for i := range 36 {
		j := master.Job{User: []string{"anna", "ben"}[i%2]}
		switch i % 6 {
		case 1:
			j.Resources = "h_rt=7200"
		case 2:
			j.Queues, j.SoftResources = "all.q", "mem_free=1G"
		case 3:
			j.Resources = "hostname=node0*"
		}
		jobs = append(jobs, j)
	}
	for i := range 12 {
		jobs = append(jobs, master.Job{User: "anna", PE: []string{"fill 5", "round 3", "two 4", "one 3"}[i%4]})
	}
	jobs = append(jobs, master.Job{User: "ben", Tasks: "1-6"}, master.Job{User: "ben", PE: "round 2-6"})
	big := master.Job{User: "anna", PE: "fill 200"} // never
	held := master.Job{User: "anna", Hold: true}
	foreign := []master.Job{{User: "carl"}, {User: "carl", Tasks: "1-12"}, {User: "carl", PE: "fill 6"}}
	mine := r.submit(t, jobs...)
	rest := r.submit(t, big, held)
	mine = append(mine, rest...)
	operators := r.submit(t, master.Job{User: "anna"})
	_, err := r.Master.Run("qalter", "-h", "o", operators[0])
	must(t, err)
	theirs := r.submit(t, foreign...)
	all := slices.Concat(mine, operators, theirs)
	before := r.described(t, all)

	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "json"}
	confirmed, steps := map[string]int{}, 0
	for ; steps < 12; steps++ {
		report, said, err := r.drive(d, r, nil)
		if err != nil {
			t.Fatalf("step %d: %v\n%s", steps+1, err, said)
		}
		for _, s := range report.Starts {
			tasks, _ := model.ParseTasks(s.Tasks)
			if s.State != string(model.OrderConfirmed) {
				t.Errorf("step %d: job %s %s decided for %s: %s, %s", steps+1, s.Job, s.Tasks, s.Places, s.State, s.Words)
			} else {
				confirmed[s.Job] += len(tasks)
			}
		}
		t.Logf("step %d: %d starts, %d left", steps+1, len(report.Starts), len(report.Left))
		for _, l := range report.Left {
			t.Logf("  %d: %s", l.Job, l.Why)
		}
		if len(report.Starts) == 0 && len(report.Left) == 0 {
			break
		}
		if h := r.inState(t, "ho"); !slices.Contains(h, rest[0]) || slices.Contains(h, theirs[0]) {
			t.Errorf("held are %v", h)
		}
	}
	if len(confirmed) < 50 || confirmed[mine[48]] != 6 {
		t.Errorf("%d jobs started where they were decided, want 50: %v", len(confirmed), confirmed)
	}
	r.takesOverDefaultHolds(t, d)
	_, said, err := r.drive(d, r, func(o *driveOptions) { o.apply, o.once, o.release = true, false, true })
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if h := r.inState(t, "ho"); !slices.Equal(h, operators) {
		t.Errorf("after all is given back %v have an operator hold, before %v", h, operators)
	}
	if h := r.inState(t, "hu"); !slices.Equal(h, rest[1:]) {
		t.Errorf("%v have a user hold, before %v", h, rest[1:])
	}
	after := r.described(t, all)
	for _, job := range all {
		if before[job] != after[job] {
			t.Errorf("job %s was\n%s\nand is\n%s", job, before[job], after[job])
		}
	}
	t.Logf("%d jobs and %d tasks in %d steps", len(confirmed), sum(confirmed), steps+1)
}

// takesOverDefaultHolds: where all jobs are submitted with -h, which sge_request(5) can ask of all, none is faster than drive. It lays its
// own hold, and the other one can be lifted.
func (r *room) takesOverDefaultHolds(t *testing.T, d *cli.Deps) {
	t.Helper()
	defaults := filepath.Join(r.Root, "default", "common", "sge_request")
	must(t, os.WriteFile(defaults, []byte("-h\n"), 0o644))
	job := r.submit(t, master.Job{User: "anna"})[0]
	must(t, os.Remove(defaults))
	if !slices.Contains(r.inState(t, "hu"), job) {
		t.Errorf("job %s has no user hold", job)
	}
	if report, said, err := r.drive(d, r, nil); err != nil || len(report.Starts) > 0 || !slices.Contains(r.inState(t, "ho"), job) {
		t.Errorf("a job with a user hold: %v, %+v\n%s", err, report.Starts, said)
	}
	_, err := r.Master.Run("qalter", "-h", "U", job)
	must(t, err)
	if report, said, err := r.drive(d, r, nil); err != nil || len(report.Starts) != 1 || report.Starts[0].Job != job ||
		report.Starts[0].State != string(model.OrderConfirmed) {
		t.Errorf("without it: %v, %+v\n%s", err, report.Starts, said)
	}
}

func sum(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

// TestDrivenJobsAndOthersNeverFight: on a cluster with too few slots, where jobs of somebody else wait as well, and are deleted one after
// the other to make room. Both start, and what is driven starts where it was decided or not at all.
func TestDrivenJobsAndOthersNeverFight(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 2, 4)
	var mine, theirs []string
	for i := range 12 {
		mine = append(mine, r.submit(t, master.Job{User: "anna", PE: []string{"", "fill 3", "round 2"}[i%3], Queues: "all.q"})...)
		theirs = append(theirs, r.submit(t, master.Job{User: "carl", Queues: "all.q"})...)
	}
	before := r.described(t, mine)
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "json"}
	started := map[string]string{} // where
	others, missed := map[string]bool{}, 0
	for step := range 8 {
		report, said, err := r.drive(d, r, func(o *driveOptions) {
			if step == 0 {
				o.maxChanges = 5
			}
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		if step == 0 && (len(report.Starts) > 5 || !strings.Contains(said, "held from now on: 5 jobs") ||
			!strings.Contains(said, "7 jobs are held at a later step")) {
			t.Errorf("with --max-changes 5, %d started:\n%s", len(report.Starts), said)
		}
		for _, s := range report.Starts {
			switch {
			case s.State == string(model.OrderConfirmed):
				started[s.Job] = s.Places
			case strings.Contains(s.Words, "started"):
				t.Errorf("job %s was decided for %s: %s", s.Job, s.Places, s.Words)
			default:
				missed++
			}
		}
		trigger(t, r.Master) // the scheduler has a run of its own
		running := r.inState(t, "r")
		for _, job := range running {
			if slices.Contains(theirs, job) {
				others[job] = true
			}
		}
		if gone := running[:min(3, len(running))]; step%2 == 1 && len(gone) > 0 { // room for some more
			_, err := r.Master.Run("qdel", "-f", strings.Join(gone, ","))
			must(t, err)
		}
	}
	if len(started) < 3 || len(others) == 0 {
		t.Errorf("%d driven jobs started, and %d others", len(started), len(others))
	}
	r.release(t, d)
	if h := r.inState(t, "ho"); len(h) > 0 {
		t.Errorf("%v are held", h)
	}
	after, err := r.Master.Run("qstat", "-u", "anna", "-s", "p")
	must(t, err)
	for _, job := range mine {
		if regexp.MustCompile(`(?m)^\s*`+job+` `).MatchString(after) && r.described(t, []string{job})[job] != before[job] {
			t.Errorf("job %s has another request than before", job)
		}
	}
	t.Logf("%d driven jobs started where decided, %d starts were not taken up, and %d of %d others ran", len(started), missed, len(others),
		len(theirs))
}
