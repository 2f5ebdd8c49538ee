package swf

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qprism/engine/model"
)

const aLog = `; Version: 2.2
; Computer: a cluster of 4 hosts
; UnixStartTime: 1000000000
;
; free text: with a colon
1 0 10 100 4 98.5 2048 4 3600 -1 1 7 1 3 2 -1 -1 -1
2 5.5 -1 -1 -1 -1 -1 8 7200 -1 5 7 1 -1 2 -1 1 60
`

func TestALogIsReadAndWrittenAgain(t *testing.T) {
	l, err := Read(strings.NewReader(aLog))
	if err != nil {
		t.Fatal(err)
	}
	want := &Log{
		Header: []Comment{{"Version", "2.2"}, {"Computer", "a cluster of 4 hosts"}, {"UnixStartTime", "1000000000"},
			{"", "free text: with a colon"}},
		Jobs: []Job{
			{1, 0, 10, 100, 4, 98.5, 2048, 4, 3600, -1, Completed, 7, 1, 3, 2, -1, -1, -1},
			{2, 5.5, -1, -1, -1, -1, -1, 8, 7200, -1, Cancelled, 7, 1, -1, 2, -1, 1, 60}},
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var text bytes.Buffer
	if err := Write(&text, l); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Replace(aLog, ";\n", "", 1), text.String()); diff != "" {
		t.Errorf("(-read +written):\n%s", diff)
	}
}

func TestAJobOfALogIsATask(t *testing.T) {
	l, err := Read(strings.NewReader(aLog))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1_000_000_000, 0).UTC()
	want := []model.EndedTask{
		{Job: 1, Task: 1, Name: "executable3", Owner: "user7", Group: "group1", Queue: "queue2", Slots: 4, Submitted: start,
			Started: start.Add(10 * time.Second), Ended: start.Add(110 * time.Second), Wallclock: 100 * time.Second, CPU: 394,
			MaxVMem:  4 * 2048 * 1024,
			Category: "-l h_rt=3600"},
		{Job: 2, Task: 1, Owner: "user7", Group: "group1", Queue: "queue2", Slots: 8,
			Submitted: start.Add(5500 * time.Millisecond),
			Category:  "-l h_rt=7200"}}
	if diff := cmp.Diff(want, l.Ended()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTasksSurviveBeingWrittenAsALog(t *testing.T) {
	start := time.Unix(1_795_248_275, 0).UTC()
	tasks := []model.EndedTask{
		{Job: 1, Task: 1, Name: "run \"1\"\n", Owner: "alice", Group: "users", Queue: "all.q",
			Host: "node01", Slots: 4, Submitted: start,
			Started: start.Add(time.Minute), Ended: start.Add(time.Hour), Wallclock: 59 * time.Minute,
			CPU: 13000, MaxVMem: 4 << 30,
			Category: "-l h_rt=7200"},
		{Job: 2, Task: 1, Name: "never", Owner: "bob", Group: "users", Queue: "all.q", Host: "node01", Slots: 1,
			Submitted: start.Add(time.Second)},
		{Job: 3, Task: 1, Name: "broken", Owner: "bob", Group: "users", Queue: "all.q", Host: "node02", Slots: 2,
			Submitted: start.Add(2 * time.Second),
			Started:   start.Add(5 * time.Second), Ended: start.Add(6 * time.Second), Wallclock: time.Second, ExitStatus: 1},
	}
	var text bytes.Buffer
	if err := Write(&text, Of(tasks, "vm/default")); err != nil {
		t.Fatal(err)
	}
	l, err := Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tasks, l.Ended()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALineThatCannotBeReadIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		"1 2 3": "3 fields, not 18",
		"1 0 10 x 4 98.5 2048 4 3600 -1 1 7 1 3 2 -1 -1 -1":     "field 4",
		"1.5 0 10 100 4 98.5 2048 4 3600 -1 1 7 1 3 2 -1 -1 -1": "field 1",
		"1 NaN 10 100 4 98.5 2048 4 3600 -1 1 7 1 3 2 -1 -1 -1": "field 2",
	} {
		_, err := Read(strings.NewReader(aLog + line + "\n"))
		var e *lineError
		if !errors.As(err, &e) || e.Line != 8 || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// FuzzRead: what is read is written and read to the same.
func FuzzRead(f *testing.F) {
	f.Add(aLog)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		_ = l.Ended()
		var again bytes.Buffer
		if err := Write(&again, l); err != nil {
			t.Fatal(err)
		}
		second, err := Read(&again)
		if err != nil {
			t.Fatalf("%q: %v", again.String(), err)
		}
		if diff := cmp.Diff(l.Jobs, second.Jobs); diff != "" {
			t.Errorf("(-read +again):\n%s", diff)
		}
	})
}
