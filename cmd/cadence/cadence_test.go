package cadence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Time is that of package synctest: it begins at midnight UTC of 2000-01-01, and passes when everything waits.

// A trace is what happened, in seconds since the beginning.
type trace struct {
	mu    sync.Mutex
	begun time.Time
	lines []string
}

func newTrace() *trace { return &trace{begun: time.Now()} }

func (t *trace) add(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, fmt.Sprintf("%v ", time.Since(t.begun).Round(time.Millisecond).Seconds())+
		fmt.Sprintf(format, args...))
}

func (t *trace) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// task is a task that takes so long, unless its context ends before.
func (t *trace) task(name, line string, takes time.Duration) Task {
	s, err := parseCron(line)
	if err != nil {
		panic(err)
	}
	return Task{Name: name, Line: line, Schedule: s, Deadline: time.Hour,
		Do: func(ctx context.Context, _ <-chan struct{}) ([]slog.Attr, error) {
			t.add("%s begins", name)
			select {
			case <-ctx.Done():
				t.add("%s is cut short", name)
				return nil, ctx.Err()
			case <-time.After(takes):
			}
			t.add("%s ends", name)
			return nil, nil
		}}
}

// runs runs groups for some time, and waits for the end.
func runs(t *testing.T, d time.Duration, groups ...Group) *Daemon {
	t.Helper()
	daemon, err := runFor(t, d, groups...)
	if err != nil {
		t.Error(err)
	}
	return daemon
}

func runFor(t *testing.T, d time.Duration, groups ...Group) (*Daemon, error) {
	t.Helper()
	daemon := New(groups, 10*time.Second, slog.New(slog.DiscardHandler), nil)
	ctx, stop := context.WithTimeout(t.Context(), d)
	defer stop()
	return daemon, daemon.Run(ctx)
}

func same(t *testing.T, got *trace, want string) {
	t.Helper()
	if want = strings.TrimSpace(want); got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTasksOfAGroupComeInOrderAndNeverAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		runs(t, 65*time.Second, Group{Name: "a", Tasks: []Task{tr.task("capture", "* * * * *", 2*time.Second),
			tr.task("audit", "* * * * *", time.Second), tr.task("push", "*/2 * * * *", 0)}})
		same(t, tr, "60 capture begins\n62 capture ends\n62 audit begins\n63 audit ends")
	})
}

// TestMissedRunsDoNotPileUp: a run that takes 150 s of a task of every minute. The other task, due twice
// meanwhile, is done once.
func TestMissedRunsDoNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		var log bytes.Buffer
		daemon := New([]Group{{Name: "a", Tasks: []Task{tr.task("slow", "* * * * *", 150*time.Second),
			tr.task("other", "* * * * *", 0)}}},
			time.Minute,
			slog.New(slog.NewTextHandler(&log, nil)), nil)
		ctx, stop := context.WithTimeout(t.Context(), 245*time.Second)
		defer stop()
		if err := daemon.Run(ctx); err != nil {
			t.Error(err)
		}
		same(t, tr, "60 slow begins\n210 slow ends\n210 other begins\n210 other ends\n240 slow begins\n245 slow is cut short")
		if !strings.Contains(log.String(), "missed=2") {
			t.Errorf("what was missed is not told:\n%s", log.String())
		}
	})
}

// TestAClockThatIsSetBackStopsNoTask sets the clock back by an hour between two runs, and forward again. A
// minute passes at most until that is noticed.
func TestAClockThatIsSetBackStopsNoTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		var log bytes.Buffer
		daemon := New([]Group{{Name: "a", Tasks: []Task{tr.task("minutely", "* * * * *", 0),
			tr.task("every", "@every 100s", 0)}}}, time.Minute,
			slog.New(slog.NewTextHandler(&log, nil)), nil)
		began := time.Now()
		daemon.now = func() time.Time {
			if at := time.Since(began); at >= 70*time.Second && at < 200*time.Second {
				return time.Now().Add(-time.Hour)
			}
			return time.Now()
		}
		ctx, stop := context.WithTimeout(t.Context(), 250*time.Second)
		defer stop()
		if err := daemon.Run(ctx); err != nil {
			t.Error(err)
		}
		var begins []string
		for line := range strings.Lines(tr.String()) {
			if at, ok := strings.CutSuffix(strings.TrimSpace(line), " begins"); ok {
				begins = append(begins, at)
			}
		}
		want := "60 minutely, 120 minutely, 180 minutely, 200 every, 200 minutely, 240 minutely"
		if got := strings.Join(begins, ", "); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if !strings.Contains(log.String(), "the clock was set back") {
			t.Error("that is not told")
		}
	})
}

