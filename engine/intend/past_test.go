package intend

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// pending is a job that waits since some time before noon.
func pending(number uint32, owner string, since time.Duration) model.Job {
	return model.Job{Number: number, Owner: owner, Submitted: noon.Add(-since),
		Tasks: []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: 1}}}
}

// running is one that started some time after noon.
func running(j model.Job, after time.Duration) model.Job {
	j.Tasks = []model.Task{{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "r", Slots: 1, Started: noon.Add(after)}}
	return j
}

func at(after time.Duration, jobs ...model.Job) Input {
	s := &model.Snapshot{TakenAt: noon.Add(after), Jobs: jobs}
	s.Policy.WeightWaitingTime, s.Policy.WeightUrgency = 1, 1
	return Input{Snapshot: s, At: s.TakenAt}
}

// ranAs is what accounting tells of a task, in hours after noon.
func ranAs(number uint32, owner, category string, slots int, submitted, started, ended float64) model.EndedTask {
	h := func(v float64) time.Time { return noon.Add(time.Duration(v * float64(time.Hour))) }
	return model.EndedTask{Job: number, Task: 1, Owner: owner, Slots: slots, Submitted: h(submitted), Started: h(started), Ended: h(ended),
		Category: category}
}

// overTime holds a sentence against snapshots of which the last has records of accounting.
func overTime(t *testing.T, sentence string, ended []model.EndedTask, list ...Input) Over {
	t.Helper()
	i, err := Parse(sentence)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPast([]Intention{i}, list[0].Snapshot.TakenAt)
	for k := range list {
		p.Add(list[k], map[bool][]model.EndedTask{true: ended}[k == len(list)-1])
	}
	return p.Verdicts()[0]
}

// TestSentencesAreHeldAgainstWhatHappened: three jobs wait at noon, by age ann, ben, carl; ben's starts after an hour, ann's after three.
func TestSentencesAreHeldAgainstWhatHappened(t *testing.T) {
	ann, ben, carl := pending(1, "ann", 3*time.Hour), pending(2, "ben", 2*time.Hour), pending(3, "carl", time.Hour)
	first := at(0, ann, ben, carl)
	second := at(2*time.Hour, ann, running(ben, time.Hour), carl)
	last := at(4*time.Hour, running(ann, 3*time.Hour), running(ben, time.Hour), carl)
	for _, c := range []struct {
		sentence string
		answer   Answer
		why      string
		breaks   int
	}{
		{"user ann before user carl", Holds, "in all of 2 snapshots, with 2 pairs", 0}, // at the end hers runs
		{"user carl before user ann", Fails, "in 2 of 2 snapshots", 2},
		{"user dora before user ann", Unknown, "no snapshot has", 0},
		{"user ann is not passed", Fails, "jobs passed 1 times, after 1 of 2 snapshots", 1},
		{"user ben is not passed", Holds, "after all of 1 snapshot", 0},
		{"user ben waits at most 3h", Holds, "job 2 of ben waited longest, for 3:00:00", 0},
		{"user ann waits at most 5h", Fails, "1 of 1 tasks waited for longer, job 1 of ann for 6:00:00", 0},
		{"user ann starts within 5h", Holds, "waited longest, for 3:00:00", 0},            // from the first snapshot on
		{"user carl waits at most 4h", Fails, "1 of 1 tasks waited for longer", 0},        // and still does
		{"user carl waits at most 6h", Unknown, "none of its tasks started", 0},           // it may yet
		{"user ann gets at least 60%", Fails, "0.0 % of the slots during the 2:00:00", 1}, // while hers waits ben's alone runs
		{"user ben gets at least 1%", Unknown, "none of its jobs waited while", 0},        // nothing runs then
	} {
		o := overTime(t, c.sentence, nil, first, second, last)
		if o.Answer != c.answer || !strings.Contains(o.Why, c.why) || len(o.Breaks) != c.breaks {
			t.Errorf("%s: %s, %s, %+v", c.sentence, o.Answer, o.Why, o.Breaks)
		}
	}
}

