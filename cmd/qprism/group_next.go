package main

import "github.com/spf13/cobra"

// nextGroup are the commands of this folder.
var nextGroup = group{title: "What starts next?", commands: func(d *deps) []*cobra.Command {
	return []*cobra.Command{newPlan(d), newWhy(d), newForecast(d), newWhatIf(d)}
}}
