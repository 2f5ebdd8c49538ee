// Package next holds the commands that say what starts next: plan, why, forecast and what-if. A file is named after its command.
package next

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group are the commands of this folder.
var Group = cli.Group{Title: "What starts next?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newPlan(d), newWhy(d), newForecast(d), newWhatIf(d)}
}}
