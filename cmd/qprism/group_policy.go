package main

import "github.com/spf13/cobra"

// policyGroup are the commands of this folder.
var policyGroup = group{title: "Take the policy elsewhere", commands: func(d *deps) []*cobra.Command {
	return []*cobra.Command{newMigrate(d)}
}}
