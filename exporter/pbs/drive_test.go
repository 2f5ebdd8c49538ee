package pbs_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/pbs"
)

// A priorityServer has jobs with priorities.
type priorityServer struct {
	priority map[string]string // by job
	state    map[string]string // Q where it is not said
	ran      []string
	budget   int // commands until the connection is lost; negative for never
	lost     bool
}

var errCut = errors.New("connection lost")

func (s *priorityServer) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	for _, argv := range commands {
		if s.budget == 0 {
			if s.lost { // its answer is lost, it is not
				s.command(argv)
			}
			return results, errCut
		}
		s.budget--
		results = append(results, s.command(argv))
	}
	return results, nil
}

func (s *priorityServer) command(argv []string) exporter.Result {
	if argv[0] == "qstat" {
		var jobs []string
		for job, p := range s.priority {
			state := s.state[job]
			if state == "" {
				state = "Q"
			}
			jobs = append(jobs, fmt.Sprintf(
				`%q:{"Job_Owner":"ann@here","ctime":"Sat Nov 21 10:00:00 2026","job_state":%q,"Priority":%s}`, job, state, p))
		}
		return exporter.Result{Out: `{"Jobs":{` + strings.Join(jobs, ",") + `}}`}
	}
	s.ran = append(s.ran, strings.Join(argv, " "))
	if argv[0] == "qmgr" {
		return exporter.Result{}
	}
	for _, job := range argv[3:] { // qalter -p 5 JOB...
		if s.priority[job] == "" {
			return exporter.Result{Exit: 1, Err: "qalter: Unknown Job Id " + job + "\n"}
		}
		s.priority[job] = argv[2]
	}
	return exporter.Result{}
}

// memory is a journal.
type memory struct {
	drives []model.Drive
	full   bool
	push   *model.Push // the last one
}

func (m *memory) Lock(context.Context, string, string) (func(), string, error) {
	return func() {}, "", nil
}
func (m *memory) LastPush(context.Context, string) (*model.Push, error) {
	if m.push == nil {
		return nil, model.ErrNoPush
	}
	return m.push, nil
}

func (m *memory) BeginDrive(_ context.Context, d *model.Drive) (int64, error) {
	kept := *d
	kept.ID = int64(len(m.drives) + 1)
	m.drives = append(m.drives, kept)
	return kept.ID, nil
}

func (m *memory) OpenDrives(context.Context, string) (open []model.Drive, err error) {
	for _, d := range m.drives {
		if d.Ended.IsZero() {
			d.Claims = slices.Clone(d.Claims)
			open = append(open, d)
		}
	}
	return open, nil
}

func (m *memory) SaveDrive(_ context.Context, id int64, claims []model.Claim) error {
	if m.full {
		return errors.New("no space left on device")
	}
	if err := m.DropClaims(context.Background(), id, claims); err != nil {
		return err
	}
	m.drives[id-1].Claims = append(m.drives[id-1].Claims, claims...)
	return nil
}

func (m *memory) DropClaims(_ context.Context, id int64, claims []model.Claim) error {
	d := &m.drives[id-1]
	d.Claims = slices.DeleteFunc(d.Claims, func(o model.Claim) bool {
		return slices.ContainsFunc(claims, func(c model.Claim) bool { return c.Job == o.Job && c.Attribute == o.Attribute })
	})
	return nil
}

func (m *memory) EndDrive(_ context.Context, id int64, at time.Time, outcome string) error {
	m.drives[id-1].Ended, m.drives[id-1].Outcome = at, outcome
	return nil
}

// driven is a dispatcher of a server with four jobs.
func driven(t *testing.T) (*priorityServer, *memory, func() *pbs.Dispatcher) {
	t.Helper()
	s := &priorityServer{priority: map[string]string{"1.s": "0", "2.s": "-5", "3.s": "0", "4.s": "7"},
		state: map[string]string{}, budget: -1}
	m := &memory{}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	v := &drive.Driver{Journal: m, Controller: exporter.Controller{Runner: s, Locks: m, Holder: "root@here:1",
		Limits: exporter.Gentle,
		Now:    func() time.Time { return now }, Sleep: func(_ context.Context, d time.Duration) error {
			now = now.Add(d)
			return nil
		}}}
	return s, m, func() *pbs.Dispatcher {
		session, err := v.Open(context.Background(), model.Drive{Cluster: "s", System: model.PBSSystem, Owns: "all"})
		if err != nil {
			t.Fatal(err)
		}
		return &pbs.Dispatcher{Session: session}
	}
}

// wanting is what some jobs shall have.
func wanting(priorities map[string]int) map[string]drive.Wanted {
	list := map[string]drive.Wanted{}
	for job, p := range priorities {
		list[job] = drive.Wanted{P: &p}
	}
	return list
}

