package act

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"qprism/fixtures/master"
)

const verifier = "../../../scripts/qprism-jsv"

// TestTheVerifierLetsNewJobsWait, and nothing else: by the protocol of jsv_script_interface(3).
func TestTheVerifierLetsNewJobsWait(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		params string
		waits  bool
	}{
		"a batch job": {"PARAM CLIENT qsub\nPARAM USER anna\nPARAM CMDNAME $(touch " +
			"pwned) a b\nPARAM N now y\n", true},
		"one that has a start time":      {"PARAM CLIENT qsub\nPARAM a 203001010000.00\n", false},
		"one that starts at once":        {"PARAM CLIENT qsub\nPARAM now yes\n", false},
		"an interactive one":             {"PARAM CLIENT qrsh\n", false},
		"the one after such":             {"PARAM a 203001010000.00\nBEGIN\nSTART\nPARAM CLIENT qsub\n", true},
		"one whose name is a command":    {"PARAM N QUIT\nPARAM CMDNAME BEGIN\n", true},
		"one with a backslash in a name": {"PARAM N a\\\nPARAM CLIENT qsub\n", true},
	} {
		cmd := exec.Command("sh", verifier)
		cmd.Stdin = strings.NewReader("START\n" + c.params + "BEGIN\nQUIT\n")
		before := time.Now()
		out, err := cmd.Output()
		must(t, err)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		state := lines[len(lines)-1]
		if !c.waits {
			if state != "RESULT STATE ACCEPT" || strings.Contains(string(out), "PARAM") {
				t.Errorf("%s: %q", name, out)
			}
			continue
		}
		at, err := time.ParseInLocation("PARAM a 200601021504.05", lines[len(lines)-2], time.Local)
		ahead := at.Sub(before)
		midnight := at.Hour() == 23 && at.Minute() == 59 && at.Second() == 59 // never on another day
		if err != nil || state != "RESULT STATE CORRECT" || ahead > time.Minute || ahead < 4*time.Second && !midnight {
			t.Errorf("%s: %q, %v ahead, %v", name, out, ahead, err)
		}
	}
}

// TestAVerifiedJobStartsWhoeverIsDead: a master with the verifier starts a new job some seconds later and
// not before, also after the verifier was killed, and lets the requests that a drive narrows be altered.
func TestAVerifiedJobStartsWhoeverIsDead(t *testing.T) {
	t.Parallel()
	r := &room{Master: master.Start(t, master.Options{})}
	must(t, r.Apply(master.Scenario{Queues: []master.Object{{"qname": "all.q", "slots": "4"}},
		Hosts: []master.Object{{"name": "node01"}},
		Users: []master.Object{{"name": "anna"}}}))
	installVerifier(t, r.Master)
	for _, round := range []string{"new", "killed"} {
		came := time.Now()
		job := r.submit(t, master.Job{User: "anna"})[0]
		if text := r.described(t, []string{job})[job]; !strings.Contains(text, "execution_time:") {
			t.Fatalf("%s: the job has no start time:\n%s", round, text)
		}
		_, err := r.Master.Run("qalter", "-l", "hostname=node01", "-soft", "-l", "hostname=node01",
			"-R", "y", "-ac", "a=b", "-p", "5",
			"-h", "o", job)
		must(t, err)
		_, err = r.Master.Run("qalter", "-h", "O", job)
		must(t, err)
		must(t, r.Await("a start", func() (bool, error) { // no host reports its load here, which would make the scheduler run
			if _, err := r.Master.Run("qconf", "-tsm"); err != nil {
				return false, err
			}
			time.Sleep(500 * time.Millisecond)
			text, err := r.Master.Run("qstat", "-u", "*", "-s", "r")
			return strings.Contains(text, " "+job+" 0."), err
		}))
		if waited := time.Since(came); waited < 4*time.Second {
			t.Errorf("%s: it started after %v", round, waited)
		}
		if round == "new" {
			_, err = r.Master.Run("sh", "-c", `kill -9 $(pgrep -P "$(cat "$SGE_ROOT"/spool/qmaster/qmaster.pid)")`)
			must(t, err)
		}
	}
}
