package act

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qprism/adapters/shell"
	"qprism/adapters/ssh"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

// sixty is a queue of sixty jobs of five users on two simulated hosts: arrays, parallel jobs, jobs of other
// priorities, one held job. Tickets, urgency and -p all count.
func sixty(t *testing.T) *room {
	t.Helper()
	return waitingQueue(t, 60)
}

func waitingQueue(t *testing.T, jobs int) *room {
	t.Helper()
	m := master.Start(t, master.Options{})
	s := master.Scenario{
		Hosts:  []master.Object{{"name": "node01"}, {"name": "node02"}},
		Queues: []master.Object{{"qname": "all.q", "slots": "1", "pe_list": "mpi"}},
		PEs:    []master.Object{{"pe_name": "mpi", "slots": "100", "allocation_rule": "$fill_up"}},
		SchedConf: master.Object{"weight_priority": "1", "weight_urgency": "0.1", "weight_ticket": "0.01",
			"weight_tickets_functional": "1000000",
			"weight_user":               "1", "weight_project": "0", "weight_department": "0", "weight_job": "0"},
	}
	for i := range 5 {
		s.Users = append(s.Users, master.Object{"name": master.Value(fmt.Sprintf("user%d", i)),
			"fshare": master.Value(strconv.Itoa(100 * (i + 1)))})
	}
	must(t, m.Apply(s))
	submit := func(j master.Job) {
		_, err := m.Submit(j)
		must(t, err)
	}
	submit(master.Job{User: "user0"})
	submit(master.Job{User: "user1"})
	trigger(t, m)
	for i := range jobs {
		j := master.Job{User: fmt.Sprintf("user%d", i%5)}
		switch {
		case i%11 == 3:
			j.Tasks = "1-4"
		case i%13 == 5:
			j.PE = "mpi 2"
		case i%17 == 6:
			j.Priority = -100
		}
		submit(j)
	}
	submit(master.Job{User: "user2", Hold: true})
	trigger(t, m)
	return &room{Master: m}
}

// push runs push, on a bundle captured for it or not, as a person would.
func (r *room) push(t *testing.T, d *cli.Deps, opts push.Options, bundle bool) string {
	t.Helper()
	var args []string
	if bundle {
		args = r.bundle(t)
	}
	out, err := r.run(d, r, opts, args)
	must(t, err)
	return out
}

func (r *room) bundle(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	must(t, r.Capture(dir))
	return []string{dir}
}

// pushVia runs push through another host.
func (r *room) pushVia(t *testing.T, d *cli.Deps, host shell.Host, opts push.Options) error {
	t.Helper()
	_, err := r.run(d, host, opts, r.bundle(t))
	return err
}

func (r *room) run(d *cli.Deps, host shell.Host, opts push.Options, args []string) (string, error) {
	opts.Host = host
	out, warn, err := r.runSaying(d, opts, args...)
	if err != nil {
		err = fmt.Errorf("%w\n%s%s", err, out, warn)
	}
	return out, err
}

// runSaying returns what push warns of, too.
func (r *room) runSaying(d *cli.Deps, opts push.Options, args ...string) (said, warned string, err error) {
	opts.Now, opts.MaxChanges, opts.Priorities, opts.Await = time.Now, cmp.Or(opts.MaxChanges, 1000),
		"-1023..1024", time.Minute
	if opts.From != "" {
		opts.Host = nil
	}
	opts.Sleep = func(context.Context, time.Duration) error { _, err := r.Trigger(); return err }
	var out, warn bytes.Buffer
	err = push.Run(context.Background(), d, opts, args, &out, &warn)
	return out.String(), warn.String(), err
}

func TestARealMasterRanksJobsAsPushed(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := sixty(t)
	d := newStore(t, "table")
	before, restored := r.listed(t)
	if len(before) != 60 || len(restored) != 61 {
		t.Fatalf("%d jobs wait, %d with the held one", len(before), len(restored))
	}
	wanted := slices.Clone(before)
	slices.Reverse(wanted)
	file := orderFile(t, wanted)

	shown := r.push(t, d, push.Options{Order: file}, true)
	if _, p := r.listed(t); len(r.ran) > 0 || !maps.Equal(p, restored) {
		t.Errorf("without --apply commands ran: %v", r.ran)
	}
	applied := r.push(t, d, push.Options{Order: file, Apply: true}, true)
	if order, _ := r.listed(t); !slices.Equal(order, wanted) {
		t.Errorf("the master's order is\n%v, wanted\n%v\n%s\n%s", order, wanted, shown, applied)
	}
	if len(r.ran) != 1 {
		t.Errorf("the push took %d remote executions, want 1", len(r.ran))
	}
	t.Logf("%s", shown)

	second := r.push(t, d, push.Options{Order: file, Apply: true}, true)
	if len(r.ran) != 1 {
		t.Errorf("the second push ran commands: %s\n%s", r.ran[1:], second)
	}
	t.Logf("%s", r.push(t, d, push.Options{Undo: true, Apply: true}, false))
	trigger(t, r.Master)
	if order, p := r.listed(t); !maps.Equal(p, restored) || !slices.Equal(order, before) {
		t.Errorf("after undo the priorities are\n%v, before\n%v\nthe order\n%v, before\n%v", p, restored, order, before)
	}
}

var pushedJobs = flag.Int("faults.jobs", 200, "so many jobs wait when their fairshare order is pushed")

