package main

import "github.com/spf13/cobra"

// queueGroup are the commands of this folder.
var queueGroup = group{title: "Why is the queue in this order?", commands: func(d *deps) []*cobra.Command {
	return []*cobra.Command{newAudit(d), newPriorities(d), newShares(d), newExplain(d), newCompare(d), newLint(d), newFormula(d), newReleases(d)}
}}
