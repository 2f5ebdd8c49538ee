package keep

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/cmd/qprism/subject"
)

var Group = cli.Group{Title: "Bundles, and the store that keeps them", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newCapture(d), newAnonymize(d), newImport(d), newSnapshots(d),
		newDB(d), newExamples(d), newLab(d)}
}}

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
