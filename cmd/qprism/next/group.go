package next

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

var Group = cli.Group{Title: "What starts next?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newPlan(d), newWhy(d), newForecast(d)}
}}

// Documents are the JSON types of this folder's commands.
var Documents = []show.Document{
	{Command: "plan", Of: jsonPlan{}},
	{Command: "plan --compare", Of: jsonPlanComparison{}},
	{Command: "why", Of: jsonWhy{}},
	{Command: "forecast", Of: jsonForecast{}},
}