// TestJobsOfPBSHaveWhatTheyShallAndGetItBack, but for what others changed, what runs, and what is gone.
func TestJobsOfPBSHaveWhatTheyShallAndGetItBack(t *testing.T) {
	ctx := context.Background()
	s, m, open := driven(t)
	d := open()
	steer := func(priorities map[string]int, want ...string) {
		t.Helper()
		s.ran = nil
		if _, more, err := d.Steer(ctx, wanting(priorities), 100); err != nil || more || !slices.Equal(s.ran, want) {
			t.Errorf("%v: ran %q, want %q, %v", priorities, s.ran, want, err)
		}
	}
	all := map[string]int{"1.s": 512, "2.s": 511, "3.s": 512, "4.s": 513}
	steer(all, "qalter -p 513 4.s", "qalter -p 512 1.s 3.s", "qalter -p 511 2.s")
	steer(all)
	s.priority["1.s"] = "99" // somebody else
	steer(all)
	steer(all)
	s.state["3.s"] = "R"
	delete(s.priority, "4.s")
	steer(map[string]int{"1.s": 1, "2.s": 5, "3.s": 1, "4.s": 1}, "qalter -p 5 2.s")
	s.priority["1.s"] = "0" // and takes it back
	steer(map[string]int{"1.s": 4, "2.s": 5}, "qalter -p 4 1.s")
	if err := d.Release(ctx); err != nil || len(m.drives[0].Claims) > 0 || m.drives[0].Ended.IsZero() {
		t.Errorf("%v, %+v", err, m.drives[0])
	}
	if want := map[string]string{"1.s": "0", "2.s": "-5", "3.s": "512"}; !maps.Equal(s.priority, want) {
		t.Errorf("%v, want %v", s.priority, want)
	}
}

// TestPrioritiesGoBackAfterAnyCut cuts the connection after each command, whose order arrives or does not,
// and lets another process go on and give back.
func TestPrioritiesGoBackAfterAnyCut(t *testing.T) {
	ctx := context.Background()
	for _, arrives := range []bool{false, true} {
		for after, done := 0, false; !done; after++ {
			s, m, open := driven(t)
			was := maps.Clone(s.priority)
			s.budget, s.lost = after, arrives
			d := open()
			_, _, err := d.Steer(ctx, wanting(map[string]int{"1.s": 512, "2.s": 511, "3.s": 510}), 100)
			if err == nil {
				_, _, err = d.Steer(ctx, wanting(map[string]int{"1.s": 3, "2.s": 511, "4.s": 510}), 100)
			}
			done = err == nil
			s.budget = -1
			if _, _, err := open().Steer(ctx, wanting(map[string]int{"2.s": 600}), 100); err != nil ||
				s.priority["2.s"] != "600" {
				t.Errorf("cut after %d commands: %v, %v", after, s.priority, err)
			}
			if err := open().Release(ctx); err != nil || !maps.Equal(s.priority, was) || m.drives[0].Ended.IsZero() {
				t.Fatalf("cut after %d commands: %v, %+v, %v", after, s.priority, m.drives[0], err)
			}
			if done && after < 7 {
				t.Errorf("only %d cuts", after)
			}
		}
	}
}

// TestTheSwitchOfAnEarlierReleaseGoesBack: its drives switched the scheduler off.
func TestTheSwitchOfAnEarlierReleaseGoesBack(t *testing.T) {
	s, m, open := driven(t)
	open()
	m.drives[0].Claims = []model.Claim{{Attribute: "scheduling", Was: "True", Becomes: "False",
		State: model.OrderConfirmed}}
	if err := open().Release(context.Background()); err != nil ||
		!slices.Equal(s.ran, []string{"qmgr -c set server scheduling = true"}) ||
		m.drives[0].Ended.IsZero() {
		t.Error(err, s.ran, m.drives[0])
	}
}

// TestNothingIsSentThatIsNotStored: the disk is full.
func TestNothingIsSentThatIsNotStored(t *testing.T) {
	s, m, open := driven(t)
	d := open()
	m.full = true
	if _, _, err := d.Steer(context.Background(), wanting(map[string]int{"1.s": 1}), 100); err == nil || len(s.ran) > 0 {
		t.Error(err, s.ran)
	}
}

// TestAStepAltersSoManyJobsAtMost; the next one goes on.
func TestAStepAltersSoManyJobsAtMost(t *testing.T) {
	s, _, open := driven(t)
	d, all := open(), wanting(map[string]int{"1.s": 512, "2.s": 511, "3.s": 510})
	for _, want := range []bool{true, false} {
		if _, more, err := d.Steer(context.Background(), all, 2); err != nil || more != want {
			t.Errorf("more: %v, %v", more, err)
		}
	}
	if s.priority["3.s"] != "510" {
		t.Error(s.priority)
	}
}

// TestNoDriveBeginsWhileAPushIsUnfinished; one that is open goes on.
func TestNoDriveBeginsWhileAPushIsUnfinished(t *testing.T) {
	ctx := context.Background()
	_, m, open := driven(t)
	v := open().Driver
	m.push = &model.Push{ID: 3}
	if s, err := v.Open(ctx, model.Drive{Cluster: "s", System: model.PBSSystem, Owns: "all"}); err != nil ||
		s.Drive.ID != 1 {
		t.Errorf("the open drive: %v", err)
	}
	m.drives[0].Ended = v.Now()
	var refusal *exporter.RefusalError
	if _, err := v.Open(ctx, model.Drive{Cluster: "s", System: model.PBSSystem, Owns: "all"}); !errors.As(err, &refusal) ||
		!strings.Contains(err.Error(), "push 3 was not finished") || len(m.drives) != 1 {
		t.Errorf("a new one: %v, %d drives", err, len(m.drives))
	}
}