// TestWhatSomebodyGetsIsByAccounting: ann's jobs wait from noon to 2 and from 6 to 8; in these four hours she has 2 of 2 + 2 + 6 hours of
// slots. What runs while nothing of hers waits does not count.
func TestWhatSomebodyGetsIsByAccounting(t *testing.T) {
	ended := []model.EndedTask{
		ranAs(1, "ann", "-l hp", 1, 0, 2, 3), ranAs(2, "ann", "", 1, 6, 8, 9), ranAs(3, "ann", "", 2, -1, 0, 1),
		ranAs(4, "ben", "", 1, -1, 0, 2), ranAs(5, "ben", "", 3, 2, 3, 8), ranAs(6, "carl", "", 99, 3, 4, 5)}
	o := overTime(t, "user ann gets at least 21%", ended, at(0), at(10*time.Hour))
	if o.Answer != Fails || !strings.Contains(o.Why, "20.0 % of the slots during the 4:00:00 that its jobs waited, in the 10:00:00 until") {
		t.Errorf("%s: %s", o.Answer, o.Why)
	}
	if o = overTime(t, "user ann gets at least 20%", ended, at(0), at(10*time.Hour)); o.Answer != Holds {
		t.Errorf("%s: %s", o.Answer, o.Why)
	}
	// the last two hours before each snapshot: of these the ones before noon and after 8 have nothing that waits
	var list []Input
	for h := 0; h <= 10; h += 2 {
		list = append(list, at(time.Duration(h)*time.Hour))
	}
	o = overTime(t, "user ann gets at least 1% over 2h", ended, list...)
	if o.Judged != 2 || len(o.Breaks) != 1 || o.Breaks[0].Snapshot != 4 || o.Breaks[0].Why != "0.0 %" {
		t.Errorf("%s %+v", o.Why, o)
	}
	// nothing tells what two of her jobs asked for
	if o = overTime(t, "user ann and -l hp waits at most 3h", ended, at(0), at(10*time.Hour)); o.Answer != Holds ||
		!strings.Contains(o.Why, "1 tasks started; job 1 of ann") || !strings.Contains(o.Why, "5 tasks are left out") {
		t.Errorf("%s: %s", o.Answer, o.Why)
	}
}

// TestATaskIsCountedOnce: a task that was seen to wait and to run, and of which two captures have the record.
func TestATaskIsCountedOnce(t *testing.T) {
	i, _ := Parse("user ann waits at most 1h")
	p := NewPast([]Intention{i}, noon)
	j := pending(1, "ann", 0)
	record := []model.EndedTask{ranAs(1, "ann", "", 1, 0, 0.5, 3)}
	for k, one := range []model.Job{j, running(j, 30*time.Minute), pending(9, "ben", 0), pending(9, "ben", 0)} {
		p.Add(at(time.Duration(k)*time.Hour, one), map[bool][]model.EndedTask{true: record}[k > 1])
	}
	if o := p.Verdicts()[0]; !strings.HasPrefix(o.Why, "1 tasks started; job 1 of ann waited longest, for 0:30:00") {
		t.Error(o.Why)
	}
}

// BenchmarkPast holds five sentences against 100 snapshots of 2,000 jobs.
func BenchmarkPast(b *testing.B) {
	var jobs []model.Job
	for n := range uint32(2000) {
		jobs = append(jobs, pending(n+1, fmt.Sprint("user", n%10), time.Duration(n)*time.Minute))
	}
	var list []Intention
	for _, text := range []string{"user user1 before user user2", "user user1 waits at most 8h", "user user1 gets at least 10% over 1h",
		"user user1 is not passed", "within each user, waiting decides"} {
		i, _ := Parse(text)
		list = append(list, i)
	}
	for b.Loop() {
		p := NewPast(list, noon)
		for k := range 100 {
			p.Add(at(time.Duration(k)*time.Minute, jobs...), nil)
		}
		_ = p.Verdicts()
	}
}
