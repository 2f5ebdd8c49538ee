package main

import "github.com/spf13/cobra"

// pastGroup are the commands of this folder.
var pastGroup = group{title: "What happened?", commands: func(d *deps) []*cobra.Command {
	return []*cobra.Command{newDiff(d), newHistory(d), newTimeline(d)}
}}
