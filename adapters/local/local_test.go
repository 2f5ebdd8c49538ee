package local_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qprism/adapters/local"
)

func TestCommandsRunWithoutAShell(t *testing.T) {
	var out, said bytes.Buffer
	status, err := local.Host{}.Run(t.Context(), []string{"printf", "%s", "$(id) 'x'"}, nil, &out, &said)
	if err != nil || status != 0 || out.String() != "$(id) 'x'" {
		t.Errorf("%q, %d, %v", out.String(), status, err)
	}
	if status, err := (local.Host{}).Run(t.Context(), []string{"sh", "-c", "cat; exit 4"}, strings.NewReader("in"), &out, &said); err != nil ||
		status != 4 {
		t.Errorf("%d, %v", status, err)
	}
	if _, err := (local.Host{}).Run(t.Context(), []string{"no-such-program"}, nil, &out, &said); err == nil {
		t.Error("a program that is not there ran")
	}
	if _, err := (local.Host{}).Run(t.Context(), []string{"sh", "-c", "kill -9 $$"}, nil, &out, &said); err == nil {
		t.Error("a command that was killed ran to its end")
	}
}

func TestACommandAndWhatItStartedEndWithTheirContext(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	script := fmt.Sprintf(`trap 'echo told >%s; exit' TERM; sleep 30 & wait`, file)
	var out bytes.Buffer
	began := time.Now()
	_, err := local.Host{}.Run(ctx, []string{"sh", "-c", script}, nil, &out, &out)
	if err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if _, err := os.Stat(file); err != nil {
		t.Error("the command was not told")
	}
}

func TestALockIsHeldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := local.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = local.Lock(path)
	var locked *local.LockedError
	if !errors.As(err, &locked) || !strings.Contains(locked.Holder, fmt.Sprint(os.Getpid())) {
		t.Errorf("%v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if unlock, err = local.Lock(path); err != nil {
		t.Fatal(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}
