package trial

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/next"
	"qprism/cmd/qprism/show"
)

// Group has the commands of package next and the commands of this folder. All of them say what starts next.
var Group = cli.Group{Title: next.Group.Title, Commands: func(d *cli.Deps) []*cobra.Command {
	return append(next.Group.Commands(d), newWhatIf(d), newSweep(d), newIntend(d))
}}

// Documents are the JSON types of this folder's commands.
var Documents = []show.Document{
	{Command: "what-if", Of: jsonWhatIf{}},
	{Command: "what-if --since", Of: jsonReplay{}},
	{Command: "sweep", Of: jsonSweep{}},
	{Command: "intend", Of: jsonIntend{}},
	{Command: "intend --since", Of: jsonIntendPast{}},
}
