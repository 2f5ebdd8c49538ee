package main

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/act"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/keep"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/past"
	"qprism/cmd/qprism/policy"
	"qprism/cmd/qprism/queue"
	"qprism/cmd/qprism/view"
)

// newRoot is the whole program, a group of commands behind the other.
func newRoot() *cobra.Command {
	return cli.New(queue.Group, next.Group, past.Group, view.Group, act.Group, policy.Group, keep.Group)
}
