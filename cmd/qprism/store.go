package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"qprism/adapters/sqlite"
	"qprism/cmd/safe"
)

// openStore opens the store to read it. It must exist; whoever may read its file may do so.
func (d *deps) openStore() (*sqlite.Store, error) {
	if err := d.storeExists(); err != nil {
		return nil, err
	}
	return sqlite.OpenToRead(d.store, d.waits())
}

// openToWrite opens the store, which must exist, to change what is in it.
func (d *deps) openToWrite() (*sqlite.Store, error) {
	if err := d.storeExists(); err != nil {
		return nil, err
	}
	return sqlite.Open(d.store, d.waits())
}

// makeStore opens the store, which is made where there is none.
func (d *deps) makeStore() (*sqlite.Store, error) {
	if err := os.MkdirAll(filepath.Dir(d.store), 0o755); err != nil {
		return nil, fmt.Errorf("make a place for the store: %w", err)
	}
	return sqlite.Open(d.store, d.waits())
}

func (d *deps) storeExists() error {
	if _, err := os.Stat(d.store); errors.Is(err, fs.ErrNotExist) {
		return errNoBundle
	}
	return nil
}

// waits says on standard error that a command waits for the store.
func (d *deps) waits() sqlite.Option {
	return sqlite.Waiting(func() {
		fmt.Fprintf(safe.NewWriter(os.Stderr), "qprism: another process has locked the store %s; waiting for it up to half a minute\n", d.store)
	})
}
