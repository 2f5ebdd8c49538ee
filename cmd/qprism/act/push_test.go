package act

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/exporter"
)

func TestOrdersAreReadWithWhatTheySay(t *testing.T) {
	for text, want := range map[string]string{
		"3\n1 2 # then\n\n# none\n4,5": "[3 1 2 4 5]",
		"12.server\n13[].server 14[]":  "[12 13 14]",
	} {
		if got, err := readOrder(strings.NewReader(text), "f"); err != nil || listOf(got) != strings.Trim(want, "[]") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"1\nx": `f:2: "x" is no job number`, "13[2].server": `f:1: "13[2].server" is no job number`,
		"0": `f:1: "0" is no job number`, "-5": `f:1: "-5" is no job number`, "4294967296": `f:1: "4294967296" is no job number`} {
		if _, err := readOrder(strings.NewReader(text), "f"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestTheHolderOfALockIsKnownToBeDeadOnlyHere: of a process elsewhere nothing is known.
func TestTheHolderOfALockIsKnownToBeDeadOnlyHere(t *testing.T) {
	self := thisProcess()
	name, _, _ := strings.Cut(self, ":")
	for holder, want := range map[string]bool{self: false, name + ":999999999": true, "root@elsewhere:999999999": false, name + ":": false, "": false} {
		if got := holderDied(holder); got != want {
			t.Errorf("%q: %v, want %v", holder, got, want)
		}
	}
}

// TestAProcessThatEndedHoldsNoLock: one that was killed keeps its number until its parent asks how it ended.
func TestAProcessThatEndedHoldsNoLock(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells that a process has ended before its parent asks")
	}
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(thisProcess(), ":")
	holder := fmt.Sprintf("%s:%d", name, c.Process.Pid)
	if holderDied(holder) {
		t.Errorf("%s lives, and is said to be dead", holder)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); !holderDied(holder); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s was killed, and is said to live", holder)
		}
	}
	if err := c.Wait(); err == nil {
		t.Error("it was not killed")
	}
	if !holderDied(holder) {
		t.Errorf("%s is gone, and is said to live", holder)
	}
}

func TestAStopFileKeepsAPushFromItsMaster(t *testing.T) {
	d := &cli.Deps{Store: filepath.Join(t.TempDir(), "store.db"), Format: "table"}
	opts := pushOptions{undo: true, apply: true, id: 1, now: time.Now, sleep: exporter.Wait}
	if got, want := stopFileOf(d, opts), filepath.Join(filepath.Dir(d.Store), "push.stop"); got != want {
		t.Errorf("the stop file is %s, want %s", got, want)
	}
	opts.stopFile = t.TempDir()
	if err := stopFile(stopFileOf(d, opts)); err == nil || !strings.Contains(err.Error(), "exists; nothing is sent") {
		t.Errorf("got %v", err)
	}
	if err := runPush(context.Background(), d, opts, nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "push 1: no such push") {
		t.Errorf("got %v", err)
	}
}
