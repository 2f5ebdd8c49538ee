package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"qprism/cmd/names"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/subject"
	"qprism/engine/model"
	"qprism/exporter"
)

// New returns a controller of a cluster that works for this process.
func New(d *cli.Deps, runner *Shell, lockDir string, warn io.Writer) exporter.Controller {
	c := exporter.Controller{Runner: runner, Holder: ThisProcess(), Limits: exporter.Gentle,
		Locks:   subject.StoreLocks{Folder: filepath.Join(filepath.Dir(d.Store), "locks")},
		HasLock: lockDir != "none", Tell: func(text string) { fmt.Fprintln(warn, "qprism: "+text) }}
	if c.HasLock {
		c.LockDir = lockDir
	}
	c.Identify = func(ctx context.Context) (model.Identity, error) {
		site, err := runner.Site(ctx)
		if err != nil {
			return model.Identity{}, err
		}
		return site.Identity, nil
	}
	return c
}

// ThisProcess names this process as the holder of a lock.
func ThisProcess() string {
	host, _ := os.Hostname()
	name := strconv.Itoa(os.Getuid())
	if me, _, err := names.User(); err == nil {
		name = me
	}
	return fmt.Sprintf("%s@%s:%d", name, host, os.Getpid())
}

// Stopped returns an error if the stop file exists, or if that is unknown.
func Stopped(path string) error {
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("it is not known if there is a stop file: %w", err)
	}
	return fmt.Errorf("the stop file %s exists; remove it to allow pushes", path)
}

// StopFile returns the file of --stop-file. Its default is push.stop beside the store.
func StopFile(d *cli.Deps, file string) string {
	return cmp.Or(file, filepath.Join(filepath.Dir(d.Store), "push.stop"))
}

// Keep writes a value as JSON to a file. If it fails, the old file stays.
func Keep(file string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return subject.WriteWhole(file, text, 0o600)
}

// Kept reads a file that Keep wrote. If there is no file, the value does not change.
func Kept(file string, v any) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
