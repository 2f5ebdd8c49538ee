package pbs_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/pbs"
	recordings "qprism/fixtures/pbs"
	"qprism/importer/cluster"
)

// A line is a command of a transcript, with what it printed.
type line struct {
	user, command string
	result        exporter.Result
}

// transcript reads the recorded commands of a scenario.
func transcript(t *testing.T, name string) (scenario fs.FS, lines []line) {
	t.Helper()
	scenario, err := recordings.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(scenario, "transcript.txt")
	if err != nil {
		t.Fatal(err)
	}
	begin := regexp.MustCompile(`^\$ \[(\w+)\] (.*)$`)
	for l := range strings.Lines(string(text)) {
		l = strings.TrimSuffix(l, "\n")
		if m := begin.FindStringSubmatch(l); m != nil {
			lines = append(lines, line{user: m[1], command: m[2]})
			continue
		}
		last := &lines[len(lines)-1].result
		if rc, ok := strings.CutPrefix(l, "[rc="); ok {
			last.Exit, _ = strconv.Atoi(strings.TrimSuffix(rc, "]"))
		} else if said, ok := strings.CutPrefix(l, "[stderr] "); ok {
			last.Err += said + "\n"
		} else {
			last.Out += l + "\n"
		}
	}
	return scenario, lines
}

// find is the result of a recorded command.
func find(t *testing.T, lines []line, user, command string) exporter.Result {
	t.Helper()
	for _, l := range lines {
		if l.user == user && l.command == command {
			return l.result
		}
	}
	t.Fatalf("%s never typed %q", user, command)
	return exporter.Result{}
}

