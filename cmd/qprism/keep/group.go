package keep

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group has the commands of this folder.
var Group = cli.Group{Title: "Bundles, and the store that keeps them", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newCapture(d), newAnonymize(d), newImport(d), newSnapshots(d),
		newDB(d), newExamples(d), newLab(d)}
}}
