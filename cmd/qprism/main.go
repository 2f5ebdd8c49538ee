package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/safe"
)

func main() { os.Exit(run()) }

func run() int {
	// A command lives for seconds and mostly allocates what it keeps: collecting at four tenths of what lives costs little time
	// and keeps the peak of a large cluster's bundle low.
	debug.SetGCPercent(40)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// execute runs a command line and makes an exit status of its error: 0 for success, 3 where something was found, 1 for errors. All that it
// prints, errors and logs among it, goes through one writer, which lets nothing through that a terminal would obey.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out, warn := safe.NewWriter(stdout), safe.NewWriter(stderr)
	defer out.Close()
	defer warn.Close()
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(warn)
	err := root.ExecuteContext(ctx)
	var disagreement *cli.DisagreementError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &disagreement):
		return 3
	}
	fmt.Fprintln(warn, "qprism:", err)
	return 1
}
