package policy

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

var Group = cli.Group{Title: "Take the policy elsewhere", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newMigrate(d)}
}}

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "migrate", Of: migrationReport{}},
}
