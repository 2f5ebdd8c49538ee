// Package queue holds the commands that say why the queue is in its order: audit, priorities, shares, explain, compare, lint, formula and
// releases. A file is named after its command.
package queue

import (
	"github.com/spf13/cobra"

	"qprism/cmd/qprism/cli"
)

// Group are the commands of this folder.
var Group = cli.Group{Title: "Why is the queue in this order?", Commands: func(d *cli.Deps) []*cobra.Command {
	return []*cobra.Command{newAudit(d), newPriorities(d), newShares(d), newExplain(d), newCompare(d), newLint(d), newFormula(d), newReleases(d)}
}}
