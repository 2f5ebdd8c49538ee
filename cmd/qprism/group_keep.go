package main

import "github.com/spf13/cobra"

// keepGroup are the commands of this folder.
var keepGroup = group{title: "Bundles, and the store that keeps them", commands: func(d *deps) []*cobra.Command {
	return []*cobra.Command{newCapture(d), newImport(d), newSnapshots(d), newDB(d), newExamples(d)}
}}
