package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/fixtures/examples"
)

// completeBundle completes the name of an example; files are left to the shell.
func completeBundle(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, e := range examples.All {
		if name := exampleMark + e.Name; word != "" && strings.HasPrefix(name, word) {
			list = append(list, cobra.CompletionWithDesc(name, e.About))
		}
	}
	return list, cobra.ShellCompDirectiveDefault
}

// completeVariant completes a bundle, or the variant of what-if behind it.
func completeVariant(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	list, directive := completeBundle(c, args, word)
	for _, name := range variantNames() {
		if len(args) < 2 && word != "" && strings.HasPrefix(name, word) {
			list = append(list, name)
		}
	}
	return list, directive
}

// completePolicy completes the name of the policy that a push is to follow; it may be a file.
func completePolicy(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	return slices.DeleteFunc(variantNames(), func(name string) bool { return !strings.HasPrefix(name, word) }), cobra.ShellCompDirectiveDefault
}

func variantNames() []string { return slices.Sorted(maps.Keys(variants)) }
