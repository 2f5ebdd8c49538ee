package act

import (
	"qprism/cmd/qprism/show"
)

// Documents are what the commands of this group print in JSON.
var Documents = []show.Document{
	{Command: "push", Of: jsonPush{}},
	{Command: "push --apply", Of: jsonReport{}},
	{Command: "push --undo", Of: jsonAgain{}},
	{Command: "drive", Of: driveReport{}},
	{Command: "drive --release", Of: []claim{}},
	{Command: "doctor", Of: []finding{}},
	{Command: "init", Of: initReport{}},
}
