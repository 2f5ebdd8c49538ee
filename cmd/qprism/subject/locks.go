package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"

	"qprism/adapters/local"
)

// StoreLocks are lock files beside the store, so all users of one store see them. The kernel holds a lock as
// long as the process lives. Therefore no lock depends on a clock or on a process id.
type StoreLocks struct{ Folder string }

func (l StoreLocks) Lock(_ context.Context, cluster, holder string) (release func(), other string, err error) {
	if err := os.MkdirAll(l.Folder, 0o700); err != nil {
		return nil, "", fmt.Errorf("create the folder for locks: %w", err)
	}
	plain := regexp.MustCompile(`[^A-Za-z0-9_.-]+`).ReplaceAllString(cluster, "-")
	name := fmt.Sprintf("%.60s-%08x.lock", plain, crc32.ChecksumIEEE([]byte(cluster)))
	unlock, err := local.LockAs(filepath.Join(l.Folder, name), holder)
	if held, is := errors.AsType[*local.LockedError](err); is {
		return nil, cmp.Or(held.Holder, "another process"), nil
	}
	if err != nil {
		return nil, "", err
	}
	return func() { _ = unlock() }, "", nil
}
