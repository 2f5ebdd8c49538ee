package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qprism/cmd/qprism/show"
)

// tellMistakes makes every command explain mistakes in its flags and arguments, and suggest the probable word.
func tellMistakes(root *cobra.Command) {
	root.SetFlagErrorFunc(flagMistake)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if check := c.Args; check != nil {
			c.Args = func(c *cobra.Command, args []string) error { return argumentMistake(c, args, check) }
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	const usages = ".FlagUsages | "
	plain := strings.ReplaceAll(root.UsageTemplate(), usages, usages+"switches | ")
	cobra.AddTemplateFunc("switches", switches)
	root.SetUsageTemplate(plain)
}

// switches takes out of the list of flags that a switch may be given a value. The columns stay.
func switches(usages string) string {
	const value = "[=true|false]"
	return strings.ReplaceAll(usages, value, strings.Repeat(" ", len(value)))
}

// flagMistake adds to an unknown flag the nearest one that the command has.
func flagMistake(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if name := show.Nearest(unknown.GetSpecifiedName(), names); name != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, name)
	}
	return fmt.Errorf("%w; %s --help lists them", err, c.CommandPath())
}

// argumentMistake says in place of cobra's counts how the command is called.
func argumentMistake(c *cobra.Command, args []string, check cobra.PositionalArgs) error {
	switch err := check(c, args); {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), "accepts "), strings.HasPrefix(err.Error(), "requires at "):
		said := "too many arguments"
		if check(c, append(slices.Clone(args), "another")) == nil || len(args) == 0 {
			said = "an argument is missing"
		}
		return fmt.Errorf("%s. Usage: %s", said, strings.TrimSuffix(c.UseLine(), " [flags]"))
	default:
		return err
	}
}
