package past

import (
	"qprism/cmd/qprism/show"
)

// Documents are what the commands of this group print in JSON.
var Documents = []show.Document{
	{Command: "changes", Of: jsonChanges{}},
	{Command: "changes PUSH", Of: jsonPushedOrders{}},
	{Command: "diff", Of: jsonDiff{}},
	{Command: "history", Of: []jsonLife{}},
	{Command: "history --passed", Of: []JSONBypass{}},
	{Command: "timeline", Of: []jsonTick{}},
	{Command: "timeline --passed --by", Of: []JSONLoss{}},
}
