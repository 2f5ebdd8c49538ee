package local

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// Host is this machine.
type Host struct{}

// grace is the time for a command to end after it was asked to.
const grace = 2 * time.Second

// Run runs a command and waits for its end. No shell sees the arguments. An error means that the command did
// not run to its end; a status other than 0 is no error. When the context ends, Run asks the command and its
// children to end.
func (Host) Run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) (status int, err error) {
	if len(argv) == 0 {
		return 0, errors.New("no command")
	}
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Stdout, c.Stderr = stdout, stderr
	if stdin != nil {
		feed, err := c.StdinPipe()
		if err != nil {
			return 0, err
		}
		go func() { // Run does not wait for this copy, as os/exec would: the source may have no end
			_, _ = io.Copy(feed, stdin)
			_ = feed.Close()
		}()
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = grace
	err = c.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() && ctx.Err() == nil {
		return exit.ExitCode(), nil
	}
	return 0, err
}

func (Host) Close() error { return nil }

// String names this machine in messages.
func (Host) String() string { return "this machine" }
