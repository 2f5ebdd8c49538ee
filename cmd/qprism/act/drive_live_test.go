package act

import (
	"bytes"
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
	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/cli"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

// drivenCluster has hosts with two queues, parallel environments of each kind, two users whose jobs are
// driven and one whose are not.
func drivenCluster(t *testing.T, hosts, slots int) *room {
	t.Helper()
	m := master.Start(t, master.Options{})
	s := master.Scenario{
		Queues: []master.Object{{"qname": "all.q", "slots": master.Value(strconv.Itoa(slots)),
			"pe_list": "fill round two one"},
			{"qname": "other.q", "slots": "2", "seq_no": "9", "pe_list": "fill"}},
		PEs: []master.Object{{"pe_name": "fill", "slots": "900", "allocation_rule": "$fill_up"},
			{"pe_name": "round", "slots": "900", "allocation_rule": "$round_robin"},
			{"pe_name": "two", "slots": "900", "allocation_rule": "2"},
			{"pe_name": "one", "slots": "900", "allocation_rule": "$pe_slots"}},
		SchedConf: master.Object{"weight_priority": "1", "weight_urgency": "0.1", "weight_ticket": "0.01",
			"max_reservation": "9"},
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

// drive runs drive as a person would.
func (r *room) drive(d *cli.Deps, host shell.Host, change func(*drive.Options)) (drive.Report, string, error) {
	opts := drive.NewOptions()
	opts.Host, opts.Apply, opts.Once, opts.Own = host, true, true, []string{"user=anna,ben"}
	opts.RunNow = false // the test says when
	opts.LockDir = filepath.Join(r.Root, "locks")
	opts.Sleep = func(context.Context, time.Duration) error { _, err := r.Trigger(); return err }
	if change != nil {
		change(&opts)
	}
	var out, warn bytes.Buffer
	err := drive.Run(context.Background(), d, opts, nil, &out, &warn)
	var report drive.Report
	if out.Len() > 0 {
		if bad := json.Unmarshal(out.Bytes(), &report); bad != nil && err == nil {
			err = bad
		}
	}
	return report, warn.String(), err
}

var changing = regexp.MustCompile(
	`(?m)^(version|jid_successor_list|usage|binding|scheduling info|hard resource_list:\s*$|soft resource_list:\s*$|jid_predecessor_list \(req\):\s*$).*\n(?:\s{5,}.*\n)*`)

// described is qstat -j of jobs that remain, without what a job's start or a change and its reversal leave:
// the job's version, usage, messages, the name of an empty list, and who waits for it.
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

// priorities are the -p of waiting jobs.
func (r *room) priorities(t *testing.T) map[string]int {
	t.Helper()
	text, err := r.Master.Run("qstat", "-u", "*", "-pri", "-s", "p")
	must(t, err)
	list := map[string]int{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 6 && regexp.MustCompile(`^\d+$`).MatchString(f[0]) {
			p, err := strconv.Atoi(f[5])
			must(t, err)
			list[f[0]] = p
		}
	}
	return list
}

// free ends what runs.
func (r *room) free(t *testing.T) {
	t.Helper()
	_, err := r.Master.Run("qdel", "-f", strings.Join(r.inState(t, "r"), ","))
	must(t, err)
}

// notNow is a file of rules by which no job may start.
func notNow(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yaml")
	must(t, os.WriteFile(file, []byte("- {not_now: a test}\n"), 0o600))
	return file
}

// TestTheSchedulerGoesByADrivesOrder: jobs wait in the order of their submission, and start in the reverse
// one. Nothing is held meanwhile, a job that comes between two steps is behind all others, and finds its
// place in the next one.
func TestTheSchedulerGoesByADrivesOrder(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 1, 2)
	jobs := r.submit(t, slices.Repeat([]master.Job{{User: "anna", Queues: "all.q"}}, 8)...)
	before := r.described(t, jobs)
	backwards := slices.Clone(jobs)
	slices.Reverse(backwards)
	d := newStore(t, "json")
	step := func(order []string) drive.Report {
		t.Helper()
		file := orderFile(t, order)
		report, said, err := r.drive(d, r, func(o *drive.Options) { o.Own, o.Order = []string{"all"}, file })
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		for _, o := range report.Orders {
			if o.State != string(model.OrderConfirmed) {
				t.Errorf("%+v", o)
			}
		}
		return report
	}
	step(backwards)
	if again := step(backwards); len(again.Orders) > 0 {
		t.Errorf("a second step orders %+v", again.Orders)
	}
	new := r.submit(t, master.Job{User: "ben", Queues: "all.q"})[0]
	for n := range 2 {
		trigger(t, r.Master)
		want := slices.Sorted(slices.Values(backwards[2*n : 2*n+2]))
		if running := slices.Sorted(slices.Values(r.inState(t, "r"))); !slices.Equal(running, want) {
			t.Errorf("running are %v, wanted %v\n%v", running, backwards[2*n:], r.priorities(t))
		}
		r.free(t)
	}
	step(append([]string{new}, backwards...))
	trigger(t, r.Master)
	want := slices.Sorted(slices.Values([]string{backwards[4], new}))
	if running := slices.Sorted(slices.Values(r.inState(t, "r"))); !slices.Equal(running, want) {
		t.Errorf("running are %v, wanted %v", running, want)
	}
	if h := r.inState(t, "ho"); len(h) > 0 {
		t.Errorf("held are %v", h)
	}
	r.release(t, d)
	left := backwards[5:]
	for job, text := range r.described(t, left) {
		if text != before[job] {
			t.Errorf("job %s was\n%s\nand is\n%s", job, before[job], text)
		}
	}
}

// TestRulesAreKeptAndLeaveNothingBehind: where jobs start and that others do not, what users see of it in
// qstat -j, and that a job which has started, and all when everything is given back, have the requests that
// they had.
func TestRulesAreKeptAndLeaveNothingBehind(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 3, 2)
	jobs := r.submit(t, master.Job{User: "anna", Queues: "all.q"},
		master.Job{User: "anna", Resources: "h_rt=7200,hostname=node0*", Queues: "all.q"},
		master.Job{User: "ben", Tasks: "1-4", Queues: "all.q"}, master.Job{User: "carl"},
		master.Job{User: "carl", SoftResources: "mem_free=1G"},
		master.Job{User: "anna", PE: "fill 2", Queues: "all.q"})
	_, err := r.Master.Run("qalter", "-h", "o", jobs[4]) // somebody's
	must(t, err)
	before := r.described(t, jobs)
	rules := filepath.Join(t.TempDir(), "rules.yaml")
	must(t, os.WriteFile(rules, []byte(`
- {jobs: [user=anna], hosts: [node02, nowhere]}
- {jobs: [user=ben], at_most: 2, not_hosts: [node02]}
- {jobs: [`+jobs[3]+`], not_now: "licence server: down, until 6"}
- {jobs: [user=carl], not_before: 2001-01-01T00:00:00Z, queues: [other.q]}
- {jobs: [pe=fill], keep_free: 1, hosts: [node03]}
- {jobs: [all], spread: true, longest_wait: 1ns}
`), 0o600))
	d := newStore(t, "json")
	step := func() string {
		t.Helper()
		report, said, err := r.drive(d, r, func(o *drive.Options) { o.Own, o.Rules = []string{"all"}, rules })
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		for _, o := range report.Orders {
			if o.State != string(model.OrderConfirmed) {
				t.Errorf("%+v", o)
			}
		}
		return said
	}
	if said := step(); !strings.Contains(said, `there is no host "nowhere"`) {
		t.Error(said)
	}
	text, err := r.Master.Run("qstat", "-j", jobs[3])
	must(t, err)
	if !strings.Contains(text, "qprism_why=licence server: down- until 6") {
		t.Errorf("qstat -j does not tell why:\n%s", text)
	}
	trigger(t, r.Master)
	text, err = r.Master.Run("qstat", "-u", "*", "-g", "t")
	must(t, err)
	for job, want := range map[string]string{jobs[0]: "all.q@node02", jobs[1]: "all.q@node02", jobs[2]: "all.q@node01"} {
		if found := regexp.MustCompile(`(?m)^ *`+job+` .* (\S+@\S+) `).FindAllStringSubmatch(text, -1); len(found) == 0 {
			t.Errorf("job %s does not run\n%s", job, text)
		} else {
			for _, f := range found {
				if f[1] != want {
					t.Errorf("job %s runs on %s, wanted %s", job, f[1], want)
				}
			}
		}
	}
	if n := strings.Count(text, "MASTER"); n != 4 { // two of anna's, two tasks of ben's
		t.Errorf("%d tasks run\n%s", n, text)
	}
	step() // what has started has its requests back
	for job, text := range r.described(t, jobs[:2]) {
		if withoutPriority(text) != withoutPriority(before[job]) {
			t.Errorf("job %s has started, was\n%s\nand is\n%s", job, before[job], text)
		}
	}
	r.release(t, d)
	r.asBefore(t, "given back", before, jobs[4:5])
}
