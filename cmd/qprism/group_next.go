package main

import "github.com/spf13/cobra"

// nextGroup are the commands of this folder.
var nextGroup = group{"What starts next?", func(d *deps) []*cobra.Command {
	return []*cobra.Command{newPlan(d), newWhy(d), newForecast(d), newWhatIf(d)}
}}
