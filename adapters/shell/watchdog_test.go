package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/adapters/shell"
)

// pretended puts programs first in PATH that write down how they are called; qstat fails while there is a file called down.
func pretended(t *testing.T) (folder string) {
	folder = t.TempDir()
	for name, text := range map[string]string{
		"qalter": `for x; do printf "[%s]" "$x"; done >>` + folder + `/log; echo >>` + folder + `/log`,
		"qstat":  `[ ! -e ` + folder + `/down ]`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	return folder
}

func run(t *testing.T, s *shell.Shell, argv ...string) string {
	t.Helper()
	var out strings.Builder
	r, err := s.Run(t.Context(), argv, &out)
	if err != nil || r.Status != 0 {
		t.Fatalf("%v: status %d, %s %v", argv, r.Status, r.Complaints, err)
	}
	return out.String()
}

// owing is a shell that holds a lock, took something, and says that it is alive.
func owing(t *testing.T, locks, seconds string) *shell.Shell {
	t.Helper()
	s := lockShell(t)
	for _, argv := range [][]string{
		{"qprism-lock", locks, "vm", "ann@here:1"}, {"qprism-owe"}, {"qprism-owe", "qalter", "-l", "", "7"},
		{"qprism-owe", "qalter", "-h", "O", "7,8"}, {"qprism-beat", seconds},
	} {
		run(t, s, argv...)
	}
	return s
}

// logged waits until the pretended qalter has been called as often as it shall be.
func logged(t *testing.T, folder string, lines int) string {
	t.Helper()
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if text, _ := os.ReadFile(filepath.Join(folder, "log")); strings.Count(string(text), "\n") >= lines {
			return string(text)
		}
	}
	t.Fatal("nothing was given back")
	return ""
}

// TestWhatIsOwedIsGivenBackWhenNothingIsHeard: the shell is gone, as after kill -9 of the client or a cut connection, and the master does
// not answer at first. Who comes again is told, once.
func TestWhatIsOwedIsGivenBackWhenNothingIsHeard(t *testing.T) {
	folder, locks := pretended(t), filepath.Join(t.TempDir(), "locks")
	down := filepath.Join(folder, "down")
	if err := os.WriteFile(down, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	owing(t, locks, "1").Close()
	time.Sleep(3 * time.Second)
	if text, err := os.ReadFile(filepath.Join(folder, "log")); err == nil {
		t.Fatalf("while the master is down: %s", text)
	}
	if err := os.Remove(down); err != nil {
		t.Fatal(err)
	}
	if got := logged(t, folder, 2); got != "[-l][][7]\n[-h][O][7,8]\n" {
		t.Errorf("given back:\n%s", got)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(locks, "vm.gave")); err == nil {
			break
		} else if time.Now().After(until) {
			t.Fatal("that it was given back is not noted")
		}
	}
	s := lockShell(t)
	run(t, s, "qprism-lock", locks, "vm", "ann@here:2")
	if said := run(t, s, "qprism-beat", "1"); len(strings.TrimSpace(said)) != len("2026-11-23T02:25:49Z") {
		t.Errorf("the next client is told %q", said)
	}
	if said := run(t, s, "qprism-beat", "1"); said != "" {
		t.Errorf("and once more: %q", said)
	}
}

// TestNothingIsGivenBackWhileAClientLives, nor where it owes nothing any more.
func TestNothingIsGivenBackWhileAClientLives(t *testing.T) {
	folder, locks := pretended(t), filepath.Join(t.TempDir(), "locks")
	s := owing(t, locks, "30")
	run(t, s, "qprism-unlock") // between two steps
	for range 3 {
		time.Sleep(700 * time.Millisecond)
		run(t, s, "qprism-beat", "30")
	}
	run(t, s, "qprism-owe")
	run(t, s, "qprism-beat", "1")
	s.Close()
	time.Sleep(3 * time.Second)
	if text, err := os.ReadFile(filepath.Join(folder, "log")); err == nil {
		t.Errorf("given back: %s", text)
	}
}

// TestOnlyWhoHadTheLockOwesAndBeats: who was refused the lock keeps nobody's watchdog quiet.
func TestOnlyWhoHadTheLockOwesAndBeats(t *testing.T) {
	pretended(t)
	locks := filepath.Join(t.TempDir(), "locks")
	owing(t, locks, "30")
	other := lockShell(t)
	if status, _ := lockIn(t, other, locks); status != 0 { // vm-default, which nobody has
		t.Fatal(status)
	}
	if r, err := other.Run(t.Context(), []string{"qprism-lock", locks, "vm", "ben@there:1"}, nil); err != nil || r.Status != 75 {
		t.Fatal(r, err)
	}
	for _, argv := range [][]string{{"qprism-beat", "30"}, {"qprism-owe"}, {"qprism-owe", "qalter", "-h", "O", "9"}} {
		if r, err := other.Run(t.Context(), argv, nil); err != nil || r.Status == 0 || !strings.Contains(r.Complaints, "no lock was taken") {
			t.Errorf("%v: %+v %v", argv, r, err)
		}
	}
}
