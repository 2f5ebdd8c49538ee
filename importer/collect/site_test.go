package collect

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"qprism/engine/model"
)

// answers are what commands print; all others fail.
type answers map[string]string

func (a answers) Run(_ context.Context, argv []string, stdout io.Writer) (int, string, time.Duration, error) {
	text, known := a[strings.Join(argv, " ")]
	if !known {
		return 1, "no such thing", 0, nil
	}
	_, err := io.WriteString(stdout, text)
	return 0, "", 0, err
}

// cellAnswers are those of a cell on the master's own host.
func cellAnswers() answers {
	return answers{"qstat -help": "SGE 8.1.9\n", "printenv SGE_ROOT": "/opt/sge\n", "printenv SGE_CELL": "north\n",
		"printenv SGE_QMASTER_PORT":             "7001\n",
		"cat /opt/sge/north/common/act_qmaster": "VM.site\n", "cat /opt/sge/north/common/bootstrap": "qmaster_spool_dir /spool\n",
		"cksum /opt/sge/north/common/bootstrap":      "12 25 /opt/sge/north/common/bootstrap\n",
		"stat -c %Y /opt/sge/north/common/bootstrap": "1795291200\n",
		"uname -n": "vm\n", "cksum /etc/machine-id": "99 33 /etc/machine-id\n", "cat /spool/jobseqnum": "412\n"}
}

func TestAClusterSaysWhoItIs(t *testing.T) {
	whole := model.Identity{Host: "VM.site", Root: "/opt/sge", Cell: "north", Port: "7001",
		Config: "12 25", Made: "1795291200",
		Machine: "99 33", Sequence: 412}
	for name, c := range map[string]struct {
		change func(answers)
		want   func(*model.Identity)
	}{
		"on the master's own host": {func(answers) {}, func(*model.Identity) {}},
		"elsewhere its machine is not known": {func(a answers) {
			a["uname -n"] = "login1\n"
		}, func(i *model.Identity) { i.Machine = "" }},
		"the port of services(5)": {func(a answers) {
			delete(a, "printenv SGE_QMASTER_PORT")
			a["getent services sge_qmaster"] = "sge_qmaster           6444/tcp\n"
		}, func(i *model.Identity) { i.Port = "6444" }},
		"a spool that cannot be read": {func(a answers) {
			delete(a, "cat /spool/jobseqnum")
		}, func(i *model.Identity) { i.Sequence = 0 }},
		"a sequence that is none": {func(a answers) {
			a["cat /spool/jobseqnum"] = "many\n"
		}, func(i *model.Identity) { i.Sequence = 0 }},
		"no stat": {func(a answers) { delete(a, "stat -c %Y /opt/sge/north/common/bootstrap") },
			func(i *model.Identity) { i.Made = "" }},
	} {
		a, want := cellAnswers(), whole
		c.change(a)
		c.want(&want)
		if s, err := Identify(t.Context(), a); err != nil || s.Identity != want || s.Spool != "/spool" {
			t.Errorf("%s: %+v, %v; want %+v", name, s, err, want)
		}
	}
	server := answers{"qstat -help": "usage:\n", "qstat --version": "pbs_version = 23.06.06\n",
		"cat /etc/pbs.conf": "PBS_HOME=/pbs\nPBS_SERVER=head\nPBS_BATCH_SERVICE_PORT=16001\n",
		"uname -n":          "head\n", "cksum /etc/machine-id": "5 33 x\n", "cksum /etc/pbs.conf": "6 70 x\n",
		"stat -c %Y /etc/pbs.conf": "17\n"}
	want := model.Identity{System: model.PBSSystem, Host: "head", Root: "/pbs", Port: "16001",
		Machine: "5 33", Config: "6 70", Made: "17"}
	if s, err := Identify(t.Context(), server); err != nil || s.Identity != want {
		t.Errorf("%+v, %v; want %+v", s, err, want)
	}
}

// TestAServerOfPBSIsAskedElsewhereThanOnItsHost: home and machine of a client are not the server's, and the
// client may call it by another name.
func TestAServerOfPBSIsAskedElsewhereThanOnItsHost(t *testing.T) {
	client := answers{"qstat -help": "usage:\n", "qstat --version": "pbs_version = 23.06.06\n",
		"cat /etc/pbs.conf": "PBS_HOME=/var/spool/pbs\nPBS_SERVER=head\n",
		"uname -n":          "login1\n", "cksum /etc/machine-id": "5 33 x\n", "cksum /etc/pbs.conf": "6 70 x\n",
		"stat -c %Y /etc/pbs.conf": "17\n"}
	want := model.Identity{System: model.PBSSystem, Host: "head"}
	if s, err := Identify(t.Context(), client); err != nil || s.Identity != want || s.Home != "/var/spool/pbs" {
		t.Errorf("a server that says nothing: %+v, %v; want %+v", s, err, want)
	}
	client["qmgr -c list server server_host"] = "Server head\n    server_host = head.site\n\n"
	client["qmgr -c list sched default sched_priv"] = "Sched default\n    sched_priv = /pbs/sched_priv\n\n"
	want.Host, want.Root = "head.site", "/pbs"
	if s, err := Identify(t.Context(), client); err != nil || s.Identity != want {
		t.Errorf("%+v, %v; want %+v", s, err, want)
	}
}

func TestABundleSaysWhichClusterItIsOf(t *testing.T) {
	s := &Site{Identity: model.Identity{Host: "vm", Root: "/opt/sge", Given: "bonn", Via: "root@there", Sequence: 7}}
	if got, want := s.lines(), "identity host vm\nidentity root /opt/sge\nidentity sequence 7\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
