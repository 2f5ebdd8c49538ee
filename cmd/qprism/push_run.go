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
	"qprism/exporter"
)

// A shellRunner runs commands in one shell, which the first of them starts: one remote execution in all.
type shellRunner struct {
	reach reach
	host  shell.Host // instead of where reach says
	*reached
}

// Run runs commands one after the other. Where the shell is lost, the next call starts another.
func (r *shellRunner) Run(ctx context.Context, commands [][]string) (results []exporter.Result, err error) {
	if _, err := r.cluster(ctx); err != nil {
		return nil, err
	}
	for _, argv := range commands {
		var stdout bytes.Buffer
		status, complaints, _, err := r.reached.Run(ctx, argv, &stdout)
		if err != nil {
			r.close()
			return results, err
		}
		results = append(results, exporter.Result{Out: stdout.String(), Err: complaints, Exit: status})
	}
	return results, nil
}

// cluster is the shell, which is started where there is none.
func (r *shellRunner) cluster(ctx context.Context) (_ *reached, err error) {
	if r.reached == nil {
		r.reached, err = r.open(ctx)
	}
	return r.reached, err
}

// open reaches the cluster.
func (r *shellRunner) open(ctx context.Context) (*reached, error) {
	if r.host == nil {
		return r.reach.open(ctx)
	}
	s, err := shell.Open(ctx, r.host, shell.Options{Settings: r.reach.settings})
	if err != nil {
		return nil, err
	}
	return &reached{host: unclosed{r.host}, shell: s}, nil
}

// An unclosed host has no connection to end.
type unclosed struct{ shell.Host }

func (unclosed) Close() error { return nil }

func (r *shellRunner) close() {
	if r.reached != nil {
		r.Close()
		r.reached = nil
	}
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
