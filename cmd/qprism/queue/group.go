package queue

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
	"qprism/cmd/qprism/show"
	"qprism/engine/batch"
)

var Group = cli.Group{Title: "Why is the queue in this order?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newAudit(d), newPriorities(d), newShares(d), newExplain(d), newCompare(d),
		newLint(d), newFormula(d), newReleases(d)}
}}

// Documents are the JSON types of this group's commands.
var Documents = []show.Document{
	{Command: "audit", Of: batch.Audit{}},
	{Command: "audit --try-releases", Of: []jsonFit{}},
	{Command: "priorities", Of: ranking{}},
	{Command: "shares", Of: batch.Shares{}},
	{Command: "shares --since", Of: jsonReceived{}},
	{Command: "explain", Of: explained{}},
	{Command: "explain --policy", Of: linearPlace{}},
	{Command: "compare", Of: compared{}},
	{Command: "lint", Of: linted{}},
	{Command: "formula check", Of: checkedFormula{}},
	{Command: "releases", Of: []jsonRelease{}},
	{Command: "releases RELEASE", Of: []jsonQuirk{}},
}
