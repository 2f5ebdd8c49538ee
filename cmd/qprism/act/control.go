package act

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/exporter"
)

// controlOf is this process as one who changes a cluster; it keeps the cluster's locks for longer than its work may take.
func controlOf(runner exporter.Runner, lockDir string, most time.Duration, warn io.Writer) exporter.Controller {
	c := exporter.Controller{Runner: runner, Holder: thisProcess(), Limits: exporter.Gentle, LockDir: lockFolderOf(lockDir), Dead: holderDied,
		Tell: func(text string) { fmt.Fprintln(warn, "qprism: "+text) }}
	c.Limits.Lock = max(c.Limits.Lock, most+time.Minute)
	return c
}

// withStore opens the store, does something with it, and ends the shell on the cluster, which was reached when the first command ran.
func withStore(d *cli.Deps, runner *shellRunner, do func(*sqlite.Store) error) error {
	store, err := subject.MakeStore(d)
	if err != nil {
		return err
	}
	defer store.Close()
	defer runner.close()
	return do(store)
}

// lockFolderOf is where the host keeps the lock of those who push or drive over it, by --lock-dir; none if empty.
func lockFolderOf(flag string) string {
	switch flag {
	case "none":
		return ""
	case "":
		return lockFolder
	}
	return flag
}

// lockFolder is a folder of every host in which every account may make a lock. scripts/qprism-gate knows it.
const lockFolder = "/tmp"

// thisProcess names this process for a lock: another one on this machine can see whether it lives.
func thisProcess() string {
	host, _ := os.Hostname()
	name := strconv.Itoa(os.Getuid())
	if me, err := user.Current(); err == nil {
		name = me.Username
	}
	return fmt.Sprintf("%s@%s:%d", name, host, os.Getpid())
}

// stopFile is an error while a file exists, or where that cannot be known.
func stopFile(path string) error {
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("whether there is a stop file is not known: %w", err)
	}
	return fmt.Errorf("the stop file %s exists; nothing is sent until it is removed", path)
}

// stopFileOf is the stop file of --stop-file, else push.stop beside the store.
func stopFileOf(d *cli.Deps, opts pushOptions) string {
	if opts.stopFile != "" {
		return opts.stopFile
	}
	return filepath.Join(filepath.Dir(d.Store), "push.stop")
}

// holderDied reports whether the holder of a lock was a process of this machine that is gone.
func holderDied(holder string) bool {
	name, pid, _ := strings.Cut(holder, ":")
	_, host, _ := strings.Cut(name, "@")
	here, err := os.Hostname()
	n, bad := strconv.Atoi(pid)
	if err != nil || bad != nil || host != here || n <= 0 {
		return false
	}
	return errors.Is(syscall.Kill(n, 0), syscall.ESRCH) || isZombie(n)
}

// isZombie reports whether a process of this machine has ended, though nobody has asked yet how: it has a number still, and a signal
// reaches it. Only Linux tells (proc(5), stat); elsewhere it counts as alive until it is gone.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	after := strings.LastIndexByte(string(stat), ')') // the name before it may hold anything
	state := strings.TrimSpace(string(stat[after+1:]))
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}
