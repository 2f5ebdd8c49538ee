package pbs_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
	"qprism/exporter/pbs"
)

// A recordedServer answers word for word as a real one was recorded to: qrun by the transcript, and the state of jobs as it was before and
// after.
type recordedServer struct {
	t             *testing.T
	lines         []line
	before, after string // qstat -f -F json
	sched         string // qmgr -c "list sched"
	scheduling    string
	ran           []string
	budget        int // commands until the connection is lost; negative for never
}

var errLost = errors.New("connection lost")

func (s *recordedServer) Run(_ context.Context, commands [][]string) (results []exporter.Result, err error) {
	for _, argv := range commands {
		if s.budget == 0 {
			return results, errLost
		}
		s.budget--
		results = append(results, s.command(argv))
	}
	return results, nil
}

func (s *recordedServer) command(argv []string) exporter.Result {
	text := strings.Join(argv, " ")
	switch {
	case text == "qmgr -c list server scheduling":
		return exporter.Result{Out: "Server pbsvm\n    scheduling = " + s.scheduling + "\n\n"}
	case text == "qmgr -c list sched":
		return exporter.Result{Out: s.sched}
	case argv[0] == "qstat" && slices.ContainsFunc(s.ran, func(c string) bool { return strings.HasPrefix(c, "qrun") }):
		return exporter.Result{Out: s.after}
	case argv[0] == "qstat":
		return exporter.Result{Out: s.before}
	}
	s.ran = append(s.ran, text)
	if to, ok := strings.CutPrefix(text, "qmgr -c set server scheduling = "); ok {
		s.scheduling = map[string]string{"true": "True", "false": "False"}[to]
		return exporter.Result{}
	}
	for _, l := range s.lines {
		if l.user == "root" && strings.ReplaceAll(l.command, `"`, "") == text {
			return l.result
		}
	}
	s.t.Fatalf("nobody ever typed %q", text)
	return exporter.Result{}
}

// memory is a journal.
type memory struct {
	drives []model.Drive
	saved  []string // in the order of saving
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
			d.Claims, d.Starts = slices.Clone(d.Claims), slices.Clone(d.Starts)
			open = append(open, d)
		}
	}
	return open, nil
}

