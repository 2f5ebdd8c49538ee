package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"qprism/adapters/shell"
	"qprism/adapters/sqlite"
	"qprism/exporter"
)

// A shellRunner runs commands in one shell, which the first of them starts: one remote execution in all.
type shellRunner struct {
	host     shell.Host
	settings string
	shell    *shell.Shell
}

// Run runs commands one after the other. Where the shell is lost, the next call starts another.
func (r *shellRunner) Run(ctx context.Context, commands [][]string) (results []exporter.Result, err error) {
	if r.shell == nil {
		if r.shell, err = shell.Open(ctx, r.host, shell.Options{Settings: r.settings}); err != nil {
			return nil, err
		}
	}
	for _, argv := range commands {
		var stdout bytes.Buffer
		result, err := r.shell.Run(ctx, argv, &stdout)
		if err != nil {
			r.close()
			return results, err
		}
		results = append(results, exporter.Result{Out: stdout.String(), Err: result.Complaints, Exit: result.Status})
	}
	return results, nil
}

func (r *shellRunner) close() {
	if r.shell != nil {
		r.shell.Close()
		r.shell = nil
	}
}

// makeStore opens the store, which is made where there is none.
func (d *deps) makeStore() (*sqlite.Store, error) {
	if err := os.MkdirAll(filepath.Dir(d.store), 0o755); err != nil {
		return nil, fmt.Errorf("make a place for the store: %w", err)
	}
	return sqlite.Open(d.store)
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

// stopFile is the stop file of --stop-file, else push.stop beside the store.
func (d *deps) stopFile(opts pushOptions) string {
	if opts.stopFile != "" {
		return opts.stopFile
	}
	return filepath.Join(filepath.Dir(d.store), "push.stop")
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
	return errors.Is(syscall.Kill(n, 0), syscall.ESRCH)
}
