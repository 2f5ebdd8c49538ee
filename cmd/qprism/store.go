package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	return d.openSecured()
}

// makeStore opens the store, which is made where there is none.
func (d *deps) makeStore() (*sqlite.Store, error) {
	if err := os.MkdirAll(filepath.Dir(d.store), 0o700); err != nil {
		return nil, fmt.Errorf("make a place for the store: %w", err)
	}
	return d.openSecured()
}

// openSecured opens the store, and closes to others what an earlier release left open to all users.
func (d *deps) openSecured() (*sqlite.Store, error) {
	store, err := sqlite.Open(d.store, d.waits())
	if err != nil {
		return nil, err
	}
	closed, err := store.Secure(context.Background(), d.ownFolder())
	if err != nil {
		store.Close()
		return nil, err
	}
	if len(closed) > 0 {
		fmt.Fprintf(os.Stderr, "qprism: others could read the store %s, which holds whole bundles; that is over (%s). qprism db share lets others read it\n",
			d.store, strings.Join(closed, ", "))
	}
	return store, nil
}

// ownFolder is the store's folder where that is made for the store: the one that holds it by default. Others are left as they are.
func (d *deps) ownFolder() string {
	if folder := filepath.Dir(d.store); filepath.Base(folder) == "qprism" {
		return folder
	}
	return ""
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
