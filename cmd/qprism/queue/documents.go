package queue

import (
	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
)

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "audit", Of: batch.Audit{}},
	{Command: "audit --try-releases", Of: []jsonFit{}},
	{Command: "priorities", Of: ranking{}},
	{Command: "shares", Of: batch.Shares{}},
	{Command: "shares --since", Of: jsonReceived{}},
	{Command: "explain", Of: explained{}},
	{Command: "explain --policy", Of: linearPlace{}},
	{Command: "compare", Of: compared{}},
	{Command: "lint", Of: linted{}},
	{Command: "formula check", Of: checkedFormula{}},
	{Command: "releases", Of: []jsonRelease{}},
	{Command: "releases RELEASE", Of: []jsonQuirk{}},
}