// TestWhatTheServerSaysIsUnderstood replays the answers of a real server.
func TestWhatTheServerSaysIsUnderstood(t *testing.T) {
	_, lines := transcript(t, "external-driver")
	order := func(job, attribute, to, with string) []model.Order {
		return []model.Order{{Job: job, Attribute: attribute, To: to, With: with, State: model.OrderPlanned}}
	}
	for name, c := range map[string]struct {
		system exporter.System
		orders []model.Order
		user   string
		want   string
	}{
		"a job starts": {pbs.Starts{}, order("892.pbsvm", "", "R", ""), "root", "agreed: accepted"},
		"a user may not start jobs": {pbs.Starts{}, order("890.pbsvm", "", "R", ""), "alice",
			"refused: Unauthorized Request  890.pbsvm"},
		"a job that is unknown is gone": {pbs.Starts{}, order("99999", "", "R", ""), "root", "gone: Unknown Job Id 99999.pbsvm"},
		"a job that cannot ever run": {pbs.Starts{}, order("894.pbsvm", "", "R", ""), "root",
			"refused: Insufficient amount of resource: ncpus (R: 20 A: 16 T: 16) 894.pbsvm"},
		"two jobs of one owner": {pbs.Swaps{}, order("902.pbsvm", "", "", "900.pbsvm"), "alice", "agreed: accepted"},
		"jobs of two owners": {pbs.Swaps{}, order("904.pbsvm", "", "", "901.pbsvm"), "alice",
			"refused: Unauthorized Request  901.pbsvm or 904.pbsvm"},
		"jobs of two owners, by an operator": {pbs.Swaps{}, order("904.pbsvm", "", "", "901.pbsvm"), "root", "agreed: accepted"},
		"a running job has no place": {pbs.Swaps{}, order("890.pbsvm", "", "", "900.pbsvm"), "root",
			"gone: Request invalid for state of job 900.pbsvm or 890.pbsvm"},
		"a resource that there is not": {pbs.Resource{Name: "nosuch"}, order("903.pbsvm", "", "3", ""), "alice",
			"refused: Unknown resource Resource_List.nosuch 903.pbsvm"},
	} {
		t.Run(name, func(t *testing.T) {
			command := c.system.Commands(c.orders)[0]
			r := find(t, lines, c.user, strings.Join(command.Args, " "))
			if got := verdict(c.system.Answers(command, c.orders, r)[0]); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAJobWithoutRoomIsNoRefusal: the words are those of a real server, to which jobs were sent by qrun until one found no room. A job that
// can never run is refused.
func TestAJobWithoutRoomIsNoRefusal(t *testing.T) {
	orders := []model.Order{{Job: "59[3].pbsvm", To: "R", State: model.OrderPlanned}}
	c := pbs.Starts{}.Commands(orders)[0]
	for said, want := range map[string]string{
		"Not enough free nodes available":                              "gone: not started: Not enough free nodes available 59[3].pbsvm",
		"Insufficient amount of resource: ncpus (R: 4 A: 2 T: 16)":     "gone: not started: Insufficient amount of resource: ncpus (R: 4 A: 2 T: 16) 59[3].pbsvm",
		"Insufficient amount of resource: ncpus (R: 20 A: 16 T: 16)":   "refused: Insufficient amount of resource: ncpus (R: 20 A: 16 T: 16) 59[3].pbsvm",
		"Insufficient amount of server resource: lic (R: 2 A: 1 T: 5)": "gone: not started: Insufficient amount of server resource: lic (R: 2 A: 1 T: 5) 59[3].pbsvm",
		"Unauthorized Request ":                                        "refused: Unauthorized Request  59[3].pbsvm",
		"Job would conflict with reservation or top job":               "gone: not started: Job would conflict with reservation or top job 59[3].pbsvm",
	} {
		if got := verdict(pbs.Starts{}.Answers(c, orders, exporter.Result{Err: "qrun: " + said + " 59[3].pbsvm\n", Exit: 2})[0]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestARunningJobKeepsItsPriority: the words are those of a real server, of a push that was taken back when some jobs had started.
func TestARunningJobKeepsItsPriority(t *testing.T) {
	orders := []model.Order{{Job: "192.pbsvm", To: "0", State: model.OrderPlanned}, {Job: "220[].pbsvm", To: "0", State: model.OrderPlanned},
		{Job: "221.pbsvm", To: "0", State: model.OrderPlanned}}
	c := pbs.Resource{Name: "xprio"}.Commands(orders)[0]
	r := exporter.Result{Err: "qalter: Cannot modify attribute while job running  Resource_List.xprio 192.pbsvm\nqalter: Invalid request 220[].pbsvm\n", Exit: 156}
	var got []string
	for _, a := range (pbs.Resource{}).Answers(c, orders, r) {
		got = append(got, verdict(a))
	}
	want := []string{"gone: Cannot modify attribute while job running  Resource_List.xprio 192.pbsvm", "refused: Invalid request 220[].pbsvm",
		"agreed: accepted"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestAHiddenResourceIsSetByManagersOnly replays what a real server said of resources with flag r.
func TestAHiddenResourceIsSetByManagersOnly(t *testing.T) {
	_, lines := transcript(t, "ge-style-formula")
	orders := []model.Order{{Job: "1414.pbsvm", To: "0.9", State: model.OrderPlanned}}
	c := pbs.Resource{Name: "nurg"}.Commands(orders)[0]
	got := verdict(pbs.Resource{}.Answers(c, orders, find(t, lines, "alice", strings.Join(c.Args, " ")))[0])
	if want := "refused: Cannot set attribute, read only or insufficient permission  Resource_List.nurg 1414.pbsvm"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func verdict(a exporter.Answer) string {
	switch {
	case !a.Known:
		return "silent"
	case a.Gone:
		return "gone: " + a.Words
	case a.Refused:
		return "refused: " + a.Words
	}
	return "agreed: " + a.Words
}

// TestAServerThatCannotBeReachedSaysNothingOfAJob: the words are those of pbs_strerror and the commands' manuals; no recording
// has them.
func TestAServerThatCannotBeReachedSaysNothingOfAJob(t *testing.T) {
	orders := []model.Order{{Job: "1.pbsvm", To: "R", State: model.OrderPlanned}}
	c := pbs.Starts{}.Commands(orders)[0]
	r := exporter.Result{Err: "Connection refused\nqrun: cannot connect to server pbsvm (errno=111)\n", Exit: 2}
	if got := verdict(pbs.Starts{}.Answers(c, orders, r)[0]); got != "silent" {
		t.Errorf("got %s", got)
	}
}

// TestTheRecordedExchangesAreTheFewest: the two commands that were typed are those that the same change of order takes.
func TestTheRecordedExchangesAreTheFewest(t *testing.T) {
	_, lines := transcript(t, "external-driver")
	before, after := queueOf(lines, 0), queueOf(lines, 1)
	var places []pbs.Place
	for i, job := range before {
		places = append(places, pbs.Place{Job: job, Queue: "workq", Rank: int64(i)})
	}
	var typed []string
	for _, c := range (pbs.Swaps{}).Commands(pbs.Swaps{}.Orders(after, places)) {
		typed = append(typed, strings.Join(c.Args, " "))
	}
	if want := []string{"qorder 900.pbsvm 902.pbsvm", "qorder 901.pbsvm 904.pbsvm"}; !slices.Equal(typed, want) {
		t.Errorf("from %v to %v: %v, want %v", before, after, typed, want)
	}
}

// queueOf reads the waiting jobs of the n-th "qstat -a" of a transcript, without the first ones, which nobody moved.
func queueOf(lines []line, n int) (jobs []string) {
	for _, l := range lines {
		if l.command != "qstat -a" {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		for row := range strings.Lines(l.result.Out) {
			if f := strings.Fields(row); len(f) > 9 && f[9] == "Q" && f[0] >= "900" {
				jobs = append(jobs, f[0])
			}
		}
		return jobs
	}
	return nil
}

// A server stands in for a PBS server: it lists the jobs of a recording, and its commands answer as the recorded ones did.
type server struct {
	text  string // qstat -f -F json
	ranks map[string]string
	typed []string
}

func (s *server) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	for _, argv := range commands {
		s.typed = append(s.typed, strings.Join(argv, " "))
		switch argv[0] {
		case "id":
			results = append(results, exporter.Result{Out: "root\n"})
		case "qmgr":
			results = append(results, exporter.Result{Out: "Server pbsvm\n\n"})
		case "qstat":
			results = append(results, exporter.Result{Out: s.text})
		case "qorder":
			a, b := argv[1], argv[2]
			s.replace(a, b)
			results = append(results, exporter.Result{})
		default:
			results = append(results, exporter.Result{Err: argv[0] + ": command not found\n", Exit: 127})
		}
	}
	return results, nil
}

// replace exchanges the ranks of two jobs in the listing.
func (s *server) replace(a, b string) {
	s.ranks[a], s.ranks[b] = s.ranks[b], s.ranks[a]
	rank := regexp.MustCompile(`"queue_rank":\s*[^,]*`)
	for job, r := range s.ranks {
		at := strings.Index(s.text, `"`+job+`":`)
		rest := rank.FindStringIndex(s.text[at:])
		s.text = s.text[:at+rest[0]] + `"queue_rank":	` + r + s.text[at+rest[1]:]
	}
}

// TestAQueueIsSortedAndPutBack pushes exchanges to a stand-in that lists the jobs as the recorded server did.
func TestAQueueIsSortedAndPutBack(t *testing.T) {
	scenario, _ := transcript(t, "external-driver")
	text, err := fs.ReadFile(scenario, "before/qstat_f.json")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{text: string(text), ranks: map[string]string{}}
	snapshot := snapshotOf(t, scenario, "before")
	var places []pbs.Place
	var wanted []string
	for _, j := range snapshot.Jobs {
		if j.PBS.Array == "" {
			places = append(places, pbs.Place{Job: j.PBS.ID, Queue: j.PBS.Queue, Rank: j.PBS.QueueRank})
			s.ranks[j.PBS.ID] = strconv.FormatInt(j.PBS.QueueRank, 10)
			wanted = append(wanted, j.PBS.ID)
		}
	}
	before := maps.Clone(s.ranks)
	slices.Reverse(wanted)
	j := &journal{}
	p := &exporter.Pusher{Journal: j, System: pbs.Swaps{},
		Controller: exporter.Controller{Runner: s, Locks: j, Holder: "root@here:1", Limits: exporter.Gentle, Now: time.Now, Sleep: exporter.Wait}}
	push := &model.Push{Kind: "qorder", Orders: pbs.Swaps{}.Orders(wanted, places), Wanted: ofQueue(wanted, places, "workq")}
	r, err := p.Send(context.Background(), push)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Agrees || r.Count(model.OrderConfirmed) != 4 || len(push.Orders) != 4 { // nine jobs of workq, four pairs
		t.Errorf("agrees %v, differs at %q, %s: %v", r.Agrees, r.Differs, r.Push.Outcome, r.Order)
	}
	if _, err := p.Undo(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, s.ranks) {
		t.Errorf("before %v, after %v", before, s.ranks)
	}
}

// ofQueue are the jobs of one queue.
func ofQueue(wanted []string, places []pbs.Place, queue string) (list []string) {
	for _, job := range wanted {
		if slices.ContainsFunc(places, func(p pbs.Place) bool { return p.Job == job && p.Queue == queue }) {
			list = append(list, job)
		}
	}
	return list
}

func snapshotOf(t *testing.T, scenario fs.FS, step string) *model.Snapshot {
	t.Helper()
	bundle, err := fs.Sub(scenario, step)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.Read(bundle, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ExampleStarts() {
	for _, c := range (pbs.Starts{}).Commands(pbs.Starts{}.Orders([]string{"892.pbsvm", "896[2].pbsvm"})) {
		fmt.Println(strings.Join(c.Args, " "))
	}
	// Output:
	// qrun 892.pbsvm
	// qrun 896[2].pbsvm
}
