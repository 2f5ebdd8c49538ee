package past

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group has the commands of this folder.
var Group = cli.Group{Title: "What happened?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newDiff(d), newHistory(d), newTimeline(d), newChanges(d)}
}}
