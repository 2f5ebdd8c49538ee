package act

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/act/doctor"
	"qprism/cmd/qprism/act/drive"
	"qprism/cmd/qprism/act/push"
	"qprism/cmd/qprism/act/serve"
	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
)

// Group has the commands of the folders below.
var Group = cli.Group{Title: "Make it so", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{doctor.NewInit(d), push.New(d), drive.New(d), serve.New(d), serve.NewRun(d), doctor.New(d)}
}}

// Documents are the JSON types of these commands.
var Documents = []show.Document{
	{Command: "push", Of: push.JSONPush{}},
	{Command: "push --apply", Of: push.JSONReport{}},
	{Command: "push --undo", Of: push.JSONAgain{}},
	{Command: "drive", Of: drive.Report{}},
	{Command: "drive --release", Of: []drive.Claim{}},
	{Command: "doctor", Of: []doctor.Finding{}},
	{Command: "init", Of: doctor.InitReport{}},
}
