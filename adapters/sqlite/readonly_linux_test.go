package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestErrorSaysThatTheFolderIsNotWritable(t *testing.T) {
	path := newStoreFile(t)
	dir := filepath.Dir(path)
	for p, mode := range map[string]os.FileMode{dir: 0o555, path: 0o444} {
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(dir, 0o755)
	openParents(t, dir)
	asNobody(t, func() {
		for _, p := range []string{filepath.Join(dir, "new.db"), path} {
			if s, err := Open(p); err == nil {
				s.Close()
				t.Errorf("%s: no error", p)
			} else if !strings.Contains(err.Error(), p) || !strings.Contains(err.Error(), "must be writable") {
				t.Errorf("got %v", err)
			}
		}
	})
}

// openParents lets everybody search the temporary folders around a path.
func openParents(t *testing.T, dir string) {
	t.Helper()
	for d := filepath.Dir(dir); d != filepath.Clean(os.TempDir()) && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// asNobody runs a function for which the file system has no root, where the test is run by root.
func asNobody(t *testing.T, do func()) {
	if os.Geteuid() != 0 {
		do()
		return
	}
	const nobody = 65534
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, e := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); e != 0 {
		t.Skip("setfsuid:", e)
	}
	defer syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
	do()
}
