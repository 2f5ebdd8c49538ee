package policy

import (
	"qprism/cmd/qprism/show"
)

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "migrate", Of: migrationReport{}},
}
