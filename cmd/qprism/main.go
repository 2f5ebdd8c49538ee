package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/program"
	"qprism/cmd/safe"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { interrupt(<-signals, stop) }()
	collectSeldom(os.Args[1:])
	return execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// errInterrupted is why a context ends when a person presses Ctrl-C.
var errInterrupted = errors.New("interrupted")

// statusInterrupted is the exit status that shells use after SIGINT.
const statusInterrupted = 130

// interrupt ends the running command. It tells a person at once. A command that only reads is ended. A command
// that changes a cluster ends by itself, so that no change is left incomplete.
func interrupt(s os.Signal, stop context.CancelCauseFunc) {
	if s != os.Interrupt {
		stop(nil)
		return
	}
	c, _, err := program.New().Find(os.Args[1:])
	careful := err == nil && c.Annotations[cli.Careful] != ""
	if careful {
		fmt.Fprintln(os.Stderr, "qprism: interrupted; it stops cleanly")
	} else {
		fmt.Fprintln(os.Stderr, "qprism: interrupted")
	}
	stop(errInterrupted)
	if !careful {
		time.Sleep(2 * time.Second)
		os.Exit(statusInterrupted)
	}
}

// execute runs a command line and returns the exit status: 0 for success, 3 for findings, 1 for errors. All
// output, also errors and logs, goes through one writer. This writer escapes everything that a terminal would
// obey.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out, warn := safe.NewWriter(stdout), safe.NewWriter(stderr)
	defer out.Close()
	defer warn.Close()
	root := program.New()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(warn)
	err := root.ExecuteContext(ctx)
	if bad := out.Err(); bad != nil && !errors.Is(err, bad) {
		err = errors.Join(err, bad)
	}
	var disagreement *cli.DisagreementError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &disagreement) && out.Err() == nil:
		return 3
	}
	if context.Cause(ctx) == errInterrupted && errors.Is(err, context.Canceled) {
		return statusInterrupted // the message was already printed
	}
	fmt.Fprintln(warn, "qprism:", err)
	if text := err.Error(); strings.HasPrefix(text, "unknown command") && !strings.Contains(text, "Did you mean") {
		fmt.Fprintln(warn, "qprism --help lists the commands")
	}
	return 1
}
