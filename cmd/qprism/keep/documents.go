package keep

import (
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "import", Of: jsonRead{}},
	{Command: "db list", Of: []jsonSnapshot{}},
	{Command: "examples", Of: []example{}},
	{Command: "lab", Of: []labRow{}},
	{Command: "capture", Of: subject.Captured{}},
	{Command: "anonymize", Of: anonymized{}},
	{Command: "db anonymize", Of: anonymized{}},
	{Command: "db prune", Of: JSONPruned{}},
	{Command: "db check", Of: jsonCheck{}},
	{Command: "db forget", Of: jsonForgotten{}},
}
