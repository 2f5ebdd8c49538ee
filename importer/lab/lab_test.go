package lab

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/model"
	"qprism/importer/cluster"
)

const small = `# two hosts
hosts node01 node02
set weight_tickets_functional 1000
urgency slots 14.4
complex licence lic INT <= YES YES 0 1000
pe mpi allocation_rule=$fill_up
queue all.q slots=2 pe_list=mpi
department physics fshare=3 entries=ann,bob
tree /a=1 /a/ann=2 /b=3
12:00 ann: qsub -N first -l licence=2,h_rt=1:0:0 -pe mpi 2-3 run.sh => all.q@node01=2+all.q@node02=1 since 12:01
12:00:30 bob: qsub -t 1-9:2 -tc 2 -p -5 -js 7 -R y -hold_jid first -a 11211300 -soft -q all.q run.sh => all.q@node02
12:02 bob: qsub -h -P x -hold_jid_ad 2 -t 1-9:2 -ckpt c run.sh
`

func read(t *testing.T, text string, settings ...string) *model.Snapshot {
	t.Helper()
	files, err := Read("small", []byte(text), nil, settings)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.Read(files, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestALabIsReadAsWhatAMasterPrints(t *testing.T) {
	s := read(t, small, "queue/all.q/slots=4", "urgency/slots=3", "weight_ticket=0.5", "at=12:10")
	day := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	if s.Cluster != "lab/small" || !s.TakenAt.Equal(day.Add(10*time.Minute)) ||
		s.Policy.FunctionalTickets != 1000 || s.Policy.WeightTicket != 0.5 {
		t.Errorf("%s at %v: %+v", s.Cluster, s.TakenAt, s.Policy)
	}
	if len(s.Instances) != 2 || s.Instances[0].Slots != 4 || s.Instances[0].Used != 2 || s.Instances[1].Used != 2 {
		t.Errorf("%+v", s.Instances)
	}
	if len(s.Jobs) != 3 || len(s.ShareTree.Children) != 2 || s.ShareTree.Children[0].Children[0].Name != "ann" {
		t.Fatalf("%d jobs, tree %+v", len(s.Jobs), s.ShareTree)
	}
	a, b, c := &s.Jobs[0], &s.Jobs[1], &s.Jobs[2]
	if a.Department != "physics" || a.PE != "mpi" || model.SlotsText(a.PERange) != "2-3" ||
		len(a.Hard) != 2 || a.Hard[0].Amount != 2 ||
		a.Hard[1].Amount != 3600 || !a.Tasks[0].Started.Equal(day.Add(time.Minute)) || len(a.Tasks[0].Granted) != 2 {
		t.Errorf("%+v", a)
	}
	waits := model.Task{}
	for _, task := range b.Tasks {
		if task.Started.IsZero() {
			waits = task
		}
	}
	if b.PosixPriority != -5 || b.JobShare != 7 || !b.Reserve || len(b.Predecessors) != 1 || b.Predecessors[0] != 1 ||
		b.MaxRunningTasks != 2 ||
		!b.ExecutionTime.Equal(day.Add(time.Hour)) || len(b.SoftQueues) != 1 || waits.State != "hqw" ||
		waits.IDs[0] != (model.Range{Min: 3, Max: 9, Step: 2}) {
		t.Errorf("%+v", b)
	}
	if len(c.ArrayPredecessor) != 1 || c.Checkpoint != "c" || c.Project != "x" || c.Tasks[0].State != "hqw" {
		t.Errorf("%+v", c)
	}
}

func TestDumpsStandForTheDefaultsOfALab(t *testing.T) {
	policy, err := defaults.ReadFile("defaults/sched_conf.txt")
	if err != nil {
		t.Fatal(err)
	}
	policy = bytes.Replace(policy, []byte("0.010000"), []byte("7"), 1)
	dumps := fstest.MapFS{"sched_conf.txt": {Data: policy}, "lab": {Data: []byte("no line of this")},
		"hosts/node09.txt": {Data: []byte("hostname node09\ncomplex_values NONE\n")}}
	files, err := Read("d", []byte("10:00 ann: qsub x\n"), dumps, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.Read(files, cluster.Options{})
	if err != nil || s.Policy.WeightTicket != 7 || len(s.Instances) != 1 || s.Instances[0].Host != "node09" {
		t.Errorf("%v %+v", err, s.Policy)
	}
}

// TestAQueueOffersAllParallelEnvironmentsUnlessItSays: whichever line comes first.
func TestAQueueOffersAllParallelEnvironmentsUnlessItSays(t *testing.T) {
	files, err := Read("p", []byte("hosts a\nqueue all.q slots=4\nqueue some.q pe_list=mpi\nqueue none.q pe_list=NONE\n"+
		"pe mpi slots=3\npe smp slots=5\n10:00 ann: qsub x\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for queue, want := range map[string]string{"all.q": "pe_list mpi smp\n", "some.q": "pe_list mpi\n",
		"none.q": "pe_list NONE\n"} {
		if text, err := fs.ReadFile(files, "queues/"+queue+".txt"); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v %s", queue, err, text)
		}
	}
}

func TestALineThatIsWrongIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		"walk on":                                "small:2: no line begins with \"walk\"",
		"set weight_tickets 1":                   "sched_conf.txt has no weight_tickets",
		"complex x y":                            "8 columns",
		"urgency lic 4":                          "the complex has no lic",
		"12:00 ann qsub":                         "want TIME USER: qsub",
		"12:00 ann: qsub -Z 3 x":                 "-Z 3: this option is not known here",
		"12:00 ann: qsub -l":                     "-l lacks a value",
		"12:00 ann: qsub -hold_jid 7 x":          "no job 7 was submitted before",
		"12:99 ann: qsub x":                      "no time of day",
		"12:00 ann: qsub x => node01":            "want QUEUE@HOST",
		"12:00 ann: qsub x => all.q@node77":      "all.q@node77, which is no queue instance",
		"queue all.q slots":                      "want KEY=VALUE",
		"12:00 ann: qsub -p 5000 x":              "small:2: qsub: -p 5000: -p is -1023 to 1024",
		"12:00 ann: qsub -t 0-3 x":               "from 1",
		"12:00 ann: qsub x => all.q@node01=9999": "small:2: all.q@node01=9999: the queue instance has 1",
		"set weight_ticket -3":                   "small:2: weight_ticket -3: want a number from 0",
		"urgency slots abc":                      "small:2: urgency slots \"abc\": want a number",
		"complex lic lic BLAH <= YES YES 0 0":    "small:2: complex lic: column 3 is one of INT",
		"host node77 complex_values=x=1":         "small:2: there is no host node77",
		"12:00 ann: qsub -l blah=3 x":            "small:2: qsub: -l blah=3: the complex has no blah",
		"hosts a b slots=4":                      "\"slots=4\" is no name of a host",
		"tree a=3":                               "want /NODE=SHARES",
		"at 11:00\n12:00 ann: qsub x":            "submitted after the lab's moment",
		"12:00 <b>: qsub -N <&> -l h_rt=\"1\" x": "",
	} {
		_, err := Read("small", []byte("hosts node01\n"+line+"\n"), nil, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if _, err := Read("x", []byte("10:00 ann: qsub x"), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "which hosts there are") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Read("small", []byte(text), nil, nil)
		if err == nil {
			_, _ = cluster.Read(files, cluster.Options{KeepGoing: true})
		}
	})
}

// TestALabHasADayAndNumbers: those of its lines stand above what is usual; a number that is given away is refused.
func TestALabHasADayAndNumbers(t *testing.T) {
	s := read(t, "day 2026-10-22\nhosts node01\nnumber 4711\n12:00 ann: qsub a.sh => "+
		"all.q@node01\n13:00 ann: qsub b.sh\nnumber 5000\n"+
		"14:00 ann: qsub -hold_jid 4712 c.sh\n")
	if len(s.Jobs) != 3 || s.Jobs[0].Number != 4711 || s.Jobs[1].Number != 4712 || s.Jobs[2].Number != 5000 {
		t.Fatalf("%+v", s.Jobs)
	}
	if at := time.Date(2026, 10, 22, 14, 0, 0, 0, time.UTC); !s.Jobs[2].Submitted.Equal(at) ||
		s.Jobs[2].Predecessors[0] != 4712 {
		t.Errorf("%+v", s.Jobs[2])
	}
	for _, lines := range []string{"12:00 ann: qsub a.sh\nnumber 1\n", "number 0\n", "number x\n",
		"number 4294967295\n", "day 22.10.2026\n"} {
		if _, err := Read("bad", []byte("hosts node01\n"+lines), nil, nil); err == nil {
			t.Errorf("%q is read", lines)
		}
	}
}

// TestARequestByShortcutHasTheFullName: the master stores the full name, and urgency goes by it.
func TestARequestByShortcutHasTheFullName(t *testing.T) {
	files, err := Read("s", []byte("hosts a\ncomplex license lic INT <= YES YES 0 500\n"+
		"10:00 ann: qsub -l lic=2 -soft -l lic=3 x\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cluster.Read(files, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hard, soft := s.Jobs[0].Hard, s.Jobs[0].Soft
	if len(hard) != 1 || len(soft) != 1 || hard[0].Resource != "license" || soft[0].Resource != "license" || hard[0].Value != "2" {
		t.Errorf("hard %+v, soft %+v", hard, soft)
	}
}
