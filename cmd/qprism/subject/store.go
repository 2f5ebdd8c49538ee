package subject

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"qprism/adapters/sqlite"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/safe"
)

// OpenStore opens an existing store for reading. Read access to its file is enough.
func OpenStore(d *cli.Deps) (*sqlite.Store, error) {
	if err := StoreExists(d); err != nil {
		return nil, err
	}
	return sqlite.OpenToRead(d.Store, Waits(d))
}

// Files returns the files of the bundle that the command line names, or of the stored snapshot.
func Files(ctx context.Context, d *cli.Deps, sel *Selection, args []string) (fs.FS, io.Closer, error) {
	if len(args) > 0 {
		return BundleAt(args[0])
	}
	store, err := OpenStore(d)
	if err != nil {
		return nil, nil, err
	}
	id, err := sel.Stored(ctx, store)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	files, err := store.Raw(ctx, id)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return files, store, nil
}

// OpenToWrite opens an existing store for writing.
func OpenToWrite(d *cli.Deps) (*sqlite.Store, error) {
	if err := StoreExists(d); err != nil {
		return nil, err
	}
	return openSecured(d)
}

// MakeStore opens the store. If it does not exist, MakeStore creates it.
func MakeStore(d *cli.Deps) (*sqlite.Store, error) {
	if err := os.MkdirAll(filepath.Dir(d.Store), 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of the store: %w", err)
	}
	return openSecured(d)
}

// openSecured opens the store. It takes rights away that an earlier release gave to all users.
func openSecured(d *cli.Deps) (*sqlite.Store, error) {
	store, err := sqlite.Open(d.Store, Waits(d))
	if err != nil {
		return nil, err
	}
	closed, err := store.Secure(context.Background(), OwnFolder(d))
	if err != nil {
		store.Close()
		return nil, err
	}
	if len(closed) > 0 {
		fmt.Fprintf(os.Stderr,
			"qprism: other users could read the store %s, which contains whole bundles. qprism removed "+
				"that right (%s). \"qprism db share\" gives it back\n",
			d.Store, strings.Join(closed, ", "))
	}
	return store, nil
}

// OwnFolder returns the folder of the store if qprism made it (the default folder "qprism"). Otherwise it is
// empty, and qprism does not change the folder's rights.
func OwnFolder(d *cli.Deps) string {
	if folder := filepath.Dir(d.Store); filepath.Base(folder) == "qprism" {
		return folder
	}
	return ""
}

func StoreExists(d *cli.Deps) error {
	if _, err := os.Stat(d.Store); errors.Is(err, fs.ErrNotExist) {
		return cli.ErrNoBundle
	}
	return nil
}

// Waits makes the store say on standard error that the command waits for it.
func Waits(d *cli.Deps) sqlite.Option {
	return sqlite.Waiting(func() {
		fmt.Fprintf(safe.NewWriter(os.Stderr), "qprism: another process has locked the store %s; "+
			"waiting up to 30 s\n", d.Store)
	})
}
