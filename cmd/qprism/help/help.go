// Package help reads the help text of each command from a text file (help.go). So people can correct the
// texts even if they do not know Go.
//
// A file has the name of its command, such as db-check.txt. Its first line appears in lists of commands. Then
// the file has the help text, a part "Examples:" and a part "Flags:". Each line below "Flags:" is a flag and
// its description. If the file of a command has no part "Flags:", the code describes the flags.
package help

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed *.txt
var texts embed.FS

// Describe gives every command its texts. It panics if a command has no file, or if a file names an unknown
// flag. Tests run it.
func Describe(root *cobra.Command) {
	describe(root, root.Name())
	for _, c := range root.Commands() {
		each(c, c.Name())
	}
}

func each(c *cobra.Command, name string) {
	describe(c, name)
	for _, sub := range c.Commands() {
		each(sub, name+"-"+sub.Name())
	}
}

func describe(c *cobra.Command, name string) {
	text, err := texts.ReadFile(name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("no help of %s: %v", c.CommandPath(), err))
	}
	rest, flags, _ := strings.Cut(strings.TrimRight(string(text), "\n"), "\n\nFlags:\n\n")
	rest, c.Example, _ = strings.Cut(rest, "\n\nExamples:\n\n")
	c.Short, c.Long, _ = strings.Cut(rest, "\n\n")
	for line := range strings.Lines(flags) {
		flag, usage, _ := strings.Cut(line, " ")
		f := c.Flags().Lookup(flag)
		if f == nil {
			panic(fmt.Sprintf("help of %s names the flag %s, which it does not have", c.CommandPath(), flag))
		}
		f.Usage = strings.TrimSpace(usage)
	}
}
