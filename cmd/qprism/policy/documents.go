package policy

import (
	"qprism/cmd/qprism/show"
)

// Documents are what the commands of this group print in JSON.
var Documents = []show.Document{
	{Command: "migrate", Of: migrationReport{}},
}
