package recorded

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qprism/cmd/qprism/cli"
)

// Main runs the tests of a package. Tests can call a program with these commands as "qprism".
func Main(m *testing.M, groups ...cli.Group) {
	testscript.Main(m, map[string]func(){"qprism": func() {
		if err := cli.New(groups...).ExecuteContext(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "qprism:", err)
			os.Exit(1)
		}
	}})
}
