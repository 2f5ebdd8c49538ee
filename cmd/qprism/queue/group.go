package queue

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group has the commands of this folder.
var Group = cli.Group{Title: "Why is the queue in this order?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newAudit(d), newPriorities(d), newShares(d), newExplain(d), newCompare(d),
		newLint(d), newFormula(d),
		newReleases(d)}
}}
