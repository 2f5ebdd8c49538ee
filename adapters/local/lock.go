package local

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// A LockedError says that another process holds a lock.
type LockedError struct{ Path, Holder string }

func (e *LockedError) Error() string { return fmt.Sprintf("%s is locked by %s", e.Path, e.Holder) }

// Lock takes a lock file. If another process has the lock, Lock does not wait: the error names that process.
// The kernel releases the lock when the process ends.
func Lock(path string) (unlock func() error, err error) {
	return LockAs(path, fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.RFC3339)))
}

// LockAs is Lock with another name for the holder.
func LockAs(path, holder string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		other, _ := os.ReadFile(path)
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &LockedError{Path: path, Holder: strings.TrimSpace(string(other))}
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := errors.Join(f.Truncate(0), writeAt(f, holder+"\n")); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}
