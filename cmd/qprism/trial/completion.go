package trial

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qprism/cmd/qprism/subject"
)

// completeVariant completes a bundle, or the variant of what-if behind it.
func completeVariant(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	list, directive := subject.CompleteBundle(c, args, word)
	for _, name := range variantNames() {
		if len(args) < 2 && word != "" && strings.HasPrefix(name, word) {
			list = append(list, name)
		}
	}
	return list, directive
}

// CompletePolicy completes the name of a policy for a push; a policy may also be a file.
func CompletePolicy(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	return slices.DeleteFunc(variantNames(), func(name string) bool {
		return !strings.HasPrefix(name, word)
	}), cobra.ShellCompDirectiveDefault
}

func variantNames() []string { return slices.Sorted(maps.Keys(Variants)) }
