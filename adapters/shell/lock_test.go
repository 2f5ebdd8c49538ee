package shell_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"qprism/adapters/local"
	"qprism/adapters/shell"
)

// lockShell is a shell on this machine.
func lockShell(t *testing.T) *shell.Shell {
	t.Helper()
	s, err := shell.Open(t.Context(), local.Host{}, shell.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func lockIn(t *testing.T, s *shell.Shell, folder string) (status int, complaint string) {
	t.Helper()
	var out strings.Builder
	r, err := s.Run(context.Background(), []string{"qprism-lock", folder, "vm-default", "ann@here:1"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	return r.Status, out.String() + r.Complaints
}

// TestALockLastsAsLongAsTheShellThatHasIt: neither a clock nor a name of a process frees it, its end does, and so does unlocking.
func TestALockLastsAsLongAsTheShellThatHasIt(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "locks")
	first, second := lockShell(t), lockShell(t)
	if status, complaint := lockIn(t, first, folder); status != 0 {
		t.Fatal(status, complaint)
	}
	// as by another container with the same host name, process number and a clock that is years ahead
	file := filepath.Join(folder, "vm-default.lock")
	if out, err := exec.Command("touch", "-d", "2001-01-01", file).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if status, complaint := lockIn(t, second, folder); status != 75 || !strings.Contains(complaint, "ann@here:1") ||
		!strings.Contains(complaint, file+" is locked") {
		t.Errorf("status %d, %s", status, complaint)
	}
	if _, err := first.Run(t.Context(), []string{"true"}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Run(t.Context(), []string{"qprism-unlock"}, nil); err != nil {
		t.Fatal(err)
	}
	if status, complaint := lockIn(t, second, folder); status != 0 {
		t.Errorf("unlocked: status %d, %s", status, complaint)
	}
	second.Close()
	if status, complaint := lockIn(t, first, folder); status != 0 {
		t.Errorf("after its shell has ended: status %d, %s", status, complaint)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestNobodyElseCanBlockALock: what others put at its name is refused with the name of the file and what is wrong, and nothing is written
// through it.
func TestNobodyElseCanBlockALock(t *testing.T) {
	for name, c := range map[string]struct {
		make func(dir string) error
		want string
	}{
		"a symbolic link at the folder": {func(dir string) error { return os.Symlink(t.TempDir(), dir) }, " is a symbolic link"},
		"a folder that others may write to": {func(dir string) error {
			return errorsOf(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777))
		}, "others may write to "},
		"a file at the folder": {func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "File exists"},
		"a symbolic link at the lock": {func(dir string) error {
			return errorsOf(os.Mkdir(dir, 0o700), os.Symlink(dir+"/victim", dir+"/vm-default.lock"))
		}, "vm-default.lock is a symbolic link"},
		"a folder at the lock": {func(dir string) error { return os.MkdirAll(dir+"/vm-default.lock", 0o700) }, "vm-default.lock is no file"},
	} {
		dir := filepath.Join(t.TempDir(), "locks")
		if err := c.make(dir); err != nil {
			t.Fatal(err)
		}
		s := lockShell(t)
		if status, complaint := lockIn(t, s, dir); status != 1 || !strings.Contains(complaint, c.want) || !strings.Contains(complaint, dir) {
			t.Errorf("%s: status %d, %s", name, status, complaint)
		}
		if _, err := os.Stat(dir + "/victim"); err == nil {
			t.Errorf("%s: something was written through it", name)
		}
		if _, err := s.Run(t.Context(), []string{"true"}, nil); err != nil {
			t.Errorf("%s: the shell is lost: %v", name, err)
		}
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
