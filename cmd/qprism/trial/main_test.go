package trial

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qprism/cmd/qprism/cli"
)

// TestMain lets tests call a program of these commands as "qprism".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"qprism": func() {
		if err := cli.New(Group).ExecuteContext(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "qprism:", err)
			os.Exit(1)
		}
	}})
}
