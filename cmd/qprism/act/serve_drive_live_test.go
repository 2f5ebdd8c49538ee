package act

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qprism/fixtures/master"
	"qprism/fixtures/sshd"
)

// TestServeStepsAtEventsAndItsDeathStopsNoCluster: over a real sshd and the gate, serve makes a step when
// it starts and the next one when a job comes, long before the cron line says. Then serve is killed
// (SIGKILL): the watchdog gives back what was taken.
func TestServeStepsAtEventsAndItsDeathStopsNoCluster(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := drivenCluster(t, 1, 1)
	jobs := r.submit(t, slices.Repeat([]master.Job{{User: "anna", Queues: "all.q"}, {User: "ben", Queues: "all.q"}}, 2)...)
	dir := t.TempDir()
	locks, rules := filepath.Join(dir, "locks"), filepath.Join(dir, "rules.yaml")
	must(t, os.WriteFile(rules, []byte(
		"- {jobs: [user=ben], not_now: a reason}\n- {jobs: [user=anna], not_hosts: [node01]}\n"), 0o600))
	script, err := filepath.Abs("../../../scripts/qprism-gate")
	must(t, err)
	s := sshTo(t, r.Master, `restrict,command="`+script+` -d `+locks+` -l `+filepath.Join(dir, "gate.log")+` drive"`)
	config := configFor(t, s, fmt.Sprintf("    allow: drive\n    drive: {at: '@every 1h', own: all, "+
		"rules: %s, watchdog: 5s, lock_dir: %s}\n", rules, locks))
	before := r.described(t, jobs)
	serving := startServe(t, config)
	serving.await(t, `msg=done .*task=drive `, 1)
	jobs = append(jobs, r.submit(t, master.Job{User: "ben", Queues: "all.q"})...)
	before[jobs[4]] = r.described(t, jobs[4:])[jobs[4]]
	must(t, r.Await("the hold of the job that came", func() (bool, error) { return len(r.inState(t, "ho")) == 3, nil }))
	must(t, serving.cmd.Process.Kill())
	<-serving.done
	r.awaitGivenBack(t, before, nil)
	must(t, r.Await("the watchdog's note, its last file in the folder", func() (bool, error) {
		noted, err := filepath.Glob(filepath.Join(locks, "*.gave"))
		return len(noted) > 0, err
	}))
}
