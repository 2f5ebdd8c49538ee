package trial

import (
	"strings"
	"testing"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/subject"
	"qprism/engine/forecast"
	"qprism/engine/intend"
)

// TestSentencesOfTheDocumentsHoldOrNot holds what the documents mean a policy to do against recordings and labs. Why each verdict is right
// stands beside it; jobs is how many it takes to break a sentence.
func TestSentencesOfTheDocumentsHoldOrNot(t *testing.T) {
	for _, c := range []struct {
		bundle, sentence string
		answer           intend.Answer
		because          string
		jobs             int
	}{
		// a department's second job has half of its tickets, 0.2 × 1/2, as much as urgency gives: 0.1
		{"lab:essc", "department Privileged before department ClusterGrid", intend.Fails, "1 of 6 pairs of waiting jobs", 3},
		{"example:departments", "department Privileged before department ClusterGrid", intend.Fails, "but other jobs break it", 3},
		// … and a twentieth where urgency gives a thousandth
		{"lab:essc,weight_urgency=0.0002", "department Privileged before department ClusterGrid", intend.Holds, "up to 100", 0},
		// a day of waiting is 345 of urgency, and with nothing else that tells them apart the whole scale
		{"lab:essc", "within each department, slots decide", intend.Fails, "but other jobs break it", 2},
		{"example:departments", "1h of waiting is worth 1 slot", intend.Fails, "it is worth 0.0144 slots", 0}, // 3600 × 0.004 / 1000
		{"lab:essc,urgency/slots=14.4", "1h of waiting is worth 1 slot", intend.Holds, "", 0},
		// -p 960 and -p 1024 are 0.03125 of prio apart, nurg 0 and 1 are 0.1
		{"example:posix", "-p before urgency", intend.Fails, "of 527 pairs of waiting jobs are in the other order", 2},
		{"example:urgency", "within all jobs, urgency decides", intend.Holds, "up to 100", 0}, // nothing else tells jobs apart
		// 83333/2 is userc's second job, and userb's first has as much and is older
		{"example:three-users", "user userc before user userb", intend.Fails, "1 of 6 pairs of waiting jobs", 2},
		// low, none and high are 0, 0.5 and 1 of 0.1; tickets are at most 0.01
		{"lab:use-case-1", "urgency before tickets", intend.Holds, "up to 100", 0},
		{"example:projects", "urgency before tickets", intend.Holds, "up to 100", 0},
		{"example:pbs-tree", "user bob before user scott", intend.Holds, "16 pairs of waiting jobs in the wanted order; no set of at most 4 jobs of 4 kinds breaks it", 0}, // .648 and .09
		{"example:pbs-tree", "user scott before user bob", intend.Fails, "16 of 16 pairs", 2},
		{"lab:starvation", "at least 2 slots is not passed", intend.Fails, "job 4 of bob overtakes job 3 of ann", 2},
		{"lab:starvation", "user ann starts within 5m", intend.Fails, "starts in 0:05:45", 1},
		{"lab:starvation", "user ann starts within 7m", intend.Holds, "", 0},
		{"lab:sequence", "user bob waits at most 8h", intend.Fails, "32:00:01", 1}, // eight times four hours
		{"lab:sequence", "user eve waits at most 8h", intend.Unknown, "none of its jobs waits", 0},
	} {
		t.Run(c.bundle+" "+c.sentence, func(t *testing.T) {
			s, err := subject.Of(t.Context(), &cli.Deps{}, &subject.Selection{}, []string{c.bundle})
			if err != nil {
				t.Fatal(err)
			}
			i, err := intend.Parse(c.sentence)
			if err != nil {
				t.Fatal(err)
			}
			at, err := s.Moment()
			if err != nil {
				t.Fatal(err)
			}
			v := intend.Check(intend.Input{Snapshot: s.Snapshot, Quirks: s.Look.Quirks, At: at.At, Play: forecast.Options{MostRuns: next.MostRuns}},
				[]intend.Intention{i})[0]
			jobs := 0
			if v.Against != nil {
				jobs = len(v.Against.Jobs)
			}
			if v.Answer != c.answer || !strings.Contains(v.Why, c.because) || jobs != c.jobs {
				t.Errorf("%s: %s, %d jobs; want %s, %s, %d", v.Answer, v.Why, jobs, c.answer, c.because, c.jobs)
			}
		})
	}
}

// TestWeightsAreFoundThatKeepSentences: those that are found hold when everything is checked anew under them, and of two that exclude each
// other it says which.
func TestWeightsAreFoundThatKeepSentences(t *testing.T) {
	s, err := subject.Of(t.Context(), &cli.Deps{}, &subject.Selection{}, []string{"lab:essc"})
	if err != nil {
		t.Fatal(err)
	}
	in := intend.Input{Snapshot: s.Snapshot, Quirks: s.Look.Quirks, At: s.TakenAt, Most: 30}
	read := func(words ...string) (list []intend.Intention) {
		for _, w := range words {
			i, err := intend.Parse(w)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, i)
		}
		return list
	}
	both := intend.Solve(in, read("department Privileged before department ClusterGrid", "1h of waiting is worth 1 slot"))
	if !both.Found || len(both.Changes) < 2 {
		t.Fatalf("%+v", both)
	}
	for _, v := range both.Verdicts {
		if v.Answer != intend.Holds {
			t.Errorf("with %v: %s: %s", both.Changes, v.Text, v.Why)
		}
	}
	against := intend.Solve(in, read("department Privileged before department ClusterGrid",
		"department ClusterGrid before department Privileged"))
	if against.Found || against.Exclude != [2]int{0, 1} && len(against.Never) == 0 {
		t.Errorf("%+v", against)
	}
}

func TestSentencesAreReadOrRefused(t *testing.T) {
	for text, kind := range map[string]intend.Kind{
		"department A and at least 4 slots before user b.": intend.Before, "-p before sharing": intend.Policies,
		"jobs with -l hp before jobs of project p": intend.Before, "within departments slots decide": intend.Within,
		"an hour of waiting is worth one slot": intend.Worth, "all jobs wait at most 90m": intend.Waits, "job 7 starts within 2h": intend.Starts,
		"project a gets at least 40 % over 30d": intend.Gets, "at least 16 slots is not passed": intend.Passed,
	} {
		if i, err := intend.Parse(text); err != nil || i.Kind != kind {
			t.Errorf("%s: %v %v", text, i.Kind, err)
		}
	}
	for _, text := range []string{"", "A before B", "urgency before urgency", "0h of waiting is worth 1 slot", "user a waits at most soon",
		"user a gets at least 140%", "user a gets at least -1%", "job 99999999999 before user a", "user a starts within 1e9d"} {
		if i, err := intend.Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, i)
		}
	}
}
