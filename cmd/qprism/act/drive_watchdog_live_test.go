package act

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"qprism/fixtures/master"
)

var priority = regexp.MustCompile(`(?m)^priority:.*\n`)

// withoutPriority is qstat -j of a job without its -p.
func withoutPriority(text string) string { return priority.ReplaceAllString(text, "") }

// awaitGivenBack waits until jobs are as they were but for their -p, which the watchdog leaves.
func (r *room) awaitGivenBack(t *testing.T, before map[string]string, operators []string) {
	t.Helper()
	differs := ""
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(200 * time.Millisecond) {
		differs = ""
		if h := r.inState(t, "ho"); !slices.Equal(h, operators) {
			differs = fmt.Sprint("held are ", h)
			continue
		}
		var jobs []string
		for job := range before {
			jobs = append(jobs, job)
		}
		for job, is := range r.described(t, jobs) {
			if was := before[job]; withoutPriority(is) != withoutPriority(was) {
				differs = fmt.Sprintf("job %s was\n%s\nand is\n%s", job, was, is)
			}
		}
		if differs == "" {
			return
		}
	}
	t.Fatal("nothing was given back: " + differs)
}

// TestASilentDriveStopsNoCluster: the program is stopped, goes on, and is killed for good. Each time a real
// master's jobs have what they had within a minute, without anybody's help, and the scheduler goes on in
// the order that was wanted last.
func TestASilentDriveStopsNoCluster(t *testing.T) {
	master.Require(t)
	t.Parallel()
	r := drivenCluster(t, 2, 1)
	_, all := r.aFew(t)
	jobs := r.submit(t, slices.Repeat([]master.Job{{User: "carl", Queues: "all.q"}}, 4)...)
	slices.Reverse(jobs)
	before := r.described(t, slices.Concat(all, jobs))
	program, err := exec.LookPath("qprism")
	must(t, err)
	dir := t.TempDir()
	pid, rules := filepath.Join(dir, "pid"), filepath.Join(dir, "rules.yaml")
	must(t, os.WriteFile(rules, []byte("- {jobs: [user=anna], hosts: [node01], spread: true}\n- {jobs: "+
		"[user=ben], not_now: a reason}\n"), 0o600))
	var said bytes.Buffer
	c := r.Command("sh", "-c", `echo $$ >"$0"; exec "$@"`, pid, program, "--store",
		filepath.Join(dir, "store.db"), "drive",
		"--own", "all", "--order", orderFile(t, jobs), "--rules", rules, "--apply", "--interval",
		"2s", "--watchdog", "2s", "--run-now=false",
		"--lock-dir", filepath.Join(r.Root, "locks"))
	c.Stdout, c.Stderr = &said, &said
	must(t, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	defer func() { t.Log(said.String()) }()
	signal := func(s syscall.Signal) {
		t.Helper()
		_, err := r.Master.Run("sh", "-c", `kill "$0" "$(cat "$1")"`, "-"+strconv.Itoa(int(s)), pid)
		must(t, err)
	}
	held := func() {
		t.Helper()
		must(t, r.Await("holds of a drive", func() (bool, error) {
			select {
			case err := <-ended:
				return false, fmt.Errorf("the drive ended: %v", err)
			default:
				return len(r.inState(t, "ho")) == 4, nil // one of them is somebody's
			}
		}))
	}
	held()
	signal(syscall.SIGSTOP)
	r.awaitGivenBack(t, before, all[5:6])
	must(t, c.Process.Signal(syscall.SIGCONT)) // nsenter stops with its child
	signal(syscall.SIGCONT)
	held()
	signal(syscall.SIGKILL)
	<-ended
	r.awaitGivenBack(t, before, all[5:6])
	trigger(t, r.Master)
	running := r.inState(t, "r")
	for i, job := range jobs {
		if slices.Contains(running, job) != (i < 2) {
			t.Errorf("running are %v, wanted of %v the first two", running, jobs)
		}
	}
	if !strings.Contains(said.String(), "the watchdog removed the holds and restored the requests of all jobs") {
		t.Error("who comes again is not told")
	}
	must(t, os.RemoveAll(filepath.Join(r.Root, "locks")))
}
