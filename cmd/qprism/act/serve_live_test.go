package act

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"qprism/adapters/local"
	"qprism/cmd/cadence"
	"qprism/cmd/qprism/act/push"
	"qprism/fixtures/sshd"
)

// A serving is a running qprism serve, a process of its own.
type serving struct {
	cmd  *exec.Cmd
	done chan error
	mu   sync.Mutex
	said bytes.Buffer
}

func (s *serving) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.Write(p)
}

// log is what it has logged.
func (s *serving) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// serve starts qprism serve, which ends with the test at the latest.
func startServe(t *testing.T, config string) *serving {
	t.Helper()
	s := &serving{cmd: exec.Command("qprism", "serve", "--config", config), done: make(chan error, 1)}
	s.cmd.Stdout, s.cmd.Stderr = s, s
	must(t, s.cmd.Start())
	go func() { s.done <- s.cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("the log of serve:\n%s", s.log())
		}
	})
	return s
}

// await waits until the log has so many lines that fit a pattern, and returns the last.
func (s *serving) await(t *testing.T, pattern string, times int) string {
	t.Helper()
	re := regexp.MustCompile("(?m)^.*" + pattern + ".*$")
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if lines := re.FindAllString(s.log(), -1); len(lines) >= times {
			return lines[times-1]
		}
		if time.Now().After(end) {
			t.Fatalf("the log has not %d lines of %q", times, pattern)
		}
	}
}

// stop sends SIGTERM and waits for the end.
func (s *serving) stop(t *testing.T) {
	t.Helper()
	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-s.done:
		if err != nil {
			t.Errorf("serve ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("serve does not end")
	}
}

// health asks the health endpoint.
func (s *serving) health(t *testing.T) (status int, h cadence.Health) {
	t.Helper()
	url := regexp.MustCompile(`http://[^ ]*/health`).FindString(s.await(t, "msg=health", 1))
	r, err := http.Get(url)
	must(t, err)
	defer r.Body.Close()
	must(t, json.NewDecoder(r.Body).Decode(&h))
	return r.StatusCode, h
}

// configFor writes a configuration for a master behind an ssh server, and how to reach that.
func configFor(t *testing.T, s *sshd.Server, cluster string) (file string) {
	t.Helper()
	dir := t.TempDir()
	ssh, err := os.ReadFile(filepath.Join(s.Home, ".ssh", "config"))
	must(t, err)
	ssh = fmt.Appendf(ssh, "  IdentityFile %[1]s/.ssh/id_ed25519\n  UserKnownHostsFile %[1]s/.ssh/known_hosts\n", s.Home)
	must(t, os.WriteFile(filepath.Join(dir, "ssh_config"), ssh, 0o600))
	file = filepath.Join(dir, "qprism.yaml")
	writeConfig(t, file, cluster)
	return file
}

func writeConfig(t *testing.T, file, cluster string) {
	t.Helper()
	cluster = strings.ReplaceAll(cluster, "LOCKS", filepath.Dir(file)) // masters of other tests have the same name
	text := "store: {file: store.db}\nhealth: 127.0.0.1:0\nstop_within: 10s\nclusters:\n  live:\n    " +
		"from: master\n    ssh_config: ssh_config\n" + cluster
	must(t, os.WriteFile(file, []byte(text), 0o600))
}

const (
	readsLive  = "    capture: {at: '@every 2s', slow: 20s}\n    audit: '@every 2s'\n"
	pushesLive = readsLive + "    allow: push\n    push: {at: '@every 2s', policy: fairshare, await: " +
		"30s, lock_dir: LOCKS}\n"
)

// TestARealMasterIsServed serves a real master over a real sshd with a cadence of two seconds. Serve is
// stopped while a push waits for the next scheduler run; the next serve finishes that push; the master's
// order becomes the wanted one, and from then on nothing is sent.
func TestARealMasterIsServed(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := sixty(t)
	s := sshTo(t, r.Master, "")
	config := configFor(t, s, pushesLive)

	first := startServe(t, config)
	first.await(t, `waiting for the next scheduler run`, 1)
	began := time.Now()
	first.stop(t)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("serve took %v to stop", took)
	}
	first.await(t, `level=WARN msg=stopped .*task=push .*push 1 is not finished`, 1)

	second := startServe(t, config)
	second.await(t, `a push was not finished: it is finished.* push=1`, 1)
	second.await(t, `waiting for the next scheduler run`, 1)
	trigger(t, r.Master)
	t.Log(second.await(t, `msg=done .*task=recover .*push=1 orders=\d+ agrees=true`, 1))
	t.Log(second.await(t, `msg=done .*task=capture`, 2))
	t.Log(second.await(t, `msg=done .*task=audit .*unexplained=0`, 2))
	t.Log(second.await(t, `msg=done .*task=push .*waiting=60 orders=0`, 2))
	order, _ := r.listed(t)
	if wanted := wantedOf(t, r); wanted != strings.Join(order, " ") {
		t.Errorf("the master's order is\n%v, wanted\n%s", order, wanted)
	}
	if status, h := second.health(t); status != http.StatusOK || !h.Healthy || len(h.Tasks) != 4 ||
		h.Process.Goroutines < 3 ||
		h.Process.Descriptors < 3 {
		t.Errorf("health is %d: %+v", status, h)
	}
	locked(t, config, second)
	reloaded(t, config, second)
	second.stop(t)
	// the configuration that could not be read
	if strings.Contains(first.log(), "level=ERROR") || strings.Count(second.log(), "level=ERROR") != 1 {
		t.Error("something failed")
	}
	once(t, config)
	driven(t, r, config)
	table, err := os.ReadFile(filepath.Join(filepath.Dir(config), "reports", "live", "audit.csv"))
	must(t, err)
	if lines := strings.Split(string(table), "\n"); len(lines) < 4 || !strings.HasPrefix(lines[0], "at,snapshot,") ||
		strings.Count(string(table), "at,snapshot") != 1 {
		t.Errorf("the figures are\n%s", table)
	}
}

