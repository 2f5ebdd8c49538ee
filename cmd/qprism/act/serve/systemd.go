package serve

import (
	"context"
	"net"
	"os"
	"strconv"
	"time"
)

// tellSystemd tells systemd how serve does, where systemd asks for it, sd_notify(3).
func tellSystemd(state string) error {
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

// watchdog tells systemd that serve is alive, twice as often as it asks for, until the context ends;
// nothing while something hangs, so that systemd starts serve again, sd_watchdog_enabled(3).
func watchdog(ctx context.Context, hangs func() bool) {
	every, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if pid := os.Getenv("WATCHDOG_PID"); err != nil || every < 2 || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return
	}
	tick := time.NewTicker(time.Duration(every) * time.Microsecond / 2)
	defer tick.Stop()
	for {
		if !hangs() {
			_ = tellSystemd("WATCHDOG=1") // nobody listens: systemd will say so
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// hangs reports whether a task goes on long after it was to end.
func (s *server) hangs() bool {
	d := s.daemon.Load()
	return d != nil && d.Hangs(time.Now())
}
