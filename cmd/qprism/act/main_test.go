package act

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
)

// TestMain lets tests call a program of these commands, and those of keep, as "qprism". Without -parallel
// one more runs at a time than there are processors: they mostly wait for masters.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", fmt.Sprint(1+runtime.GOMAXPROCS(0)))
	testscript.Main(m, map[string]func(){"qprism": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := cli.New(Group, keep.Group).ExecuteContext(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "qprism:", err)
			os.Exit(1)
		}
	}})
}
