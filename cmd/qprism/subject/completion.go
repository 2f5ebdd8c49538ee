package subject

import (
	"strings"

	"github.com/spf13/cobra"

	"qprism/fixtures/examples"
)

// CompleteBundle completes the name of an example; files are left to the shell.
func CompleteBundle(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, e := range examples.All {
		if name := ExampleMark + e.Name; word != "" && strings.HasPrefix(name, word) {
			list = append(list, cobra.CompletionWithDesc(name, e.About))
		}
	}
	return list, cobra.ShellCompDirectiveDefault
}
