package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"qprism/engine/model"
	"qprism/importer"
)

// TestWhatPagesQuoteIsCounted: whatever stands around a listing, in a folder and alone, with every other line said.
func TestWhatPagesQuoteIsCounted(t *testing.T) {
	for what, quote := range quotes {
		path := filepath.Join(t.TempDir(), "saved")
		if err := os.WriteFile(path, []byte(quote.text), 0o600); err != nil {
			t.Fatal(err)
		}
		alone, closer, err := importer.Open(path)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		defer closer.Close()
		s, err := Read(alone, Options{})
		if err != nil || s.Counts() != quote.want {
			t.Errorf("%s: %v, %+v; want %+v; unknown %v, left out %v", what, err, s.Counts(), quote.want, s.Unknown, s.LeftOut)
			continue
		}
		s, err = Read(fstest.MapFS{"out.txt": {Data: []byte(quote.text)}}, Options{})
		if err != nil || s.Counts() != quote.want {
			t.Errorf("%s, in a folder: %v, %+v; want %+v; unknown %v, left out %v", what, err,
				s.Counts(), quote.want, s.Unknown, s.LeftOut)
			continue
		}
		var left []string
		for _, u := range s.Unknown {
			left = append(left, u.Value)
		}
		if fmt.Sprint(left) != fmt.Sprint(quote.left) {
			t.Errorf("%s: left over %q, want %q", what, left, quote.left)
		}
	}
}

// TestObjectsThatCommandsPrintAreAllRead: qconf prints one queue after the other.
func TestObjectsThatCommandsPrintAreAllRead(t *testing.T) {
	queue := func(name string) string {
		return "qname " + name + "\nhostlist NONE\n" + requiredOfQueue + "h_rt INFINITY\nh_vmem INFINITY\n\n"
	}
	for what, text := range map[string]string{
		"two commands": "$ qconf -sq a.q\n" + queue("a.q") + "$ qconf -sq b.q\n" + queue("b.q"),
		"one command":  "$ qconf -sq a.q,b.q\n" + queue("a.q") + queue("b.q"),
		"no command":   queue("a.q") + queue("b.q"),
		"one of them again, as it is": "$ qconf -sq a.q\n" + queue("x.q") + "$ qconf -sq b.q\n" + queue("b.q") +
			"$ qconf -sq a.q\n" + queue("a.q"),
	} {
		s, err := Read(fstest.MapFS{"both.txt": {Data: []byte(text)}}, Options{})
		if err != nil || len(s.Queues) != 2 || s.Queues[0].Name != "a.q" || s.Queues[1].Name != "b.q" {
			t.Errorf("%s: %v, %+v, left out %v", what, err, s.Queues, s.LeftOut)
		}
	}
}

// TestTasksBeforeTheFirstThatRunsHaveEnded: which qstat -j does not print; that it is taken so is said.
func TestTasksBeforeTheFirstThatRunsHaveEnded(t *testing.T) {
	text := "==============================================================\njob_number:                " +
		" 8\nowner:                      bob\n" +
		"job-array tasks:            1-10:2\nusage         5:            cpu=00:00:01\n"
	s, err := Read(fstest.MapFS{"x.txt": {Data: []byte(text)}}, Options{})
	if err != nil || s.Counts().Waiting != 2 {
		t.Fatalf("%v, %+v", err, s.Counts())
	}
	if !slices.ContainsFunc(s.Repairs(), func(r model.Repair) bool { return r.Guess && r.Text == "job 8" }) {
		t.Errorf("nothing says so: %+v", s.Repairs())
	}
}

// TestTheFormForProgramsIsPreferredAmongCopies: qstat -B says less than qstat -Bf.
func TestTheFormForProgramsIsPreferredAmongCopies(t *testing.T) {
	text := "$ qstat -B\nServer             Max   Tot   Que   Run   Hld   Wat   Trn   Ext " +
		"Status\n---------------- ----- ----- ----- ----- ----- ----- ----- ----- -----------\n" +
		"pbs1                 0     1     0     0     0     0     0     0 Active\n$ qstat -Bf\nServer: " +
		"pbs1\n    server_state = Active\n    pbs_version = 14.1.2\n"
	s, err := Read(fstest.MapFS{"out.txt": {Data: []byte(text)}}, Options{})
	if err != nil || s.Release.Version != "14.1.2" {
		t.Errorf("%v, release %q", err, s.Release)
	}
}
