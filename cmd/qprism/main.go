// Command qprism tells the administrators of Grid Engine and PBS clusters why the queue is in this order: it reads what a
// cluster's own commands print and recomputes every priority, ticket and share to the last printed digit.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(run()) }

// run runs the program and makes an exit status of its error: 0 for success, 3 where an audit disagrees, 1 for errors.
func run() int {
	// A command lives for seconds and mostly allocates what it keeps: collecting at four tenths of what lives costs little time
	// and keeps the peak of a large cluster's bundle low.
	debug.SetGCPercent(40)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	var disagreement *disagreementError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &disagreement):
		return 3
	}
	fmt.Fprintln(os.Stderr, "qprism:", err)
	return 1
}

// A disagreementError says that an audit found numbers that do not agree; the report is already printed.
type disagreementError struct{}

func (*disagreementError) Error() string { return "not every number agrees" }
