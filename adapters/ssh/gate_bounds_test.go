package ssh

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"qprism/adapters/shell"
)

// soon is how long a gate may take at most to refuse what is too long, on a machine that does other things too.
const soon = 30 * time.Second

// processor is how much time of a processor it may take.
const processor = 2 * time.Second

// TestGateRefusesWhatIsTooLongAtOnce sends 60 KB of words, which cost it 50 seconds of processor once, as a command line and as lines.
func TestGateRefusesWhatIsTooLongAtOnce(t *testing.T) {
	words := append([]string{"qstat"}, strings.Fields(strings.Repeat("a ", 30_000))...)
	pieces := "qstat " + strings.Repeat("'a'", 20_000)
	for _, sh := range []string{"dash", "bash"} {
		for name, request := range map[string]string{"words": quote(words), "pieces of one word": pieces, "1,000 words": quote(words[:1001])} {
			g := newGate(t, sh, "drive")
			cmd := g.command(t.Context(), request)
			_ = cmd.Run()
			if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > processor || cmd.ProcessState.ExitCode() != 126 ||
				g.ran() != nil {
				t.Errorf("%s, %s: status %d after %v", sh, name, cmd.ProcessState.ExitCode(), took)
			}
		}
		g := newGate(t, sh, "drive")
		s, err := shell.Open(t.Context(), g, shell.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, argv := range [][]string{words, {"qstat", strings.Repeat("a\n", 30_000)}, {"qstat", strings.Repeat("a", 1_000_000)}} {
			began := time.Now()
			r, err := s.Run(t.Context(), argv, nil)
			if took := time.Since(began); err != nil || r.Status != 126 || took > soon || g.ran() != nil ||
				!strings.Contains(r.Complaints, "longer than any command") {
				t.Errorf("%s, %d words as lines: %+v, %v after %v", sh, len(argv), r, err, took)
			}
		}
		most := append([]string{"qalter", "-p", "7"}, strings.Fields(strings.Repeat("12345678 ", 2000))...)
		if r, err := s.Run(t.Context(), most, nil); err != nil || r.Status != 0 || len(g.ran()) != len(most) {
			t.Errorf("%s: the longest call of push is refused: %+v, %v", sh, r, err)
		}
		s.Close()
	}
}

// TestGateComparesWordsOneByOne sends one word that reads like several.
func TestGateComparesWordsOneByOne(t *testing.T) {
	g := newGate(t, "sh", "drive")
	monitor := filepath.Join(g.dir, "sge", "utilbin", "lx", "sge_share_mon")
	if err := os.MkdirAll(filepath.Dir(monitor), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(g.dir, "qstat"), monitor); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{{monitor, "-c 1 -n -h"}, {monitor, "-c", "1 -n -h"}, {monitor, "-c 1", "-n", "-h"},
		{monitor, "-c", "1", "-n"}, {"uname", "-n", ""}, {"id", "-un", ""}} {
		cmd := g.command(t.Context(), quote(argv))
		_ = cmd.Run()
		if ran := g.ran(); cmd.ProcessState.ExitCode() != 126 || ran != nil {
			t.Errorf("%q: ran %q", argv, ran)
		}
	}
	cmd := g.command(t.Context(), quote([]string{monitor, "-c", "1", "-n", "-h"}))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestGateEndsWhenTheClientIsGone ends the process that began the gate while a command hangs: gate and command end with it.
func TestGateEndsWhenTheClientIsGone(t *testing.T) {
	for _, sh := range []string{"dash", "bash"} {
		for _, batch := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s batch=%v", sh, batch), func(t *testing.T) {
				g := newGate(t, sh, "read")
				hangs := "#!/bin/sh\necho $$ >\"$RAN.tmp\" && mv \"$RAN.tmp\" \"$RAN\"\nexec sleep 300\n"
				if err := os.WriteFile(filepath.Join(g.dir, "qstat"), []byte(hangs), 0o755); err != nil {
					t.Fatal(err)
				}
				cmd := g.command(t.Context(), "qstat")
				if batch {
					cmd = g.command(t.Context(), "sh -c x qprism-batch")
					cmd.Stdin = strings.NewReader("mark\nwqstat\n.\n")
				}
				client := exec.Command("sh", append([]string{"-c", `exec 3<&0; "$@" <&3 & wait`, "sshd"}, cmd.Args...)...)
				client.Dir, client.Env, client.Stdin = cmd.Dir, cmd.Env, cmd.Stdin
				if err := client.Start(); err != nil {
					t.Fatal(err)
				}
				pid := numberIn(t, filepath.Join(g.dir, "ran"))
				defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
				_ = client.Process.Kill()
				_ = client.Wait()
				for began := time.Now(); alive(pid); time.Sleep(50 * time.Millisecond) {
					if time.Since(began) > soon {
						t.Fatalf("the command goes on %v after the client", soon)
					}
				}
			})
		}
	}
}

// numberIn waits for a file with a number.
func numberIn(t *testing.T, file string) int {
	t.Helper()
	for began := time.Now(); time.Since(began) < soon; time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			n, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("%s: nothing came", file)
	return 0
}

// alive reports whether a process runs: one that has ended and that nobody has asked after is none.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}
