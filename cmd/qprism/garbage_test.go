package main

import (
	"testing"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/program"
)

// TestFrugalCommandsExist: a command with a new name would silently lose its limit.
func TestFrugalCommandsExist(t *testing.T) {
	names := map[string]bool{}
	var note func(c *cobra.Command)
	note = func(c *cobra.Command) {
		names[c.Name()] = true
		for _, below := range c.Commands() {
			note(below)
		}
	}
	note(program.New())
	for name := range frugal {
		if !names[name] {
			t.Errorf("there is no command %q", name)
		}
	}
}
