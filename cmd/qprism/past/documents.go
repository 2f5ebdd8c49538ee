package past

import (
	"qprism/cmd/qprism/show"
)

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
