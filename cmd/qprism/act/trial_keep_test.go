package act

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/master"
)

// monitored are the scheduler's params: where a trial's traces are kept it writes down what it starts and
// what it reserves.
func monitored() master.Value {
	if *trialKeep == "" {
		return "NONE"
	}
	return "MONITOR=1"
}

func (s *trialSide) name() string {
	if s.native {
		return "native"
	}
	return "driven"
}

// keepLook keeps what qstat said.
func (s *trialSide) keepLook(t *testing.T, at time.Time, text string) {
	if *trialKeep == "" {
		return
	}
	f, err := os.OpenFile(filepath.Join(*trialKeep, s.name()+".qstat"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = fmt.Fprintf(f, "@%d %s\n%s", at.Unix(), at.Format(time.TimeOnly), text)
	must(t, err)
	must(t, f.Close())
}

// keep writes down each job's times on both sides, what the schedulers did and reserved, and what serve said.
func (tr *trial) keep(t *testing.T) {
	if *trialKeep == "" {
		return
	}
	for _, s := range []*trialSide{tr.native, tr.driven} {
		var b strings.Builder
		fmt.Fprintln(&b, "nth\tjob\tuser\tseconds\tslots\tcame\tranked\tstarted\tgone\ton")
		for nth, j := range s.jobs {
			since := func(at time.Time) float64 { return max(-1, at.Sub(tr.began).Seconds()) }
			fmt.Fprintf(&b, "%d\t%s\t%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%v\n", nth, j.number, j.user, j.runtime, j.slots,
				j.came.Sub(tr.began).Seconds(), since(j.ranked), since(j.started), since(j.gone), j.on)
		}
		must(t, os.WriteFile(filepath.Join(*trialKeep, s.name()+".jobs"), []byte(b.String()), 0o600))
		for _, file := range []string{"common/schedule", "common/accounting"} {
			// there is none before its first line
			text, _ := s.Master.Run("sh", "-c", `cat "$SGE_ROOT/$SGE_CELL/`+file+`" 2>/dev/null`)
			must(t, os.WriteFile(filepath.Join(*trialKeep, s.name()+"."+filepath.Base(file)), []byte(text), 0o600))
		}
	}
	must(t, os.WriteFile(filepath.Join(*trialKeep, "serve.log"),
		[]byte(strings.Join(append(tr.logs, tr.serving.log()), "\n")), 0o600))
	if text, err := os.ReadFile(filepath.Join(tr.dir, "gate.log")); err == nil {
		must(t, os.WriteFile(filepath.Join(*trialKeep, "gate.log"), text, 0o600))
	}
}
