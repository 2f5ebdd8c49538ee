package serve

import (
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// TestSystemdHearsThatServeIsAliveUntilSomethingHangs listens as systemd does.
func TestSystemdHearsThatServeIsAliveUntilSomethingHangs(t *testing.T) {
	address := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
	must(t, err)
	defer systemd.Close()
	t.Setenv("NOTIFY_SOCKET", address)
	t.Setenv("WATCHDOG_USEC", "20000")
	t.Setenv("WATCHDOG_PID", "")
	hear := func(within time.Duration) string {
		text := make([]byte, 100)
		must(t, systemd.SetReadDeadline(time.Now().Add(within)))
		n, _ := systemd.Read(text)
		return string(text[:n])
	}
	must(t, notifySystemd("READY=1"))
	if got := hear(time.Minute); got != "READY=1" {
		t.Errorf("heard %q", got)
	}
	var hangs atomic.Bool
	go watchdog(t.Context(), hangs.Load)
	for range 3 {
		if got := hear(time.Minute); got != "WATCHDOG=1" {
			t.Errorf("heard %q", got)
		}
	}
	hangs.Store(true)
	for deadline := time.Now().Add(time.Minute); hear(time.Second) != ""; {
		if time.Now().After(deadline) {
			t.Fatal("it goes on")
		}
	}
	hangs.Store(false)
	if got := hear(time.Minute); got != "WATCHDOG=1" {
		t.Errorf("heard %q", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