// TestTheFairshareOrderOfTwoHundredJobsIsPushedOverSSH: through a real sshd, in one remote execution; a
// second push needs none.
func TestTheFairshareOrderOfTwoHundredJobsIsPushedOverSSH(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := waitingQueue(t, *pushedJobs)
	s := sshTo(t, r.Master, "")
	d := newStore(t, "json")
	before, restored := r.listed(t)
	over := push.Options{Reach: sshReach(s)}
	apply := over
	apply.Policy, apply.Apply = "fairshare", true

	var planned struct{ Wanted, Order []uint32 }
	shown := over
	shown.Policy = "fairshare"
	must(t, json.Unmarshal([]byte(r.push(t, d, shown, true)), &planned))
	var did struct {
		Agrees  bool
		RunSeen bool `json:"run_seen"`
		Orders  []past.JSONOrder
	}
	must(t, json.Unmarshal([]byte(r.push(t, d, apply, true)), &did))
	order, _ := r.listed(t)
	if got, want := strings.Join(order, " "), listOf(planned.Wanted); got != want ||
		got == strings.Join(before, " ") || !did.Agrees ||
		!did.RunSeen {
		t.Errorf("the master's order is\n%s, wanted\n%s\nbefore\n%v", got, want, before)
	}
	if n := strings.Count(s.Log(), "Starting session"); n != 1 {
		t.Errorf("%d remote executions", n)
	}
	t.Logf("%d of %d jobs changed", len(did.Orders), len(order))
	second := r.push(t, d, apply, true)
	if n := strings.Count(s.Log(), "Starting session"); n != 1 {
		t.Errorf("the second push took %d remote executions:\n%s", n-1, second)
	}
	undo := over
	undo.Undo, undo.Apply = true, true
	r.push(t, d, undo, false)
	r.asTheyWere(t, restored, "undone")
}

// A cutHost is a host whose connection is lost after some commands of a push. They have run, or still run.
type cutHost struct {
	shell.Host
	after int          // commands
	cut   func() error // the connection; nil where the end of what is read is all that is lost
}

func (c *cutHost) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	left := c.after
	in := &lineReader{lines: bufio.NewReader(stdin), ends: func() error {
		if left > 0 {
			return nil
		}
		if c.cut != nil {
			return errors.Join(c.cut(), io.EOF)
		}
		return io.EOF
	}, each: func(line string) error {
		if line == ".\n" {
			left--
		}
		return nil
	}}
	return c.Host.Run(ctx, argv, in, stdout, stderr)
}

// TestARealMastersPushIsFinishedAfterAnyCut cuts the connection after each command of a push in turn, here
// and over SSH; --resume reaches the wanted order, and --undo what was there before.
func TestARealMastersPushIsFinishedAfterAnyCut(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := sixty(t)
	s := sshTo(t, r.Master, "")
	t.Run("here", func(t *testing.T) {
		r.cutAfterEach(t, func(t *testing.T, after int) shell.Host { return &cutHost{Host: r, after: after} })
	})
	t.Run("over SSH", func(t *testing.T) {
		r.cutAfterEach(t, func(t *testing.T, after int) shell.Host {
			host, err := ssh.Dial(t.Context(), "master",
				clientOf(s))
			must(t, err)
			t.Cleanup(func() { host.Close() })
			return &cutHost{Host: host, after: after, cut: s.Cut}
		})
	})
}

// cutAfterEach pushes an order through hosts whose connection is lost after one command, two …, until none
// is lost any more.
func (r *room) cutAfterEach(t *testing.T, host func(t *testing.T, after int) shell.Host) {
	before, restored := r.listed(t)
	wanted := append(slices.Clone(before[50:]), before[:50]...)
	slices.Reverse(wanted[:4])
	file := orderFile(t, wanted)
	cut := 0
	for after := 1; ; after += few(3) {
		d := newStore(t, "table")
		err := r.pushVia(t, d, host(t, after), push.Options{Order: file, Apply: true})
		if err != nil {
			cut++
			if stored, errStore := pushes(d); errStore != nil || stored == 0 {
				t.Logf("cut after %d commands: nothing was begun: %v", after, err)
				if _, p := r.listed(t); !maps.Equal(p, restored) {
					t.Fatalf("nothing is stored, but the priorities are %v", p)
				}
				continue
			}
			t.Logf("cut after %d commands: %v", after, err)
			if after%2 == 0 {
				r.push(t, d, push.Options{Resume: true, Apply: true}, false)
				if order, _ := r.listed(t); !slices.Equal(order, wanted) {
					t.Fatalf("cut after %d commands and resumed: %v, wanted %v", after, order, wanted)
				}
			}
		}
		r.push(t, d, push.Options{Undo: true, Apply: true}, false)
		if _, p := r.listed(t); !maps.Equal(p, restored) {
			t.Fatalf("cut after %d commands and undone: %v, before %v", after, p, restored)
		}
		trigger(t, r.Master)
		if err == nil {
			break
		}
	}
	if cut < 5/few(3) {
		t.Errorf("only %d pushes were cut", cut)
	}
}

// pushes counts the pushes in a store.
func pushes(d *cli.Deps) (int, error) {
	store, err := subject.MakeStore(d)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	list, err := store.Pushes(context.Background(), "")
	return len(list), err
}
