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

const (
	rowsOfJobs = "job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID\n" +
		"-----------------------------------------------------------------------------------------------------------------\n" +
		"     11 0.55500 sim        alice        r     11/20/2026 14:02:11 all.q@node01                       4\n" +
		"     12 0.50500 align      dave         hqw   11/21/2026 10:05:00                                    1\n"
	oneVnode = "n1\n     Mom = n1\n     ntype = PBS\n     state = free\n     resources_available.ncpus = 4\n"
)

// quotes are listings as pages, mails and terminals have them: what is counted in them, and the lines that are said to be left over.
var quotes = map[string]struct {
	text string
	want model.Counts
	left []string
}{
	"a fence around vnodes, and a prompt": {"```\n$ pbsnodes -a\n" + oneVnode + "```\n{: .output}\n", model.Counts{Hosts: 1}, nil},
	"a mail that is answered twice": {
		">> " + "job-ID  prior   name       user         state submit/start at     queue            slots ja-task-ID\n" +
			">> ---------------------------------------------------------------------------------------\n" +
			">>  11 0.55500 sim        alice        r     11/20/2026 14:02:11 all.q@node01                       4\n",
		model.Counts{Jobs: 1, Running: 1}, nil},
	"a comment of a program": {" * job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID\n" +
		" * --------------------------------------------------\n" +
		" *     11 0.55500 sim        alice        r     11/20/2026 14:02:11 all.q@node01                      1 1\n" +
		" *     11 0.55500 sim        alice        r     11/20/2026 14:02:12 all.q@node01                      1 2\n",
		model.Counts{Jobs: 1, Running: 2}, nil},
	"a comment with no blank before its text": {"//# qhost\n//\tHOSTNAME                ARCH         NCPU  LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n//--------------\n" +
		"//global                  -               -     -       -       -       -       -\n" +
		"//n1                      lx-amd64        4  0.10    7.0G    1.0G    2.0G     0.0\n", model.Counts{Hosts: 1}, nil},
	"what qmgr printed among others": {"$ qmgr -c \"list queue q\"\nQueue q\n\tqueue_type = Execution\n\ttotal_jobs = 0\n$ pbsnodes -a\n" + oneVnode,
		model.Counts{Hosts: 1, Queues: 1}, nil},
	"a colon behind the command": {"```\nqmgr -c 'p s':\n#\n# Create queues\n#\ncreate queue q\nset queue q enabled = True\n```\n", model.Counts{Queues: 1}, nil},
	"vnodes whose beginning is lost": {"     resv_enable = True\n     sharing = default_excl\n\n" + oneVnode,
		model.Counts{Hosts: 1}, []string{"resv_enable = True", "sharing = default_excl"}},
	"a table and what was cut of the long form": {"$ qstat\nJob id            Name             User              Time Use S Queue\n" +
		"----------------  ---------------- ----------------  -------- - -----\n7.s               a                alice             00:00:00 R q\n" +
		"$ qstat -f 7\nJob Id: 7.s\n    Job_Name = a\n", model.Counts{Jobs: 1, Running: 1}, nil},
	"a site's own command behind several typed": {"$ make\nfind . -name x\nqsub x.sh\n7.s\n$ qs\n\nservice0:\n" +
		"                                                            Req'd  Req'd   Elap\n" +
		"Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time\n--------------- -------- -------- ---------- ------ --- --- ------ ----- - -----\n" +
		"7.service0      alice    standard hello.sh      --    1   1    1gb 01:00 Q   --\n", model.Counts{Jobs: 1, Waiting: 1},
		[]string{"$ make", "find . -name x", "qsub x.sh", "7.s", "$ qs"}},
	"a page": {"<p>$ qstat -f\n<br>\nqueuename                      qtype resv/used/tot. load_avg arch\n<br>\n---------------------\n<br>\n" +
		"all.q@n1                       BIPC  0/4/4          4.79     lx24-amd64\n<br>\n" +
		"&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;45 0.55500 hpl        admin        r     04/22/2009 00:26:49     4\n<br>\n",
		model.Counts{Jobs: 1, Running: 1, Hosts: 1, Queues: 1, QueueInstances: 1}, nil},
	"vnodes without blanks before attributes": {"$ pbsnodes n1\nn1\nMom = n1\nntype = PBS\nstate = free\nresources_available.ncpus = 4\n",
		model.Counts{Hosts: 1}, nil},
	"every line of vnodes a paragraph": {"n1\n\nMom = n1\n\nntype = PBS\n\nstate = free\n\nn2\n\nMom = n2\n\nntype = PBS\n\nstate = free\n",
		model.Counts{Hosts: 2}, nil},
	"a site's own command above": {">>> exanodes\nn1\n     state = free\n     np = 4\n     ntype = cluster\n", model.Counts{Hosts: 1},
		[]string{">>> exanodes"}},
	"what somebody typed before": {"$ qsub job.pbs\n7.s\n$ qstat -f 7\nJob Id: 7.s\n    ...\n    job_state = Q\n    queue = workq\n    ...\n",
		model.Counts{Jobs: 1, Waiting: 1}, []string{"    ...", "$ qsub job.pbs", "7.s"}},
	"a job that two commands list": {"$ qstat -f 7\nJob Id: 7.s\n    job_state = Q\n\n$ qalter 7; qstat -f 7\nJob Id: 7.s\n    job_state = R\n",
		model.Counts{Jobs: 1, Running: 1}, []string{"$ qalter 7; qstat -f 7"}},
	"a command again and again, the last counts": {"$ qstat\n" + rowsOfJobs + "$ qstat\n" + rowsOfJobs + "$ qstat\n",
		model.Counts{Jobs: 2, Running: 1, Waiting: 1}, []string{"qstat, which is printed again below", "$ qstat"}},
	"commands behind another prompt, and without one": {"» qhost\nHOSTNAME                ARCH         NCPU  LOAD  MEMTOT  MEMUSE  SWAPTO  SWAPUS\n" +
		"-------------------------------------------------------------------------------\n" +
		"global                  -               -     -       -       -       -       -\n" +
		"n1                      lx-amd64        4  0.10    7.0G    1.0G    2.0G     0.0\n" +
		"qstat -u '*'\n" + rowsOfJobs, model.Counts{Jobs: 2, Running: 1, Waiting: 1, Hosts: 1}, nil},
	"a first table without its head": {"  queue                          slots ja-task-ID\n-----------\n" +
		"     11 0.55500 sim        alice        dr    11/20/2026 14:02:11 all.q@node01                       4\n" +
		"$ qstat -f\nqueuename                      qtype resv/used/tot. load_avg arch          states\n----------\n" +
		"all.q@n1                       BIP   0/0/4          -NA-     lx-amd64      au\n",
		model.Counts{Jobs: 1, Running: 1, Hosts: 1, Queues: 1, QueueInstances: 1}, []string{"queue                          slots ja-task-ID"}},
	"rows that grep let through": {"     11 0.55500 sim        alice        r     11/20/2026 14:02:11 all.q@node01                       4\n",
		model.Counts{Jobs: 1, Running: 1}, nil},
	"rows of PBS that grep let through": {"7.server          sleep            alice             00:00:17 R workq\n8.server          x                bob                      0 Q workq\n",
		model.Counts{Jobs: 2, Running: 1, Waiting: 1}, nil},
	"queue instances without architecture": {"queuename                      qtype used/tot. load_avg states\n------------\n" +
		"all.q@n1                       BIP   12/12     12.05\n-----\nall.q@n2                       BIP   0/12      -NA-     au\n",
		model.Counts{Hosts: 2, Queues: 1, QueueInstances: 2}, nil},
	"records of PBS behind the name of their file or program": {
		"20261120:11/20/2026 00:06:27;E;1.s;user=a queue=q start=1 end=2\ntorque: 11/20/2026 00:06:28;E;2.s;user=a queue=q start=1 end=2\n",
		model.Counts{Ended: 2}, nil},
}

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
			t.Errorf("%s, in a folder: %v, %+v; want %+v; unknown %v, left out %v", what, err, s.Counts(), quote.want, s.Unknown, s.LeftOut)
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
	text := "==============================================================\njob_number:                 8\nowner:                      bob\n" +
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
	text := "$ qstat -B\nServer             Max   Tot   Que   Run   Hld   Wat   Trn   Ext Status\n---------------- ----- ----- ----- ----- ----- ----- ----- ----- -----------\n" +
		"pbs1                 0     1     0     0     0     0     0     0 Active\n$ qstat -Bf\nServer: pbs1\n    server_state = Active\n    pbs_version = 14.1.2\n"
	s, err := Read(fstest.MapFS{"out.txt": {Data: []byte(text)}}, Options{})
	if err != nil || s.Release.Version != "14.1.2" {
		t.Errorf("%v, release %q", err, s.Release)
	}
}
