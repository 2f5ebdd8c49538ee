package main

import "github.com/spf13/cobra"

// newRoot is the whole program, a group of commands behind the other.
func newRoot() *cobra.Command {
	return newProgram(queueGroup, nextGroup, pastGroup, actGroup, policyGroup, keepGroup)
}
