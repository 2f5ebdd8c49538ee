package act

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/adapters/ssh"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/fixtures/sshd"
)

// TestADriveRunsThroughTheGate drives over a real sshd, with a key that runs scripts/qprism-gate drive: it permits all that a step needs.
func TestADriveRunsThroughTheGate(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := drivenCluster(t, 3, 60)
	script, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	log := filepath.Join(t.TempDir(), "gate.log")
	s := sshTo(t, r.Master, `restrict,command="`+script+` -l `+log+` drive"`)
	driven, all := r.aFew(t)
	before := r.described(t, all)
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "json"}
	over := func(o *driveOptions) {
		o.host, o.lockDir, o.await = nil, "none", 5*time.Second
		o.Reach = subject.Reach{From: "master", Client: ssh.Options{Home: s.Home, Config: []string{filepath.Join(s.Home, ".ssh", "config")}}}
	}
	report, said, err := r.drive(d, nil, over)
	if err != nil || len(report.Starts) != len(driven) {
		t.Fatalf("%d starts, %v\n%s", len(report.Starts), err, said)
	}
	for _, st := range report.Starts {
		if st.State != "confirmed" {
			t.Errorf("job %s: %s, %s", st.Job, st.State, st.Words)
		}
	}
	if _, said, err := r.drive(d, nil, func(o *driveOptions) {
		over(o)
		o.apply, o.once, o.release = true, false, true
	}); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if text, err := os.ReadFile(log); err != nil || strings.Contains(string(text), "refused") ||
		!strings.Contains(string(text), "runs: [qalter] [-l]") {
		t.Errorf("%v\n%s", err, text)
	}
	r.asBefore(t, "through the gate", before, all[5:6])
}
