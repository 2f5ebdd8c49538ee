// Package help holds what --help says of each command, so that somebody who knows the language and not Go
// can correct it.
//
// A command has a file named after it, such as db-check.txt. Its first line is the line in lists of commands.
// Then comes the text, then "Examples:" and "Flags:". A line of flags is the flag's name and what it does; a
// command without such lines says it where the flag is defined.
package help

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed *.txt
var texts embed.FS

// Describe gives every command of the program its words. It panics if a command has no file, or a file names
// a flag that is not there: tests run it.
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
