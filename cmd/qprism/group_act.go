package main

import "github.com/spf13/cobra"

// actGroup are the commands of this folder.
var actGroup = group{title: "Make it so", commands: func(d *deps) []*cobra.Command {
	return []*cobra.Command{newPush(d), newDrive(d), newServe(d), newRun(d), newDoctor(d)}
}}
