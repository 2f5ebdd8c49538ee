package act

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/act/drive"
	"qprism/fixtures/sshd"
)

// TestADriveRunsThroughTheGate drives over a real sshd, with a key that runs scripts/qprism-gate drive: it
// permits all that a step needs, and leaves a watchdog behind, which gives back what was taken when nothing
// is heard any more.
func TestADriveRunsThroughTheGate(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := drivenCluster(t, 3, 60)
	script, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	log, locks, rules := filepath.Join(t.TempDir(), "gate.log"), filepath.Join(t.TempDir(), "locks"), rulesFile(t)
	s := sshTo(t, r.Master, `restrict,command="`+script+` -d `+locks+` -l `+log+` drive"`)
	_, all := r.aFew(t)
	before := r.described(t, all)
	d := newStore(t, "json")
	over := func(o *drive.Options) {
		o.Host, o.LockDir, o.Rules, o.RunNow, o.Silence = nil, locks, rules, true, 2*time.Second
		o.Reach = sshReach(s)
	}
	report, said, err := r.drive(d, nil, over)
	if err != nil || len(report.Orders) == 0 || report.Held != 3 {
		t.Fatalf("%+v, %v\n%s", report, err, said)
	}
	for _, o := range report.Orders {
		if o.State != "confirmed" {
			t.Errorf("%+v", o)
		}
	}
	r.awaitGivenBack(t, before, all[5:6])
	if _, said, err := r.drive(d, nil, func(o *drive.Options) {
		over(o)
		o.Apply, o.Once, o.Release = true, false, true
	}); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if text, err := os.ReadFile(log); err != nil || strings.Contains(string(text), "refused") ||
		!strings.Contains(string(text), "runs: [qalter] [-p]") || !strings.Contains(string(text), "returns: [qalter]") {
		t.Errorf("%v\n%s", err, text)
	}
	r.asBefore(t, "through the gate", before, all[5:6])
}
