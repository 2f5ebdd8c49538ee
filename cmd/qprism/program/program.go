// Package program joins all groups of commands below one root command (program.go). The program qprism runs
// the root command, and cmd/manual writes man pages for all commands.
package program

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/act"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/policy"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/trial"
	"qprism/cmd/qprism/view"
)

// New makes the root command. The groups are in the order of the help.
func New() *cobra.Command {
	return cli.New(queue.Group, trial.Group, past.Group, view.Group, act.Group, policy.Group, keep.Group)
}
