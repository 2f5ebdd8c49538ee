package cluster

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
	"qprism/importer"
)

// copies are listings one below the other, as they are copied from a terminal.
const copies = `$ qstat -g c
CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE
--------------------------------------------------------------------------------
all.q                             0.42      5      0     27     32      0      0

$ qstat -u "*"
job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID
-----------------------------------------------------------------------------------------------------------------
     11 0.55500 sim        alice        r     11/20/2026 14:02:11 all.q@node01                       4
     12 0.50500 align      dave         hqw   11/21/2026 10:05:00                                    1

[admin@master ~]$ qstat -f
queuename                      qtype resv/used/tot. load_avg arch          states
---------------------------------------------------------------------------------
all.q@node01                   BIP   0/4/16         3.98     lx-amd64
     11 0.55500 sim        alice        r     11/20/2026 14:02:11     4
---------------------------------------------------------------------------------
all.q@node02                   BIP   0/0/16         0.02     lx-amd64      d
`

func TestCopiesOfSeveralListingsInOneFileAreAllRead(t *testing.T) {
	s, err := Read(fstest.MapFS{"mail.txt": {Data: []byte(copies)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Jobs) != 2 || len(s.Instances) != 2 || len(s.Summaries) != 1 || len(s.Unknown)+len(s.LeftOut) > 0 {
		t.Errorf("%d jobs, %d queue instances, %d cluster queues; %+v, %+v", len(s.Jobs), len(s.Instances),
			len(s.Summaries), s.Unknown,
			s.LeftOut)
	}
}

func TestCopiesOfSeveralListingsOfPBSAreAllRead(t *testing.T) {
	text := "$ pbsnodes -a\nn1\n     state = free\n     resources_available.ncpus = 4\n\n" +
		"$ qstat -f\nJob Id: 1.s\n    Job_Name = a\n    Job_Owner = eve@h\n    job_state = Q\n    queue = workq\n\n" +
		"$ qstat -f 2\nJob Id: 2.s\n    Job_Name = b\n    Job_Owner = eve@h\n    job_state = Q\n    queue = workq\n"
	s, err := Read(fstest.MapFS{"mail.txt": {Data: []byte(text)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Jobs) != 2 || len(s.Hosts) != 1 {
		t.Errorf("%d jobs, %d hosts; %+v, %+v", len(s.Jobs), len(s.Hosts), s.Unknown, s.LeftOut)
	}
}

// qstat -f of one user and qstat of all: nothing is lost.
func TestJobsThatTheFullFormatLacksAreRead(t *testing.T) {
	_, list, _ := strings.Cut(copies, "*\"\n")
	list, _, _ = strings.Cut(list, "[admin")
	_, full, _ := strings.Cut(copies, "qstat -f\n")
	s, err := Read(fstest.MapFS{"a.txt": {Data: []byte(list)}, "b.txt": {Data: []byte(full)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.JobsByNumber()) != 2 || len(s.Instances) != 2 {
		t.Errorf("%d jobs, %d queue instances; %+v", len(s.Jobs), len(s.Instances), s.Unknown)
	}
}

// TestNotesOnATableNameTheFileAsTheUserDoes: of a single file and in a folder, with the lines of the table,
// each of them.
func TestNotesOnATableNameTheFileAsTheUserDoes(t *testing.T) {
	const table = "job-ID  prior   name       user         state submit/start at     queue              " +
		"            slots ja-task-ID \n" +
		"-----------------\n" +
		"     12 0.50500 align      dave         hqw   11/21/2026 10:05:00                                    1\n" +
		"something\nelse\n" +
		"     14 0.50500 align      dave         hqw   99/99/2026 10:05:00                                    1\n"
	const pbs = "Job id            Name             User              Time Use S " +
		"Queue\n----------------  ---------------- ----------------  -------- - -----\n" +
		"12.s              align            dave              00:00:00 Q workq\nsomething\nelse\n"
	for _, text := range []string{table, pbs} {
		path := filepath.Join(t.TempDir(), "my jobs.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		alone, closer, err := importer.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		for _, bundle := range []fs.FS{alone, fstest.MapFS{"my jobs.txt": {Data: []byte(text)}}} {
			s, err := Read(bundle, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := []model.Unknown{{File: "my jobs.txt", Line: 4, Name: "line", Value: "something", Count: 1},
				{File: "my jobs.txt", Line: 5, Name: "line", Value: "else", Count: 1}}
			if len(s.Jobs) != 1 || !slices.Equal(s.Unknown, want) {
				t.Errorf("%d jobs, not used %+v, want %+v", len(s.Jobs), s.Unknown, want)
			}
			for _, l := range s.LeftOut {
				if l.File != "my jobs.txt" || l.Line != 6 {
					t.Errorf("left out %+v", l)
				}
			}
		}
	}
}

// TestReservationsOfOpenClusterSchedulerAsJSONAreRead: qrstat -ar as its source writes it.
func TestReservationsOfOpenClusterSchedulerAsJSONAreRead(t *testing.T) {
	const text = `{
   "$schema": "https://json-schema.org/draft/2020-12/schema",
   "$id": "https://raw.githubusercontent.com/hpc-gridware/clusterscheduler/master/source/dist/util/resources/json-schemas/v9.2/ocs-qrstat-root.schema.json",
   "ars": [
      {
         "id": 3,
         "name": "weekly",
         "owner": "alice",
         "state": "w",
         "start_time": "2026-11-21T10:00:00.000000",
         "end_time": "2026-11-21T11:00:00.000000",
         "duration": 3600,
         "resource_list": [
            {
               "name": "gpu",
               "value": 2
            }
         ],
         "exec_queue_list": [
            {
               "name": "all.q@node01",
               "slots": 4
            }
         ],
         "granted_parallel_environment": [
            {
               "name": "smp",
               "range": "4"
            }
         ],
         "acl_list": [
            "bob"
         ]
      }
   ]
}
`
	s := read(t, text)
	if len(s.Reserved) != 1 || len(s.Unknown)+len(s.LeftOut) > 0 {
		t.Fatalf("%+v, unknown %+v, left out %+v", s.Reserved, s.Unknown, s.LeftOut)
	}
	ar := s.Reserved[0]
	if ar.Number != 3 || ar.Owner != "alice" || ar.Duration != time.Hour ||
		!ar.End.Equal(ar.Start.Add(time.Hour)) || ar.PE != "smp" ||
		!slices.Equal(ar.Granted, []model.Grant{{Instance: "all.q@node01", Slots: 4}}) || len(ar.Requests) != 1 ||
		ar.Requests[0].Value != "2" {
		t.Errorf("%+v", ar)
	}
}

// TestListingsThatNothingReadsAreNamed: alone they are refused, beside others they are said.
func TestListingsThatNothingReadsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"\nactive jobs------------------------\nJOBID  USERNAME  STATE PROCS   REMAINING  " +
			"STARTTIME\n\n7 alice Running\n": "showq",
		"ACTIVE JOBS--------------------\nJOBNAME            USERNAME      STATE  PROC   REMAINING      " +
			"      STARTTIME\n": "showq",
		"\n\nchecking job 4777\n\nState: Idle\nCreds:  user:alice  group:users\n":          "checkjob",
		"job 4777\n\nAName: STDIN\nState: Running\n":                                       "checkjob",
		"\nJob: 12.srv\n\n03/14/2012 18:42:04  S    enqueuing into short, state 1 hop 1\n": "tracejob",
		"resource quota rule limit                filter\n----\nmax/1              slots=1/5            " +
			"users alice\n": "qquota",
		`{ "$schema":"a","$id":"https://x/v9.2/ocs-qconf-queue.schema.json","queues":[]}`: "Open Cluster Scheduler",
		"JobID|JobName|State\n7|a|COMPLETED\n":                                            "Slurm",
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := importer.Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
		s, err := Read(fstest.MapFS{"x": {Data: []byte(text)}, "jobs": {Data: []byte(contents["qstat_f.txt"])}}, Options{})
		if err != nil || len(s.Jobs) != 1 || len(s.Unknown) != 1 || !strings.Contains(s.Unknown[0].Value, want) {
			t.Errorf("%s: %v, unknown %+v", want, err, s)
		}
	}
}
