package next

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group has the commands of this folder.
var Group = cli.Group{Title: "What starts next?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newPlan(d), newWhy(d), newForecast(d)}
}}
