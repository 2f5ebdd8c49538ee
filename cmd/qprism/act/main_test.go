package act

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
)

// TestMain lets tests call a program of these commands, and those of keep, as "qprism".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"qprism": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := cli.New(Group, keep.Group).ExecuteContext(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "qprism:", err)
			os.Exit(1)
		}
	}})
}
