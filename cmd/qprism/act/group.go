package act

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group are the commands of this folder.
var Group = cli.Group{Title: "Make it so", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newInit(d), newPush(d), newDrive(d), newServe(d), newRun(d), newDoctor(d)}
}}
