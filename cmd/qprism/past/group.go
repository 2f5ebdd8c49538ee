package past

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

var Group = cli.Group{Title: "What happened?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newDiff(d), newHistory(d), newTimeline(d), newChanges(d)}
}}

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "changes", Of: jsonChanges{}},
	{Command: "changes PUSH", Of: jsonPushedOrders{}},
	{Command: "diff", Of: jsonDiff{}},
	{Command: "history", Of: []jsonLife{}},
	{Command: "history --passed", Of: []JSONBypass{}},
	{Command: "timeline", Of: []jsonTick{}},
	{Command: "timeline --passed --by", Of: []JSONLoss{}},
}