func (m *memory) SaveDrive(_ context.Context, id int64, claims []model.Claim, starts []model.Start) error {
	if m.full {
		return errors.New("no space left on device")
	}
	d := &m.drives[id-1]
	for _, c := range claims {
		m.saved = append(m.saved, c.Attribute+" "+c.Job+" "+string(c.State))
		d.Claims = slices.DeleteFunc(d.Claims, func(o model.Claim) bool { return o.Job == c.Job && o.Attribute == c.Attribute })
		d.Claims = append(d.Claims, c)
	}
	for i := range starts {
		if starts[i].Seq == 0 {
			starts[i].Seq = int64(len(m.saved) + 1)
		}
		m.saved = append(m.saved, "start "+starts[i].Job+" "+string(starts[i].State))
		d.Starts = slices.DeleteFunc(d.Starts, func(o model.Start) bool { return o.Seq == starts[i].Seq })
		if !starts[i].State.Settled() {
			d.Starts = append(d.Starts, starts[i])
		}
	}
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

// driven is a dispatcher of the recorded server.
func driven(t *testing.T, scheduling string) (*recordedServer, *memory, func() *pbs.Dispatcher) {
	t.Helper()
	scenario, lines := transcript(t, "external-driver")
	text := func(name string) string {
		data, err := fs.ReadFile(scenario, name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	s := &recordedServer{t: t, lines: lines, before: text("before/qstat_f.json"), after: text("after_qrun/qstat_f.json"),
		sched:      text("before/qmgr_list_sched.txt"),
		scheduling: scheduling, budget: -1}
	m := &memory{}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	v := &drive.Driver{Journal: m, Controller: exporter.Controller{Runner: s, Locks: m, Holder: "root@here:1", Limits: exporter.Gentle,
		Now: func() time.Time { return now }, Sleep: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }}}
	return s, m, func() *pbs.Dispatcher {
		session, err := v.Open(context.Background(), model.Drive{Cluster: "pbsvm", System: model.PBSSystem, Owns: "all"})
		if err != nil {
			t.Fatal(err)
		}
		return &pbs.Dispatcher{Session: session}
	}
}

// recordedStarts are what somebody ordered of the recorded server.
var recordedStarts = []model.Start{
	{Job: "890.pbsvm", Places: "(pbsn2:ncpus=2)"}, // typed as a bare vnode: the server adds the amounts
	{Job: "891.pbsvm", Places: "(pbsn1:ncpus=4)"},
	{Job: "898.pbsvm", Places: "(pbsn3:ncpus=2)+(pbsn4:ncpus=2)"},
	{Job: "894.pbsvm", Places: "(pbsn1:ncpus=1)"}, // five chunks of four on one processor
	{Job: "899.pbsvm", Places: "(pbsn2:ncpus=1)"}, // it is held
}

// TestJobsOfARecordedServerStartWhereDecided replays the answers and the states of a real server.
func TestJobsOfARecordedServerStartWhereDecided(t *testing.T) {
	s, m, open := driven(t, "True")
	s.lines = append(s.lines, line{user: "root", command: `qrun -H "(pbsn2:ncpus=2)" 890.pbsvm`})
	d, ctx := open(), context.Background()
	if did, err := d.SwitchOff(ctx); err != nil || !did || s.scheduling != "False" {
		t.Fatal(did, err, s.scheduling)
	}
	if did, err := d.SwitchOff(ctx); err != nil || did {
		t.Error(did, err)
	}
	got, err := d.Start(ctx, recordedStarts)
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, o := range got {
		states = append(states, strings.TrimSuffix(o.Job, ".pbsvm")+" "+string(o.State)+": "+o.Words)
	}
	want := []string{"890 confirmed: started on pbsn2:ncpus=2", "891 confirmed: started on (pbsn1:ncpus=4)",
		"898 confirmed: started on (pbsn3:ncpus=2)+(pbsn4:ncpus=2)",
		// what it was ordered was stored; the held job was not ordered
		"894 refused: it did not start, or the start failed: Job run at Sat Nov 21 at 08:24 on (pbsn1:ncpus=1)"}
	if !slices.Equal(states, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(states, "\n"), strings.Join(want, "\n"))
	}
	if i, k := slices.Index(m.saved, "scheduling  sent"), slices.Index(m.saved, "start 891.pbsvm sent"); i != 0 || k < 0 {
		t.Errorf("stored: %v", m.saved)
	}
	if err := d.Release(ctx); err != nil || s.scheduling != "True" || m.drives[0].Ended.IsZero() || len(m.drives[0].Claims) > 0 {
		t.Errorf("%v, scheduling %s, %+v", err, s.scheduling, m.drives[0])
	}
}

// TestASwitchThatWasOffStaysOff: and one that somebody set meanwhile stays as he set it.
func TestASwitchThatWasOffStaysOff(t *testing.T) {
	ctx := context.Background()
	s, _, open := driven(t, "False")
	d := open()
	if _, err := d.SwitchOff(ctx); err != nil {
		t.Fatal(err)
	}
	if err := d.Release(ctx); err != nil || s.scheduling != "False" || len(s.ran) > 0 {
		t.Error(err, s.scheduling, s.ran)
	}
	s, _, open = driven(t, "True")
	d = open()
	if _, err := d.SwitchOff(ctx); err != nil {
		t.Fatal(err)
	}
	s.scheduling = "True"
	var refusal *exporter.RefusalError
	if _, err := d.SwitchOff(ctx); !errors.As(err, &refusal) {
		t.Errorf("with the scheduler on again: %v", err)
	}
	s.ran = nil
	if err := d.Release(ctx); err != nil || len(s.ran) > 0 {
		t.Error(err, s.ran)
	}
}

// TestASwitchGoesBackAfterAnyCut cuts the connection after each command, and lets another process give back.
func TestASwitchGoesBackAfterAnyCut(t *testing.T) {
	ctx := context.Background()
	for after := 0; ; after++ {
		s, m, open := driven(t, "True")
		s.budget = after
		d := open()
		_, err := d.SwitchOff(ctx)
		if err == nil {
			_, err = d.Start(ctx, recordedStarts[1:3])
		}
		if err == nil {
			err = d.Release(ctx)
		}
		done := err == nil
		s.budget = -1
		if !done {
			if err := open().Release(ctx); err != nil {
				t.Errorf("cut after %d commands: %v", after, err)
			}
		}
		if last := m.drives[len(m.drives)-1]; s.scheduling != "True" || last.Ended.IsZero() || len(last.Claims)+len(last.Starts) > 0 {
			t.Fatalf("cut after %d commands: scheduling %s, %+v", after, s.scheduling, last)
		}
		if done {
			if after < 10 {
				t.Errorf("only %d cuts", after)
			}
			return
		}
	}
}

// TestNothingIsSentThatIsNotStored: the disk is full.
func TestNothingIsSentThatIsNotStored(t *testing.T) {
	s, m, open := driven(t, "True")
	d := open()
	m.full = true
	if _, err := d.SwitchOff(context.Background()); err == nil || len(s.ran) > 0 {
		t.Error(err, s.ran)
	}
	if _, err := d.Start(context.Background(), recordedStarts); err == nil || len(s.ran) > 0 {
		t.Error(err, s.ran)
	}
}

// TestNoDriveBeginsWhileAPushIsUnfinished; one that is open goes on.
func TestNoDriveBeginsWhileAPushIsUnfinished(t *testing.T) {
	ctx := context.Background()
	_, m, open := driven(t, "True")
	v := open().Driver
	m.push = &model.Push{ID: 3}
	if s, err := v.Open(ctx, model.Drive{Cluster: "pbsvm", System: model.PBSSystem, Owns: "all"}); err != nil || s.Drive.ID != 1 {
		t.Errorf("the open drive: %v", err)
	}
	m.drives[0].Ended = v.Now()
	var refusal *exporter.RefusalError
	if _, err := v.Open(ctx, model.Drive{Cluster: "pbsvm", System: model.PBSSystem, Owns: "all"}); !errors.As(err, &refusal) ||
		!strings.Contains(err.Error(), "push 3 was not finished") || len(m.drives) != 1 {
		t.Errorf("a new one: %v, %d drives", err, len(m.drives))
	}
}
