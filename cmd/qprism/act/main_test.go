package act

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
)

// TestMain lets tests call a program of these commands, and those of keep, as "qprism".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"qprism": func() {
		if err := cli.New(Group, keep.Group).Execute(); err != nil {
			os.Stderr.WriteString("qprism: " + err.Error() + "\n")
			os.Exit(1)
		}
	}})
}