// TestAClusterThatHangsDelaysNoOther: one that ignores even the end of its context.
func TestAClusterThatHangsDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		forever := make(chan struct{})
		hangs := tr.task("hangs", "* * * * *", 0)
		hangs.Deadline = 10 * time.Second
		hangs.Do = func(context.Context, <-chan struct{}) ([]slog.Attr, error) { <-forever; return nil, nil }
		panics := tr.task("panics", "* * * * *", 0)
		panics.Do = func(context.Context, <-chan struct{}) ([]slog.Attr, error) { panic("no such thing") }
		daemon, err := runFor(t, 130*time.Second, Group{Name: "a", Tasks: []Task{hangs}},
			Group{Name: "b", Tasks: []Task{tr.task("works", "* * * * *", time.Second)}},
			Group{Name: "c", Tasks: []Task{panics}})
		if err == nil || err.Error() != "stopped before a hangs had ended" {
			t.Errorf("%v", err)
		}
		same(t, tr, "60 works begins\n61 works ends\n120 works begins\n121 works ends")
		h := daemon.Health()
		if h.Healthy || h.Tasks[0].Problem != "has run for 1m25s; its deadline is 10s" || h.Tasks[1].Problem != "" {
			t.Errorf("%+v", h.Tasks)
		}
		if s := h.Tasks[2]; s.Failures != 2 ||
			!strings.HasPrefix(s.Problem, "failed 2 times in a row: panic: no such thing") {
			t.Errorf("%+v", s)
		}
		close(forever)
	})
}

func TestADeadlineEndsARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		task := tr.task("long", "* * * * *", time.Hour)
		task.Deadline = 20 * time.Second
		daemon := runs(t, 90*time.Second, Group{Name: "a", Tasks: []Task{task}})
		same(t, tr, "60 long begins\n80 long is cut short")
		if s := daemon.Health().Tasks[0]; s.Outcome != Late || s.Failures != 1 || s.Success != nil {
			t.Errorf("%+v", s)
		}
	})
}

// TestJitterSpreadsRunsAndKeepsTheirOrder: tasks that are due together begin together, each time after another while.
func TestJitterSpreadsRunsAndKeepsTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var offsets []time.Duration
		begun := time.Now()
		count := 0
		first := Task{Name: "first", Schedule: mustParse("* * * * *"), Deadline: time.Second,
			Do: func(context.Context, <-chan struct{}) ([]slog.Attr, error) {
				offsets = append(offsets, time.Since(begun)%time.Minute)
				return nil, nil
			}}
		second := first
		second.Name = "second"
		second.Do = func(context.Context, <-chan struct{}) ([]slog.Attr, error) {
			if count++; len(offsets) != count || time.Since(begun)%time.Minute != offsets[count-1] {
				t.Errorf("the second task of instant %d began elsewhere: %v", count, time.Since(begun))
			}
			return nil, nil
		}
		runs(t, 100*time.Minute+30*time.Second, Group{Name: "a", Jitter: 20 * time.Second, Tasks: []Task{first, second}})
		slices.Sort(offsets)
		// That of a hundred draws none is in the first or last quarter happens once in 10^12 runs.
		if len(offsets) != 100 || offsets[99] > 20*time.Second || offsets[0] > 5*time.Second || offsets[99] < 15*time.Second {
			t.Errorf("%d offsets: %v", len(offsets), offsets)
		}
	})
}

func mustParse(line string) interface{ Next(time.Time) time.Time } {
	s, err := parseCron(line)
	if err != nil {
		panic(err)
	}
	return s
}

// TestStoppingWaitsForCarefulTasksOnly: others are cut short, and what does not end in time is cut short at last.
func TestStoppingWaitsForCarefulTasksOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		careful := tr.task("careful", "* * * * *", 0)
		careful.Careful = true
		careful.Do = func(ctx context.Context, stop <-chan struct{}) ([]slog.Attr, error) {
			<-stop
			tr.add("careful is told")
			time.Sleep(3 * time.Second)
			tr.add("careful ends, %v", ctx.Err())
			return nil, errors.New("the rest is for the next start")
		}
		stubborn := tr.task("stubborn", "* * * * *", time.Hour)
		stubborn.Careful = true
		daemon := runs(t, 70*time.Second, Group{Name: "a", Tasks: []Task{careful}},
			Group{Name: "b", Tasks: []Task{tr.task("reads", "* * * * *", time.Minute), tr.task("never", "* * * * *", 0)}},
			Group{Name: "c", Tasks: []Task{stubborn}})
		got := strings.Split(tr.String(), "\n")
		slices.Sort(got)
		want := []string{"60 reads begins", "60 stubborn begins", "70 careful is told", "70 reads is cut short",
			"73 careful ends, <nil>",
			"80 stubborn is cut short"}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s", strings.Join(got, "\n"))
		}
		for _, s := range daemon.Health().Tasks {
			if s.Task != "never" && (s.Outcome != Stopped || s.Failures != 0) {
				t.Errorf("%+v", s)
			}
		}
	})
}

