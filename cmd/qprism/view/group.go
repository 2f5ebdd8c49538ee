package view

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group are the commands of this folder.
var Group = cli.Group{Title: "What does it look like?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newView(d)}
}}
