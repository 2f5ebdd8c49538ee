package main

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

	"qprism/cmd/cadence"
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
func serve(t *testing.T, config string) *serving {
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
func configFor(t *testing.T, s *sshd.Server, tasks string) string {
	t.Helper()
	dir := t.TempDir()
	ssh, err := os.ReadFile(filepath.Join(s.Home, ".ssh", "config"))
	must(t, err)
	ssh = fmt.Appendf(ssh, "  IdentityFile %[1]s/.ssh/id_ed25519\n  UserKnownHostsFile %[1]s/.ssh/known_hosts\n", s.Home)
	must(t, os.WriteFile(filepath.Join(dir, "ssh_config"), ssh, 0o600))
	file := filepath.Join(dir, "qprism.yaml")
	must(t, os.WriteFile(file, []byte(`
store: {file: store.db}
health: 127.0.0.1:0
stop_within: 10s
clusters:
  live:
    from: master
    ssh_config: ssh_config
    allow: push
    deadline: 1m
`+tasks), 0o600))
	return file
}

// TestARealMasterIsServed: capture, audit and push of a real master over a real sshd every two seconds. The master's order becomes the wanted
// one and stays it when jobs are submitted; SIGTERM ends it; the next serve goes on.
func TestARealMasterIsServed(t *testing.T) {
	sshd.Require(t)
	t.Parallel()
	r := sixty(t)
	s := sshTo(t, r.Master, "")
	config := configFor(t, s, `
    capture: {at: "@every 2s", slow: 20s}
    audit: "@every 2s"
    push: {at: "@every 2s", policy: fairshare, await: 1s}
`)
	running := serve(t, config)
	t.Log(running.await(t, `msg=done .*task=capture`, 2))
	t.Log(running.await(t, `msg=done .*task=audit`, 2))
	t.Log(running.await(t, `msg=done .*task=push .*orders=[1-9]`, 1))
	status, h := running.health(t)
	if status != http.StatusOK || !h.Healthy || len(h.Tasks) != 4 || h.Process.Goroutines < 3 {
		t.Errorf("health is %d: %+v", status, h)
	}
	running.stop(t)
	if strings.Contains(running.log(), "level=ERROR") {
		t.Error("something failed")
	}
}
