package serve

import (
	"context"
	"net"
	"os"
	"strconv"
	"time"
)

// notifySystemd tells systemd the state of serve, if systemd asks for it, sd_notify(3).
func notifySystemd(state string) error {
	address := os.Getenv("NOTIFY_SOCKET") // one that begins with @ is no file
	if address == "" {
		return nil
	}
	c, err := net.Dial("unixgram", address)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte(state))
	return err
}

// watchdog tells systemd that serve is alive, twice as often as necessary. While a task hangs, it sends
// nothing, so that systemd restarts serve, sd_watchdog_enabled(3).
func watchdog(ctx context.Context, hangs func() bool) {
	every, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if pid := os.Getenv("WATCHDOG_PID"); err != nil || every < 2 || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return
	}
	tick := time.NewTicker(time.Duration(every) * time.Microsecond / 2)
	defer tick.Stop()
	for {
		if !hangs() {
			_ = notifySystemd("WATCHDOG=1") // nobody listens: systemd will say so
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// hangs reports whether a task runs long after its deadline.
func (s *server) hangs() bool {
	d := s.daemon.Load()
	return d != nil && d.Hangs(time.Now())
}