func TestATaskWithoutScheduleIsDoneOnceAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		start := tr.task("start", "* * * * *", time.Second)
		start.Schedule = nil
		runs(t, 61*time.Second, Group{Name: "a", Jitter: time.Hour, Tasks: []Task{start, tr.task("later", "@every 30s", 0)}})
		got := strings.Split(tr.String(), "\n")
		if len(got) < 2 || got[0] != "0 start begins" || got[1] != "1 start ends" {
			t.Errorf("got\n%s", tr)
		}
	})
}

// TestATaskForTheEndIsDoneWhenTheDaemonStops: after what runs, and with a context that still lasts.
func TestATaskForTheEndIsDoneWhenTheDaemonStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTrace()
		end := tr.task("end", "* * * * *", 2*time.Second)
		end.Schedule, end.AtEnd = nil, true
		daemon := runs(t, 70*time.Second, Group{Name: "a", Tasks: []Task{end, tr.task("reads", "* * * * *", time.Minute)}},
			Group{Name: "b", Tasks: []Task{end}})
		want := "60 reads begins\n70 reads is cut short\n70 end begins\n70 end begins\n72 end ends\n72 end ends"
		got := strings.Split(tr.String(), "\n")
		slices.Sort(got)
		if sorted := strings.Split(want, "\n"); !slices.Equal(got, slices.Sorted(slices.Values(sorted))) {
			t.Errorf("got\n%s", tr)
		}
		if s := daemon.Health().Tasks[0]; s.Outcome != OK || s.Runs != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// TestWhatIsKnownOfTasksOutlivesAReload: failures go on to count in the daemon that follows.
func TestWhatIsKnownOfTasksOutlivesAReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := Task{Name: "fails", Schedule: mustParse("* * * * *"), Deadline: time.Second,
			Do: func(context.Context, <-chan struct{}) ([]slog.Attr, error) {
				return nil, errors.New("no")
			}}
		groups := []Group{{Name: "a", Tasks: []Task{fails}}}
		first := runs(t, 130*time.Second, groups...)
		second := New(groups, time.Second, slog.New(slog.DiscardHandler), first)
		if s := second.Health().Tasks[0]; s.Failures != 2 || !second.Health().Since.Equal(first.Health().Since) {
			t.Errorf("%+v", s)
		}
	})
}

// TestWhatIsOverdueIsUnhealthy: a task that waits longer behind others than all their deadlines take.
func TestWhatIsOverdueIsUnhealthy(t *testing.T) {
	due := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	b := newBoard([]Group{{Name: "a", Tasks: []Task{{Name: "x", Deadline: time.Minute},
		{Name: "y", Deadline: time.Minute}}}}, due, nil)
	b.due("a", "x", due)
	for after, want := range map[time.Duration]string{0: "", 3 * time.Minute: "", 3*time.Minute +
		time.Second: "was due 3m1s ago"} {
		if got := b.statuses(due.Add(after))[0].Problem; got != want {
			t.Errorf("after %v: %q, want %q", after, got, want)
		}
	}
	b.end("a", "x", due, Skipped, &SkippedError{"another process"})
	if s := b.statuses(due)[0]; s.Problem != "" || s.Error != "another process" {
		t.Errorf("a run that was left out is a failure: %+v", s)
	}
}

func TestOnceDoesOneTaskAndReturnsItsError(t *testing.T) {
	tr := newTrace()
	fails := tr.task("fails", "@daily", 0)
	fails.Do = func(context.Context, <-chan struct{}) ([]slog.Attr, error) { return nil, errors.New("no") }
	g := &Group{Name: "a", Tasks: []Task{tr.task("works", "@daily", 0), fails}}
	log := slog.New(slog.DiscardHandler)
	if err := Once(t.Context(), g, "works", log, time.Second); err != nil || len(tr.lines) != 2 {
		t.Errorf("%v: %s", err, tr)
	}
	if err := Once(t.Context(), g, "fails", log, time.Second); err == nil || err.Error() != "no" {
		t.Errorf("%v", err)
	}
	if err := Once(t.Context(), g, "absent", log, time.Second); err == nil {
		t.Error("a task that is not there was done")
	}
}