// wantedOf is the fairshare order of a master's waiting jobs, as push shows it.
func wantedOf(t *testing.T, r *room) string {
	t.Helper()
	var planned struct{ Wanted []uint32 }
	d := newStore(t, "json")
	must(t, json.Unmarshal([]byte(r.push(t, d, push.Options{Policy: "fairshare"}, true)), &planned))
	return listOf(planned.Wanted)
}

// locked does something with the cluster in another process: serve leaves runs out meanwhile, which is no
// failure, and so does run --once.
func locked(t *testing.T, config string, s *serving) {
	t.Helper()
	var unlock func() error
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) { // between two runs of serve
		var err error
		if unlock, err = local.Lock(filepath.Join(filepath.Dir(config), "serve", "live.cluster.lock")); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	t.Log(s.await(t, `msg=skipped .*another process is working with this cluster: process `, 1))
	out, err := exec.Command("qprism", "serve", "--once", "capture", "--config", config).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another process is working with this cluster") {
		t.Errorf("run --once: %v: %s", err, out)
	}
	if status, h := s.health(t); status != http.StatusOK {
		t.Errorf("health is %d: %+v", status, h)
	}
	must(t, unlock())
}

// reloaded changes the configuration: one that cannot be read changes nothing, one that allows no push ends the pushes.
func reloaded(t *testing.T, config string, s *serving) {
	t.Helper()
	writeConfig(t, config, "    capture: every now and then\n")
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	t.Log(s.await(t, `the configuration was not reloaded; the old one stays in use`, 1))
	writeConfig(t, config, readsLive)
	must(t, s.cmd.Process.Signal(syscall.SIGHUP))
	s.await(t, `msg=serving`, 2)
	_, h := s.health(t)
	for _, task := range h.Tasks {
		if task.Task != "capture" && task.Task != "audit" || task.Runs < 2 {
			t.Errorf("%+v", task)
		}
	}
	captured := len(regexp.MustCompile(`msg=done .*task=capture`).FindAllString(s.log(), -1))
	s.await(t, `msg=done .*task=capture`, captured+1)
}

// once does tasks as cron would.
func once(t *testing.T, config string) {
	t.Helper()
	for task, want := range map[string]string{
		"audit": "msg=done cluster=live task=audit", "capture": "msg=done cluster=live task=capture",
		"push": "cluster live has no push", "prune": "the store does not say how long snapshots are kept",
		"reboot": `there is no task "reboot"`,
	} {
		out, err := exec.Command("qprism", "run", task, "--config", config).CombinedOutput()
		if !strings.Contains(string(out), want) || (err == nil) != strings.HasPrefix(want, "msg=done") {
			t.Errorf("run %s: %v: %s", task, err, out)
		}
	}
}

// driven decides about the jobs of one user: they must not start, and when serve stops all is as it was; so
// it is when serve is killed, and the next one is not told to drive.
func driven(t *testing.T, r *room, config string) {
	t.Helper()
	held := func() string {
		text, err := r.Master.Run("qstat", "-s", "hu", "-u", "*")
		must(t, err)
		both, err := r.Master.Run("qstat", "-s", "ho", "-u", "*")
		must(t, err)
		return text + both
	}
	before, rules := held(), notNow(t)
	const reads = "    capture: {at: '@every 2s', slow: 20s}\n    allow: drive\n"
	drives := func() *serving {
		writeConfig(t, config, reads+"    drive: {at: '@every 2s', own: user=user0, rules: "+rules+"}\n")
		s := startServe(t, config)
		t.Log(s.await(t, `changed by .* task=drive`, 1))
		s.await(t, `msg=done .*task=drive `, 1)
		if now := held(); strings.Count(now, "user0") < 10 {
			t.Errorf("held are\n%s", now)
		}
		return s
	}
	s := drives()
	s.stop(t)
	t.Log(s.await(t, `msg=done .*task=release`, 1))
	if now := held(); now != before {
		t.Errorf("stopped, held are\n%s\nbefore\n%s", now, before)
	}
	s = drives()
	must(t, s.cmd.Process.Kill())
	<-s.done
	writeConfig(t, config, reads)
	s = startServe(t, config)
	t.Log(s.await(t, `all jobs are restored`, 1))
	s.stop(t)
	if now := held(); now != before {
		t.Errorf("killed and given up, held are\n%s\nbefore\n%s", now, before)
	}
}
